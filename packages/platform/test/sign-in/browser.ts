import assert from 'node:assert/strict';

/** Options of a browser request. */
interface BrowserRequest {
  readonly body?: unknown;
  /** By default the page's own script adds X-CSRF-Token, as the dashboard does. */
  readonly csrf?: string | null;
  readonly headers?: Record<string, string>;
}

/** The browser of one person: stores cookies and sends them back. */
export interface Browser {
  readonly cookies: Map<string, string>;
  /** The header Set-Cookie of the last response that had one. */
  setCookies(): readonly string[];
  send(method: string, path: string, request?: BrowserRequest): Promise<Response>;
  /** Opens a second window with the present cookies, but none that are set later. */
  copy(): Browser;
}

/** Creates a browser for `/v1` of the server. */
export function createBrowser(url: string, cookies = new Map<string, string>()): Browser {
  let last: readonly string[] = [];
  return {
    cookies,
    setCookies: () => last,
    copy: () => createBrowser(url, new Map(cookies)),
    async send(method, path, { body, csrf, headers } = {}) {
      const token = csrf === undefined ? cookies.get('__Host-probity_csrf') : csrf;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(`${url}/v1${path}`, {
        method,
        headers: {
          'user-agent': 'Test browser',
          ...(cookie ? { cookie } : {}),
          ...(token ? { 'x-csrf-token': token } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const set = response.headers.getSetCookie();
      if (set.length > 0) last = set;
      for (const line of set) keep(cookies, line);
      return response;
    },
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  assert.notEqual(name, '');
  if (/;\s*max-age=0\b/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}
