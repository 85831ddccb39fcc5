import cors from '@koa/cors';
import type { Middleware } from 'koa';

/** What pages may read of an answer besides its body. */
const EXPOSED = [
  ...[
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
  ],
  ...['ETag', 'Location', 'Content-Disposition', 'Deprecation', 'Sunset', 'Link'],
];

/** Time in seconds for which a browser keeps the answer to a preflight request. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of these origins call the API (CORS, Fetch Standard, section 3.2): with a bearer token, not with
 * the cookies of a session, which belong to the pages of this server. Nothing where there are no origins.
 * @param exposed further headers that pages may read
 */
export function allowOrigins(
  origins: readonly string[],
  exposed: readonly string[] = [],
): Middleware[] {
  if (origins.length === 0) return [];
  const allowed = new Set(origins);
  return [
    cors({
      origin: (ctx) => (allowed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
      exposeHeaders: [...EXPOSED, ...exposed],
      maxAge: PREFLIGHT_SECONDS,
    }),
  ];
}
