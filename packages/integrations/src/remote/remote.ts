import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Dialer, Metrics } from '@probity/core';
import pRetry from 'p-retry';
import { readAnswer } from './answer.ts';
import { RemoteFailure } from './failure.ts';
import { INTEGRATION_REQUESTS } from './metrics.ts';
import type { OAuthClient } from './oauth.ts';
import { requestToken } from './oauth.ts';
import { createTokenCache } from './tokens.ts';

/** A request to a system of a client. */
interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** The retries within one call. */
export interface BackOff {
  readonly retries: number;
  /** Of the first retry, in milliseconds; doubled for each further one, and randomized. */
  readonly minTimeoutMs: number;
}

/** Limits of one call. */
export interface CallOptions {
  /** Milliseconds for everything: token, request and retries; default {@link CALL_LIMIT_MS}. */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Authorized calls to external systems, over the safe dialer. */
export interface Remote {
  /**
   * Gets a new token from the endpoint, which proves the credentials.
   * @throws RemoteFailure
   */
  verify(client: OAuthClient, options?: CallOptions): Promise<void>;
  /**
   * Sends a request with the client's token, and once more with a new token after 401. Repeats it while the system
   * cannot be reached or asks for a short pause; a POST is not repeated when it may have taken effect.
   *
   * @returns the JSON object of the answer
   * @throws RemoteFailure
   */
  call(
    client: OAuthClient,
    request: RemoteRequest,
    options?: CallOptions,
  ): Promise<Record<string, unknown>>;
}

/** Dependencies of the calls. */
export interface RemoteOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly dialer: Dialer;
  /** Default {@link BACK_OFF}. */
  readonly backOff?: BackOff | undefined;
}

/** Milliseconds of a call, unless its caller says otherwise. */
const CALL_LIMIT_MS = 10_000;
/** The default retries within a call. */
const BACK_OFF: BackOff = Object.freeze({ retries: 2, minTimeoutMs: 250 });

/** A request for a token is shared, so that it has a limit of its own. */
const TOKEN_LIMIT_MS = 8_000;
/** Longer pauses that a system asks for are left to whoever calls. */
const MAX_PAUSE_MS = 2_000;
const MAX_RESPONSE_BYTES = 1_048_576;
const USER_AGENT = 'Probity-Integrations/1';

/** Creates the calls, with a cache of tokens. */
export function createRemote({
  clock,
  metrics,
  dialer,
  backOff = BACK_OFF,
}: RemoteOptions): Remote {
  const now = () => clock.now();
  const tokens = createTokenCache(clock, (client) =>
    requestToken(dialer, client, { timeoutMs: TOKEN_LIMIT_MS, now }),
  );

  const dial = async (
    client: OAuthClient,
    { method, url, json }: RemoteRequest,
    token: string,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
  ) => {
    const result = await dialer.request({
      url,
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'user-agent': USER_AGENT,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
    });
    const isRepeatable = method === 'GET';
    return readAnswer(result, { isRepeatable, now: now(), secret: client.clientSecret });
  };

  const withRetries = async <T>(
    work: (remainingMs: () => number) => Promise<T>,
    { limitMs = CALL_LIMIT_MS }: CallOptions,
  ): Promise<T> => {
    const endsAtMs = clock.monotonicMs() + limitMs;
    const leftMs = () => Math.ceil(endsAtMs - clock.monotonicMs());
    const remainingMs = () => {
      const left = leftMs();
      if (left > 0) return left;
      throw new RemoteFailure('unanswered', `No answer within ${limitMs} ms`);
    };
    return pRetry(() => work(remainingMs), {
      retries: backOff.retries,
      minTimeout: backOff.minTimeoutMs,
      randomize: true,
      shouldRetry: ({ error }) => isRepeated(error) && leftMs() > pauseOf(error),
      onFailedAttempt: ({ error, retriesLeft }) =>
        retriesLeft > 0 && isRepeated(error) ? sleep(pauseOf(error)) : undefined,
    });
  };

  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const answer = await work();
      metrics.count(INTEGRATION_REQUESTS, { result: 'success' });
      return answer;
    } catch (error) {
      const result = error instanceof RemoteFailure ? error.kind : 'error';
      metrics.count(INTEGRATION_REQUESTS, { result });
      throw error;
    }
  };

  return {
    verify: (client, options = {}) =>
      counted(() =>
        withRetries(async (remainingMs) => {
          const { signal } = options;
          await requestToken(dialer, client, { timeoutMs: remainingMs(), now, signal });
        }, options),
      ),
    call: (client, request, options = {}) =>
      counted(() =>
        withRetries(async (remainingMs) => {
          const send = (token: string) =>
            dial(client, request, token, { timeoutMs: remainingMs(), signal: options.signal });
          const token = await tokens.get(client);
          try {
            return await send(token);
          } catch (error) {
            if (!(error instanceof RemoteFailure) || error.status !== 401) throw error;
            tokens.forget(client, token);
            return await send(await tokens.get(client));
          }
        }, options),
      ),
  };
}

/** Whether a call tries again after the failure. */
function isRepeated(error: Error): boolean {
  if (!(error instanceof RemoteFailure)) return false;
  return error.isTransient && !error.mayHaveTakenEffect && error.retryAfterMs <= MAX_PAUSE_MS;
}

function pauseOf(error: Error): number {
  return error instanceof RemoteFailure ? error.retryAfterMs : 0;
}
