import { PipelineConfigError } from '../errors.ts';
import { checkCount } from '../stage-options.ts';
import { BackendError } from './backend-error.ts';
import { readJson } from './read-json.ts';
import { isWorthRetrying, retryAfterMs } from './retry-after.ts';

/** Where an OpenAI-compatible server is, and how long to wait for it. */
export interface HttpBackendOptions {
  /** Up to and with the version, such as `https://api.openai.com/v1`; http as well, for own servers. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; none where the server wants none. */
  readonly apiKey?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** For one call with all its retries. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** After a broken connection or the status 408, 429 or 5xx. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Time of day in milliseconds, timer and chance; defaults are those of the process. */
  readonly now?: (() => number) | undefined;
  readonly startTimer?: ((run: () => void, delayMs: number) => () => void) | undefined;
  readonly random?: (() => number) | undefined;
}

/** Posts JSON and gives the parsed JSON of the answer. */
export type PostJson = (body: unknown, signal: AbortSignal) => Promise<unknown>;

interface Client {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxBytes: number;
  readonly now: () => number;
  readonly startTimer: (run: () => void, delayMs: number) => () => void;
  readonly random: () => number;
}

const TIMEOUT_MS = 5_000;
const RETRIES = 2;
const FIRST_PAUSE_MS = 250;

/**
 * Makes the function that calls one path of the server. It rejects with a BackendError, or with the
 * signal's reason. Redirects are refused, as they would carry texts and key elsewhere.
 *
 * @param maxBytes the longest answer that is read
 * @throws PipelineConfigError naming the option at fault, never its value
 */
export function createPostJson(
  options: HttpBackendOptions,
  path: string,
  maxBytes: number,
): PostJson {
  const { apiKey, timeoutMs = TIMEOUT_MS, maxRetries = RETRIES } = options;
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new PipelineConfigError('apiKey', 'expected visible ASCII characters');
  }
  const client: Client = {
    url: toUrl(options.baseUrl, path),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: checkCount('timeoutMs', timeoutMs, 1, 2 ** 31 - 1),
    maxRetries: checkCount('maxRetries', maxRetries, 0, 10),
    maxBytes,
    now: options.now ?? Date.now,
    startTimer: options.startTimer ?? startTimer,
    random: options.random ?? Math.random,
  };
  return (body, signal) => post(client, JSON.stringify(body), signal);
}

/** Checks the name of a model. */
export function checkModel(model: unknown): string {
  if (typeof model === 'string' && model !== '') return model;
  throw new PipelineConfigError('model', 'expected a name');
}

function toUrl(baseUrl: string, path: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new PipelineConfigError('baseUrl', 'expected an http or https address');
  }
  if (url.username !== '' || url.password !== '') {
    throw new PipelineConfigError('baseUrl', 'must hold no user or password; use apiKey');
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url.href;
}

function startTimer(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

async function post(client: Client, body: string, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const late = new BackendError('timeout', `no response within ${client.timeoutMs} ms`);
  const cancel = () => controller.abort(signal.reason);
  const stopTimer = client.startTimer(() => controller.abort(late), client.timeoutMs);
  signal.addEventListener('abort', cancel, { once: true });
  // A `fetch` that ignores its signal must not delay the scan either.
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  try {
    return await Promise.race([tryRepeatedly(client, body, controller.signal), over]);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    stopTimer();
    signal.removeEventListener('abort', cancel);
  }
}

async function tryRepeatedly(client: Client, body: string, signal: AbortSignal): Promise<unknown> {
  const deadline = client.now() + client.timeoutMs;
  for (let retries = 0; ; retries++) {
    const response = await send(client, body, signal);
    if (response instanceof Response && response.ok) return readJson(response, client.maxBytes);
    const pauseMs =
      (response instanceof Response ? retryAfterMs(response.headers, client.now()) : undefined) ??
      FIRST_PAUSE_MS * 2 ** retries * (0.5 + client.random() / 2);
    const error = response instanceof Response ? await toError(response) : response;
    const late = client.now() + pauseMs >= deadline;
    if (retries >= client.maxRetries || late || !isWorthRetrying(error)) throw error;
    await pause(client, pauseMs, signal);
  }
}

/** The response, or what kept it from coming; the failure's own text could quote the request. */
async function send(
  { fetch, url, headers }: Client,
  body: string,
  signal: AbortSignal,
): Promise<Response | BackendError> {
  try {
    return await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  } catch {
    signal.throwIfAborted();
    return new BackendError('network', 'the server could not be reached, or closed the connection');
  }
}

async function toError(response: Response): Promise<BackendError> {
  await response.body?.cancel().catch(() => {});
  const { status } = response;
  return new BackendError('status', `the server answered with HTTP status ${status}`, status);
}

function pause({ startTimer }: Client, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = startTimer(resolve, delayMs);
    signal.addEventListener(
      'abort',
      () => {
        stop();
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
