import { ProbityError } from '@probity/core';
import { excerpt, scimError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../schemas/types.ts';
import { MAX_BULK_OPERATIONS } from './limits.ts';

/** URN of bulk responses. */
export const BULK_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** One operation of a bulk request, its members read but not its data. */
export interface BulkOperation {
  readonly method: (typeof METHODS)[number];
  readonly bulkId: string | null;
  readonly version: string | null;
  /** `/Users`, or `/Users/{id}`; the id may be a reference, `bulkId:…`. */
  readonly path: string;
  readonly data: JsonValue;
  /** The bulkIds of other operations that the path and the data refer to. */
  readonly references: readonly string[];
}

/** A bulk request (RFC 7644, section 3.7). */
export interface BulkRequest {
  /** Number of errors after which no further operation is done; null for no limit. */
  readonly failOnErrors: number | null;
  readonly operations: readonly BulkOperation[];
}

/**
 * Reads a bulk request; names of members may have any letter case.
 * @throws ProbityError `invalidSyntax` and `invalidValue` naming the operation; `payload_too_large` for too many
 */
export function parseBulkRequest(body: JsonObject): BulkRequest {
  const { failonerrors = null, operations } = lowerCased(body);
  if (!Array.isArray(operations)) throw scimError('invalidSyntax', 'Operations: it must be a list');
  if (operations.length > MAX_BULK_OPERATIONS) {
    const message = `Operations: there are ${operations.length}, more than ${MAX_BULK_OPERATIONS}`;
    throw new ProbityError('payload_too_large', message);
  }
  const parsed = operations.map(parseOperation);
  requireUniqueIds(parsed);
  return { failOnErrors: parseFailOnErrors(failonerrors), operations: parsed };
}

function parseFailOnErrors(value: JsonValue): number | null {
  if (value === null) return null;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw scimError('invalidValue', 'failOnErrors: it must be an integer of at least 0');
}

function parseOperation(value: JsonValue, index: number): BulkOperation {
  const name = `Operations[${index}]`;
  if (!isObject(value)) throw scimError('invalidSyntax', `${name}: it must be an object`);
  const { method, bulkid = null, version = null, path, data = null } = lowerCased(value);
  const known = METHODS.find((each) => each === String(method).toUpperCase());
  if (!known) throw scimError('invalidSyntax', `${name}.method: it must be ${METHODS.join(', ')}`);
  if (typeof path !== 'string') throw scimError('invalidSyntax', `${name}.path: it must be a text`);
  const bulkId = textOrNull(bulkid, `${name}.bulkId`);
  if (known === 'POST' && bulkId === null) {
    throw scimError('invalidSyntax', `${name}.bulkId: a POST must have one`);
  }
  if (known !== 'DELETE' && !isObject(data)) {
    throw scimError('invalidSyntax', `${name}.data: it must be an object`);
  }
  const references = new Set<string>();
  collectReferences(data, references);
  const inPath = referenceOf(path.split('/').at(-1) ?? '');
  if (inPath !== null) references.add(inPath);
  return {
    method: known,
    bulkId,
    version: textOrNull(version, `${name}.version`),
    path,
    data,
    references: [...references],
  };
}

function textOrNull(value: JsonValue, name: string): string | null {
  if (value === null || typeof value === 'string') return value;
  throw scimError('invalidSyntax', `${name}: it must be a text`);
}

function requireUniqueIds(operations: readonly BulkOperation[]): void {
  const known = new Set<string>();
  for (const { bulkId } of operations) {
    if (bulkId === null) continue;
    if (known.has(bulkId)) {
      throw scimError('invalidSyntax', `bulkId: ${excerpt(bulkId)} is given twice`);
    }
    known.add(bulkId);
  }
}

const REFERENCE = /^bulkId:(.+)$/is;

/** The bulkId that a text refers to, or null. */
function referenceOf(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null;
}

function collectReferences(value: JsonValue, references: Set<string>): void {
  if (typeof value === 'string') {
    const reference = referenceOf(value);
    if (reference !== null) references.add(reference);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectReferences(member, references);
  }
}

/** The data with the ids that references stand for. */
export function resolveReferences(value: JsonValue, ids: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return ids.get(referenceOf(value) ?? '') ?? value;
  if (Array.isArray(value)) return value.map((each) => resolveReferences(each, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, resolveReferences(member, ids)]),
  );
}

function lowerCased(object: JsonObject): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
