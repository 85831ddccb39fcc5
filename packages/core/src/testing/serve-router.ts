import type { TestLifetime } from './http.ts';
import { serveKoa } from './http.ts';

/** A response with its parsed body; undefined where there was none. */
export interface Answer<Body> {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Body;
}

/** Sends a request with a JSON body as the owner of a token. */
export type Call<Body> = (
  method: string,
  path: string,
  body?: unknown,
  token?: string,
) => Promise<Answer<Body>>;

/** How a router is called. */
export interface ServeOptions {
  /** Path that the router stands under; default none. */
  readonly prefix?: string;
  /** The bearer token of calls that name none. */
  readonly token: string;
}

/** Serves a router on a real port until the test ends; answers the function that calls it. */
export async function serveRouter<Body = unknown>(
  test: TestLifetime,
  router: Parameters<typeof serveKoa>[1],
  { prefix = '', token: defaultToken }: ServeOptions,
): Promise<Call<Body>> {
  const address = await serveKoa(test, router);
  return async (method, path, body, token = defaultToken) => {
    const response = await fetch(`${address}${prefix}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, url, headers } = response;
    const text = await response.text();
    return { status, url, headers, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  };
}
