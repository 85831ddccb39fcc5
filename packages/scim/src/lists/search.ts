import type { CallContext } from '@probity/core';
import { scimError } from '../errors.ts';
import { comparedAttribute } from '../filters/path.ts';
import { parseAttributes } from '../resources/projection.ts';
import type { Resources } from '../resources/resources.ts';
import { compareBy } from '../resources/sort.ts';
import type { ResourceQuery } from '../resources/types.ts';
import type { JsonObject, ResourceTypeDefinition } from '../schemas/types.ts';
import type { ListRequest } from './request.ts';
import { toResourceQuery } from './request.ts';
import type { SentPage } from './response.ts';

/** A resource type and the operations on it. */
export interface SearchedType {
  readonly resourceType: ResourceTypeDefinition;
  readonly resources: Resources;
}

type Sort = NonNullable<ResourceQuery['sort']>;

/** The last place of a page that is sorted by an attribute of several types, which are read up to it. */
const MAX_MERGED = 10_000;

/**
 * Lists the resources of all types (RFC 7644, section 3.4.3): sorted over all of them, else one type after the other.
 * @throws ProbityError `tooMany` for a page far behind in a list that is sorted by an attribute of several types
 */
export async function searchAll(
  types: readonly SearchedType[],
  context: CallContext,
  request: ListRequest,
): Promise<SentPage> {
  const sorts = types.map(({ resourceType }) => toResourceQuery(request, resourceType).sort);
  const isSorted = (_: SearchedType, index: number) => isEffective(sorts[index] ?? null);
  const sort = sorts.find(isEffective);
  const sorted = types.filter(isSorted);
  if (!sort) return inSequence(types, context, request);
  if (sorted.length > 1) return merged(types, context, request, sort);
  // Resources of the other types have no value, which is after all values.
  const others = types.filter((type) => !sorted.includes(type));
  const inOrder = sort.order === 'ascending' ? [...sorted, ...others] : [...others, ...sorted];
  return inSequence(inOrder, context, request);
}

function isEffective(sort: Sort | null): sort is Sort {
  return sort !== null && comparedAttribute(sort.path) !== null;
}

async function inSequence(
  types: readonly SearchedType[],
  context: CallContext,
  request: ListRequest,
): Promise<SentPage> {
  let offset = offsetOf(request);
  let count = request.count;
  let total = 0;
  const found: JsonObject[] = [];
  for (const { resources } of types) {
    const page = await resources.list(context, { ...request, start: { offset }, count });
    found.push(...page.resources);
    offset = Math.max(offset - page.total, 0);
    count -= page.resources.length;
    total += page.total;
  }
  return { resources: found, total, last: null };
}

/** Finds the places of the page in each type by the values that sort, then reads those. */
async function merged(
  types: readonly SearchedType[],
  context: CallContext,
  request: ListRequest,
  { path, order }: Sort,
): Promise<SentPage> {
  const offset = offsetOf(request);
  const end = offset + request.count;
  if (end > MAX_MERGED) {
    const detail = `only the first ${MAX_MERGED} resources of several types are sorted; filter more`;
    throw scimError('tooMany', detail);
  }
  const projection = parseAttributes({ attributes: request.parameters.sortBy });
  const keys = { ...request, projection, start: { offset: 0 }, count: end };
  const pages: SentPage[] = [];
  for (const { resources } of types) pages.push(await resources.list(context, keys));
  const compare = compareBy(path, order);
  const places = pages
    .flatMap(({ resources }, type) => resources.map((body, place) => ({ type, place, body })))
    .sort((left, right) => compare(left.body, right.body))
    .slice(offset, end);
  const found = new Map<string, JsonObject>();
  for (const [type, { resources }] of types.entries()) {
    const own = places.filter((place) => place.type === type);
    const [first] = own;
    if (!first) continue;
    const page = { ...request, start: { offset: first.place }, count: own.length };
    for (const body of (await resources.list(context, page)).resources) {
      found.set(String(body.id), body);
    }
  }
  return {
    resources: places.flatMap(({ body }) => toList(found.get(String(body.id)))),
    total: pages.reduce((sum, { total }) => sum + total, 0),
    last: null,
  };
}

/** A resource that was deleted after its place was found is not listed. */
function toList(resource: JsonObject | undefined): JsonObject[] {
  return resource ? [resource] : [];
}

function offsetOf({ start }: ListRequest): number {
  return 'offset' in start ? start.offset : 0;
}
