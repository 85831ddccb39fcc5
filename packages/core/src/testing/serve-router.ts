import type { TestLifetime } from './http.ts';
import { serveKoa } from './http.ts';

/** A response with its parsed body; undefined when it has none. */
export interface Answer<Body> {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Body;
}

/** Sends a request with a JSON body and a bearer token. */
export type Call<Body> = (
  method: string,
  path: string,
  body?: unknown,
  token?: string,
) => Promise<Answer<Body>>;

/** Options of the calls to a router. */
export interface ServeOptions {
  /** Path prefix of the router; default none. */
  readonly prefix?: string;
  /** Bearer token of calls that specify none. */
  readonly token: string;
}

/** Serves a router on a real port until the test ends; returns the function that calls it. */
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
