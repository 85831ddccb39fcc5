import type { Position } from '../resources/types.ts';
import type { JsonObject } from '../schemas/types.ts';
import { toCursor } from './cursor.ts';
import type { ListRequest } from './request.ts';

/** URN of list responses. */
const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A page of resources as it is sent, and the position of the last one. */
export interface SentPage {
  readonly resources: readonly JsonObject[];
  readonly total: number;
  readonly last: Position | null;
}

/** A list response (RFC 7644, section 3.4.2; RFC 9865). */
export interface ListResponse {
  readonly schemas: string[];
  readonly totalResults: number;
  readonly itemsPerPage: number;
  readonly startIndex?: number;
  readonly nextCursor?: string;
  readonly Resources?: JsonObject[];
}

/** The response to a list request. `nextCursor` is there only where a cursor was asked for. */
export function toListResponse(
  { startIndex, start, count, key }: ListRequest,
  { resources, total, last }: SentPage,
): ListResponse {
  const page = {
    schemas: [LIST_RESPONSE],
    totalResults: total,
    itemsPerPage: resources.length,
    Resources: [...resources],
  };
  if (startIndex !== null) return { ...page, startIndex };
  if (key === null) return page;
  // A full page may be the last one; the page after it is empty then and has no cursor.
  const isLast = resources.length < count || count === 0;
  if ('offset' in start) {
    const offset = start.offset + resources.length;
    return offset >= total || isLast ? page : { ...page, nextCursor: toCursor({ offset }, key) };
  }
  return isLast ? page : { ...page, nextCursor: toCursor({ after: last }, key) };
}

/** A list of all there is, such as that of the schemas. */
export function toWholeList(resources: readonly JsonObject[]): ListResponse {
  const { length } = resources;
  return {
    schemas: [LIST_RESPONSE],
    totalResults: length,
    itemsPerPage: length,
    startIndex: 1,
    Resources: [...resources],
  };
}
