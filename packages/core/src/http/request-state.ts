import type { Context } from 'koa';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';

/** Names the product and the version of the API (specification, "Versioning", rule 8). */
export const SERVER_HEADER = 'Probity-API/v1';

/** Identifiers that callers may give their requests (contract, section 9). */
const REQUEST_ID = /^[\w.:+/=@-]{8,128}$/;

const key = Symbol('probity.request');

interface RequestState {
  readonly requestId: string;
}

/** The caller's request identifier where it is safe to repeat, else a new one. */
export function requestIdOf(header: string | undefined, ids: Ids = createIds()): string {
  return header && REQUEST_ID.test(header) ? header : ids.next('req');
}

/**
 * Gives the request its identifier and the response the headers that every response carries.
 * Mounted routers and the program around them may all call it; the first one decides.
 */
export function openRequest(ctx: Context, ids: Ids): string {
  const state = ctx.state as Record<symbol, RequestState | undefined>;
  const known = state[key];
  if (known) return known.requestId;
  const requestId = requestIdOf(ctx.headers['x-request-id'] as string | undefined, ids);
  state[key] = { requestId };
  const { res } = ctx;
  res.setHeader('Server', SERVER_HEADER);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('X-Request-Id', requestId);
  return requestId;
}
