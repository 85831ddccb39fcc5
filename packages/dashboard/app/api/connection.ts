import { signal } from '@preact/signals';
import type { ProbityApi } from '@probity/client';
import { createClient } from '@probity/client';

/** Where the mount of the dashboard is; every address of a page is relative to it. */
export const mount = new URL('.', document.baseURI);

/** Where the APIs are. */
const apiUrl = new URL(metaOf('probity-api') || '../', mount);
const [general = '', platform] = (metaOf('probity-paths') || '/api/v1 /v1').split(' ');

/** Whether the server has accounts; elsewhere people sign in to the host's application. */
export const hasPlatform = platform !== undefined;

/** The reference page of the API. */
export const docsUrl = hasPlatform ? toUrl('/docs') : toGeneralUrl('/docs');

/** The OpenAPI document of a host's application, which lists its operations. */
export const documentUrl = toGeneralUrl('/openapi.json');

/** Whether the session has ended while a page was open: the page stays and a dialog asks to sign in again. */
export const hasEnded = signal(false);

const COOKIE = '__Host-probity_csrf';
const CHANNEL = 'probity-session';
const channel = new BroadcastChannel(CHANNEL);

/** The CSRF token that the browser keeps for this host, or null without a session. */
export function csrfToken(): string | null {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${COOKIE}=`));
  return pair?.slice(COOKIE.length + 1) || null;
}

/** The API, called with the session of this browser. */
export const api: ProbityApi = createApi(fetchWithSession);

/** The API for a call whose body is a file, which the browser reads while it is sent. */
export function withFile(file: File, type: string): ProbityApi {
  return createApi((input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Content-Type', type);
    return fetchWithSession(input, { ...init, headers, body: file });
  });
}

function createApi(fetch: typeof globalThis.fetch): ProbityApi {
  return createClient({
    baseUrl: apiUrl,
    paths: { general, ...(platform === undefined ? {} : { platform }) },
    fetch,
    retries: 2,
  });
}

/** Tells the other windows that the person signed in or out. */
export function tellWindows(change: 'signed-in' | 'signed-out'): void {
  channel.postMessage(change);
}

channel.addEventListener('message', ({ data }) => {
  if (data === 'signed-out') hasEnded.value = true;
  if (data === 'signed-in') hasEnded.value = false;
});

async function fetchWithSession(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const before = csrfToken();
  const response = await fetch(input, withToken(init, before));
  if (response.status !== 401 || isSignIn(input)) return response;
  if (!hasPlatform) {
    hasEnded.value = true;
    return response;
  }
  if (before === null) return response;
  if (await renew(before)) return fetch(input, withToken(init, csrfToken()));
  hasEnded.value = true;
  return response;
}

function withToken(init: RequestInit, token: string | null): RequestInit {
  const headers = new Headers(init.headers);
  if (token !== null) headers.set('X-CSRF-Token', token);
  return { ...init, credentials: 'same-origin', headers };
}

function isSignIn(input: RequestInfo | URL): boolean {
  return /\/auth\/(login|refresh|logout)$/.test(new URL(String(input), mount).pathname);
}

/** Renews the session, once for all windows. Resolves to false when it has ended. */
async function renew(used: string): Promise<boolean> {
  return navigator.locks.request('probity-renew', async () => {
    // Another window, or another call of this one, was faster.
    if (csrfToken() !== used) return csrfToken() !== null;
    const url = toUrl(`${platform}/auth/refresh`);
    const response = await fetch(url, withToken({ method: 'POST' }, used));
    return response.ok || response.status === 409;
  });
}

/** An address of the general API. */
export function toGeneralUrl(path: string): URL {
  return toUrl(general + path);
}

function metaOf(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content;
}

function toUrl(path: string): URL {
  return new URL(path.slice(1), apiUrl);
}
