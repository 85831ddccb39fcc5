import { errorOfAnswer } from './error-answer.ts';
import { ConnectionError, ProbityError, ResponseError, TimeoutError } from './errors.ts';
import { CLIENT_VERSION } from './generated/operations.ts';
import type { ClientSettings } from './options.ts';
import type { ReadTimer } from './read-body.ts';
import { readText } from './read-body.ts';
import type { Call } from './request.ts';

/** An answer with success whose body has not been read. */
export interface OpenAnswer extends ReadTimer {
  readonly response: Response;
  /** Method and address of the request, without its query, for messages. */
  readonly route: string;
  /** Ends the time limit; with a reason also the connection. */
  readonly close: (reason?: unknown) => void;
  /** The error to throw in place of one that fetch or the body threw. */
  readonly toError: (thrown: unknown) => unknown;
}

/** How much of an answer with an error is read. */
const MAX_ERROR_BYTES = 1_048_576;

/**
 * Sends a request once.
 * @throws ProbityError for every answer but success, and for none
 */
export async function attemptOnce(
  call: Call,
  settings: ClientSettings,
  attempt: number,
): Promise<OpenAnswer> {
  const { operation, url, body, options } = call;
  const credential = operation.isPublic ? null : await settings.credential();
  const headers = await headersOf(call, settings, credential);
  const route = `${operation.method} ${url.replace(/\?.*$/, '')}`;
  const scope = openScope(route, settings, options);
  try {
    const response = await settings.fetch(url, {
      method: operation.method,
      headers,
      ...(typeof body === 'string' ? { body } : {}),
      // `duplex` is not in the types of the DOM; without it a stream is refused.
      ...(typeof body === 'function' ? { body: body(scope.signal), duplex: 'half' } : {}),
      // A redirect could lead to another origin, which must not get the credential.
      redirect: 'manual',
      signal: scope.signal,
    });
    const { onResponse = settings.onResponse } = options;
    onResponse?.({
      operationId: operation.id,
      status: response.status,
      headers: response.headers,
      requestId: response.headers.get('x-request-id'),
      attempt,
    });
    requireNoRedirect(response, route);
    if (response.ok) return { response, route, ...scope };
    const text = await readText(response, { maxBytes: MAX_ERROR_BYTES, route });
    throw errorOfAnswer({
      status: response.status,
      headers: response.headers,
      text,
      credential,
      route,
      now: settings.timing.now(),
    });
  } catch (thrown) {
    const error = scope.toError(thrown);
    scope.close(error);
    throw error;
  }
}

type Scope = Omit<OpenAnswer, 'response' | 'route'> & { readonly signal: AbortSignal };

/** The time limit of an attempt together with the signal of the caller. */
function openScope(
  route: string,
  { timeoutMs: usualMs, timing }: ClientSettings,
  { signal, timeoutMs = usualMs }: Call['options'],
): Scope {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timeout = new TimeoutError(`${route} had no answer within ${timeoutMs} ms.`, {
    code: 'timeout',
  });
  const start = () => timing.deadline(timeoutMs, () => controller.abort(timeout));
  let cancel = start();
  return {
    signal: controller.signal,
    startTimer() {
      cancel();
      cancel = start();
    },
    stopTimer: () => cancel(),
    close(reason) {
      cancel();
      signal?.removeEventListener('abort', abort);
      if (reason !== undefined) controller.abort(reason);
    },
    toError(thrown) {
      if (signal?.aborted) return signal.reason;
      if (controller.signal.aborted) return controller.signal.reason;
      if (thrown instanceof ProbityError) return thrown;
      const message = `${route} had no answer: the connection failed.`;
      return new ConnectionError(message, { code: 'connection_failed', cause: thrown });
    },
  };
}

/** The credential last, so that no other header replaces it. */
async function headersOf(
  { body, idempotencyKey, options }: Call,
  settings: ClientSettings,
  credential: string | null,
): Promise<Headers> {
  const headers = new Headers({ ...(await settings.headers()), ...options.headers });
  if (!headers.has('accept')) headers.set('accept', '*/*');
  if (typeof body === 'string') headers.set('content-type', 'application/json');
  else if (body !== undefined) headers.set('content-type', 'application/x-ndjson');
  if (idempotencyKey !== null) headers.set('idempotency-key', idempotencyKey);
  // Browsers set their own, and one of a page can make a request need a preflight.
  if ('process' in globalThis) {
    headers.set('user-agent', `${settings.userAgent} probity-client/${CLIENT_VERSION}`.trim());
  }
  if (credential !== null) headers.set('authorization', `Bearer ${credential}`);
  return headers;
}

/** Browsers do not tell where a redirect leads. */
function requireNoRedirect({ type, status, headers }: Response, route: string): void {
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return;
  const target = originOf(headers.get('location'));
  throw new ResponseError(
    `${route} was answered with a redirect${target ? ` to ${target}` : ''}, which is not followed: ` +
      'the API sends none. Is baseUrl right?',
    { code: 'redirect_refused', status: status === 0 ? null : status },
  );
}

function originOf(location: string | null): string | null {
  try {
    return location === null ? null : new URL(location).origin;
  } catch {
    return null;
  }
}
