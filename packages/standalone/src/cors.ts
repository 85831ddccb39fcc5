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
 * Parses comma separated origins of pages, such as `https://app.example.com`.
 * @throws Error that names the first one that is none
 */
export function parseOrigins(text: string): readonly string[] {
  const origins = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  for (const origin of origins) {
    const url = URL.canParse(origin) ? new URL(origin) : null;
    if (url && /^https?:$/.test(url.protocol) && url.origin === origin) continue;
    throw new Error(
      `must be origins such as https://app.example.com, without a path, not ${JSON.stringify(origin)}`,
    );
  }
  return origins;
}

/**
 * Lets pages of these origins call the API (CORS, Fetch Standard, section 3.2): with a bearer token, not with
 * the cookies of a session, which belong to the pages of this server. Nothing where there are no origins.
 */
export function allowOrigins(origins: readonly string[]): Middleware[] {
  if (origins.length === 0) return [];
  const allowed = new Set(origins);
  return [
    cors({
      origin: (ctx) => (allowed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
      exposeHeaders: EXPOSED,
      maxAge: PREFLIGHT_SECONDS,
    }),
  ];
}
