import { setImmediate } from 'node:timers/promises';
import type { CallContext } from '@probity/core';
import { ProbityError, toProbityError } from '@probity/core';
import { excerpt, scimError } from '../errors.ts';
import type { SearchedType } from '../lists/search.ts';
import { parseAttributes } from '../resources/projection.ts';
import type { SentResource } from '../resources/sent.ts';
import type { BulkOperation, BulkRequest } from './plan.ts';
import { resolveReferences } from './plan.ts';
import type { BulkQueue } from './queue.ts';
import { createBulkQueue } from './queue.ts';

/** What became of one operation. */
export interface BulkResult {
  readonly operation: BulkOperation;
  readonly status: number;
  /** Absolute; null for a POST that failed. */
  readonly location: string | null;
  readonly version: string | null;
  /** Null when the operation succeeded. */
  readonly error: ProbityError | null;
}

/** What bulk operations are done with. */
export interface BulkOptions {
  readonly types: readonly SearchedType[];
  /** URL of the SCIM interface, without a slash at its end. */
  readonly baseUrl: () => string;
}

/** Operations that are done before other requests are served. */
const OPERATIONS_AT_ONCE = 100;

/** Nothing of the resources is sent but their ids and versions, so nothing else is read. */
const ID_ONLY = parseAttributes({ attributes: 'id' });

/**
 * Does the operations of a bulk request one after the other, each in a transaction of its own (RFC 7644,
 * section 3.7). An operation that refers to another by its bulkId is done after it; operations that refer to each
 * other in a circle fail, as do those that refer to one that failed. After `failOnErrors` errors the rest is not done.
 * @returns the results of the operations that were done, in the order of the request
 */
export async function runBulk(
  { operations, failOnErrors }: BulkRequest,
  context: CallContext,
  options: BulkOptions,
): Promise<BulkResult[]> {
  const ids = new Map<string, string>();
  const results = new Map<BulkOperation, BulkResult>();
  const queue = createBulkQueue(operations);
  const maxErrors = failOnErrors === null ? Number.POSITIVE_INFINITY : Math.max(failOnErrors, 1);
  let errors = 0;
  while (errors < maxErrors) {
    const operation = queue.take();
    if (!operation) break;
    const outcome = await attempt(operation, { context, ids, queue, options });
    results.set(operation, outcome);
    // Operations that are refused do not wait for the storage.
    if (results.size % OPERATIONS_AT_ONCE === 0) await setImmediate();
    if (outcome.error) errors += 1;
  }
  return operations.flatMap((operation) => results.get(operation) ?? []);
}

interface Attempt {
  readonly context: CallContext;
  /** The ids of resources by the bulkId of the operation. */
  readonly ids: Map<string, string>;
  readonly queue: BulkQueue;
  readonly options: BulkOptions;
}

async function attempt(operation: BulkOperation, attempt: Attempt): Promise<BulkResult> {
  const { ids, options } = attempt;
  const { method, bulkId } = operation;
  const path = resolvedPath(operation.path, ids);
  const location = method === 'POST' ? null : options.baseUrl() + path;
  try {
    requireReferences(operation, attempt);
    const sent = await perform({ ...operation, path }, attempt);
    if (sent && bulkId !== null) ids.set(bulkId, sent.id);
    const status = method === 'POST' ? 201 : sent ? 200 : 204;
    const { Location, ETag } = sent?.headers ?? { Location: location, ETag: null };
    return { operation, status, location: Location, version: ETag, error: null };
  } catch (thrown) {
    const error = toProbityError(thrown);
    return { operation, status: error.status, location, version: null, error };
  }
}

function resolvedPath(path: string, ids: ReadonlyMap<string, string>): string {
  const parts = path.split('/');
  return parts.map((part) => String(resolveReferences(part, ids))).join('/');
}

function requireReferences({ references }: BulkOperation, { ids, queue }: Attempt): void {
  for (const reference of references) {
    if (ids.has(reference)) continue;
    const name = `bulkId:${reference}`;
    if (queue.has(reference)) {
      throw new ProbityError('conflict', `${excerpt(name)} is part of a circle of references`);
    }
    throw scimError('invalidValue', `${excerpt(name)} names no operation that succeeded`);
  }
}

const PATH = /^\/?([A-Za-z]+)(?:\/([^/]+))?\/?$/;

/** Returns what the operation leaves; null after a DELETE. */
async function perform(
  { method, path, data, version }: BulkOperation,
  { context, ids, options }: Attempt,
): Promise<SentResource | null> {
  const [, name = '', id] = PATH.exec(path) ?? [];
  const type = options.types.find(({ resourceType }) => resourceType.endpoint === `/${name}`);
  if (!type || (method === 'POST') !== (id === undefined)) {
    throw scimError('invalidValue', `path: ${excerpt(path)} does not go with ${method}`);
  }
  const { resources } = type;
  const body = resolveReferences(data, ids);
  if (method === 'POST') return resources.create(context, body, ID_ONLY);
  const preconditions = version === null ? {} : { ifMatch: version };
  const target = decode(id ?? '');
  if (method === 'DELETE') {
    await resources.remove(context, target, preconditions);
    return null;
  }
  const change = { body, projection: ID_ONLY, preconditions };
  return method === 'PUT'
    ? resources.replace(context, target, change)
    : resources.patch(context, target, change);
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
