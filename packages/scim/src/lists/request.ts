import { excerpt, scimError } from '../errors.ts';
import { parseFilter } from '../filters/parse.ts';
import { parseFilterAcross } from '../filters/parse-across.ts';
import { parsePath } from '../filters/path.ts';
import type { Projection } from '../resources/projection.ts';
import { parseAttributes } from '../resources/projection.ts';
import type { ResourceQuery } from '../resources/types.ts';
import type { JsonObject, JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import type { PageStart } from './cursor.ts';
import { listKey, parseCursor } from './cursor.ts';

/** Resources of a page, unless the request says otherwise. */
export const DEFAULT_COUNT = 100;
/** Most resources of a page; a larger `count` means this. */
export const MAX_COUNT = 1_000;

/** What a client asks of a list, in a query or in a search request, not looked at yet. */
export interface ListParameters {
  readonly filter?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly sortOrder?: string | undefined;
  readonly startIndex?: string | number | undefined;
  readonly count?: string | number | undefined;
  readonly cursor?: string | undefined;
  readonly attributes?: string | readonly string[] | undefined;
  readonly excludedAttributes?: string | readonly string[] | undefined;
}

/** A checked request for a page, of any resource type. */
export interface ListRequest {
  readonly parameters: ListParameters;
  readonly projection: Projection;
  readonly count: number;
  /** From 1; null for a request by cursor. */
  readonly startIndex: number | null;
  readonly start: PageStart;
  /** Identifies the list for cursors; null for a request without one. */
  readonly key: string | null;
  /** Every type that is searched; null for a list of one. */
  readonly types: readonly ResourceTypeDefinition[] | null;
}

/** Where a list comes from, for its cursors: `/Users`. */
type ListName = string;

/**
 * Reads the paging of a list (RFC 7644, section 3.4.2.4; RFC 9865). A list by cursor is read after a position,
 * which further resources do not move; one with an order of its own, or of several types, by number.
 * @throws ProbityError `invalidValue`, `invalidCursor`, `invalidCount`
 */
export function parseListRequest(
  parameters: ListParameters,
  name: ListName,
  types: readonly ResourceTypeDefinition[] | null = null,
): ListRequest {
  const { cursor, filter = '', sortBy = '', sortOrder = '' } = parameters;
  const count = parseCount(parameters.count);
  const projection = parseAttributes(parameters);
  if (cursor === undefined) {
    const startIndex = Math.max(integerOf('startIndex', parameters.startIndex) ?? 1, 1);
    const start = { offset: startIndex - 1 };
    return { parameters, projection, count, types, startIndex, start, key: null };
  }
  if (parameters.startIndex !== undefined) {
    throw scimError('invalidValue', 'startIndex and cursor exclude each other');
  }
  const key = listKey([name, filter, sortBy, sortOrder]);
  const first: PageStart = types === null && sortBy === '' ? { after: null } : { offset: 0 };
  const start = cursor === '' ? first : parseCursor(cursor, key);
  if ('offset' in start !== 'offset' in first) {
    throw scimError('invalidCursor', 'cursor: it is not a cursor of this list');
  }
  return { parameters, projection, count, types, startIndex: null, start, key };
}

/** A negative count means 0 (RFC 7644, section 3.4.2.4). */
function parseCount(count: string | number | undefined): number {
  return Math.min(Math.max(integerOf('count', count) ?? DEFAULT_COUNT, 0), MAX_COUNT);
}

const INTEGER = /^[+-]?\d{1,15}$/;

function integerOf(name: string, value: string | number | undefined): number | null {
  if (value === undefined || value === '') return null;
  const text = String(value).trim();
  if (INTEGER.test(text)) return Number(text);
  throw scimError('invalidValue', `${name}: ${excerpt(text)} is not an integer`);
}

/**
 * What the storage reads for a list of one resource type.
 * @throws ProbityError `invalidFilter`, `invalidPath`, `invalidValue`
 */
export function toResourceQuery(
  { parameters, start, count, types }: ListRequest,
  resourceType: ResourceTypeDefinition,
): ResourceQuery {
  const { filter } = parameters;
  const parse = (text: string) =>
    types ? parseFilterAcross(text, resourceType, types) : parseFilter(text, resourceType);
  return {
    filter: filter === undefined ? null : parse(filter),
    sort: parseSort(parameters, resourceType, types),
    start,
    limit: count,
  };
}

function parseSort(
  { sortBy, sortOrder }: ListParameters,
  resourceType: ResourceTypeDefinition,
  types: ListRequest['types'],
): ResourceQuery['sort'] {
  if (sortBy === undefined || sortBy === '') return null;
  const path = parsePath(sortBy, resourceType);
  // The resources of a type without the attribute are in the default order.
  if (!path && types?.some((type) => parsePath(sortBy, type))) return null;
  if (!path) {
    const detail = `sortBy: ${excerpt(sortBy)} is no attribute of ${resourceType.name}`;
    throw scimError('invalidPath', detail);
  }
  const order = (sortOrder || 'ascending').toLowerCase();
  if (order === 'ascending' || order === 'descending') return { path, order };
  const detail = `sortOrder: ${excerpt(order)} is neither ascending nor descending`;
  throw scimError('invalidValue', detail);
}

const SEARCH_TEXTS = ['filter', 'sortBy', 'sortOrder', 'cursor'] as const;
const SEARCH_NUMBERS = ['startIndex', 'count'] as const;
const SEARCH_LISTS = ['attributes', 'excludedAttributes'] as const;

/**
 * Reads a search request (RFC 7644, section 3.4.3); null means absent, names may have any letter case.
 * @throws ProbityError `invalidValue` that names the member
 */
export function parseSearchRequest(body: JsonObject): ListParameters {
  const given = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  const read = <T>(
    name: string,
    is: (value: JsonValue) => value is JsonValue & T,
    what: string,
  ) => {
    const value = given.get(name.toLowerCase()) ?? null;
    if (value === null) return [];
    if (!is(value)) throw scimError('invalidValue', `${name}: it must be ${what}`);
    return [[name, value]];
  };
  return Object.fromEntries([
    ...SEARCH_TEXTS.flatMap((name) => read(name, isText, 'a text')),
    ...SEARCH_NUMBERS.flatMap((name) => read(name, isNumberOrText, 'an integer')),
    ...SEARCH_LISTS.flatMap((name) => read(name, isTexts, 'an array of texts')),
  ]);
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}

function isNumberOrText(value: JsonValue): value is string | number {
  return typeof value === 'number' || typeof value === 'string';
}

function isTexts(value: JsonValue): value is string | readonly string[] {
  return isText(value) || (Array.isArray(value) && value.every(isText));
}
