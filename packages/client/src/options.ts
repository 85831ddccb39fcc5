import type { CallOptions } from './call-options.ts';
import type { Timing } from './timing.ts';
import { systemTiming } from './timing.ts';

/** Headers that a client adds to every request, or a function that is asked before each attempt. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * Address of the server, such as `https://probity.acme.example`, or of an application that embeds it; with the path
   * of a proxy where it has one, without `/api/v1`. A slash at the end makes no difference.
   */
  readonly baseUrl: string | URL;
  /**
   * `pbk_…`, or a function that returns it and is asked before each attempt. Absent where cookies or
   * `headers` authenticate the caller.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * Path prefixes below `baseUrl`; default `/api/v1` for the general and `/v1` for the platform API.
   * An application that embeds Probity at `/probity` has `{ general: '/probity' }`.
   */
  readonly paths?:
    | { readonly general?: string | undefined; readonly platform?: string | undefined }
    | undefined;
  /** Headers of every request, such as the `X-CSRF-Token` of a session with cookies. */
  readonly headers?: HeaderSource | undefined;
  /** Default: `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often a failed attempt is repeated where that is safe; default 4. */
  readonly retries?: number | undefined;
  /** Milliseconds that one attempt may take; for streams, that may pass without data; default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** The longest Retry-After in milliseconds that is waited for; default 60,000. */
  readonly maxRetryDelayMs?: number | undefined;
  /** Largest answer that is held in memory, and largest event or line of a stream; default 32 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Put before the client's own name in User-Agent, which browsers do not let it set. */
  readonly userAgent?: string | undefined;
  /** As in {@link CallOptions}. */
  readonly onResponse?: CallOptions['onResponse'];
  /** Replaced in tests; default: clock, timers and random numbers of the system. */
  readonly timing?: Timing | undefined;
}

/** {@link ClientOptions}, checked and with defaults. */
export interface ClientSettings {
  /** Prefix of each interface, without a slash at the end. */
  readonly prefixes: Readonly<Record<'general' | 'platform' | 'root', string>>;
  readonly credential: () => Promise<string | null>;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly fetch: typeof globalThis.fetch;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly maxRetryDelayMs: number;
  readonly maxResponseBytes: number;
  readonly userAgent: string;
  readonly onResponse: CallOptions['onResponse'];
  readonly timing: Timing;
}

const GENERAL_PATH = '/api/v1';

/** Checks the options once and fills in the defaults. @throws TypeError naming the option */
export function settingsOf(options: ClientOptions): ClientSettings {
  const base = baseOf(options.baseUrl);
  const { apiKey, headers = {}, paths = {} } = options;
  if (paths.general === undefined) requireNoApiPath(base);
  const general = pathOf('paths.general', paths.general ?? GENERAL_PATH);
  const fixedKey = typeof apiKey === 'string' ? checkKey(apiKey) : null;
  return Object.freeze({
    prefixes: Object.freeze({
      general: base + general,
      platform: base + pathOf('paths.platform', paths.platform ?? '/v1'),
      // An application has the status beside the other endpoints.
      root: base + general.replace(/\/api\/v1$/, '/api'),
    }),
    credential: async () => (typeof apiKey === 'function' ? checkKey(await apiKey()) : fixedKey),
    headers: async () => (typeof headers === 'function' ? await headers() : headers),
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    retries: wholeNumber('retries', options.retries ?? 4, 0),
    timeoutMs: wholeNumber('timeoutMs', options.timeoutMs ?? 60_000, 1),
    maxRetryDelayMs: wholeNumber('maxRetryDelayMs', options.maxRetryDelayMs ?? 60_000, 0),
    maxResponseBytes: wholeNumber('maxResponseBytes', options.maxResponseBytes ?? 33_554_432, 1),
    userAgent: options.userAgent ?? '',
    onResponse: options.onResponse,
    timing: options.timing ?? systemTiming,
  });
}

/** @throws TypeError naming the option */
export function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new TypeError(`${name} must be a whole number of at least ${least}`);
}

function baseOf(baseUrl: string | URL): string {
  const url = parseUrl(baseUrl);
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must have no user name, password, query or fragment');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function requireNoApiPath(base: string): void {
  if (!base.endsWith(GENERAL_PATH)) return;
  const address = base.slice(0, -GENERAL_PATH.length);
  throw new TypeError(`baseUrl must be the address without ${GENERAL_PATH}: ${address}`);
}

function parseUrl(baseUrl: string | URL): URL {
  try {
    const url = new URL(baseUrl);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Answered below: the message of the parser has the value, which may have a password.
  }
  throw new TypeError('baseUrl must be an address with http: or https:');
}

function pathOf(name: string, path: string): string {
  if (/^(\/[\w.~-]+)*\/?$/.test(path)) return path.replace(/\/$/, '');
  throw new TypeError(`${name} must be a path such as /probity`);
}

/** The message has no part of the key: it may end in a log. */
function checkKey(apiKey: unknown): string {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('apiKey must be a text of visible ASCII characters');
}
