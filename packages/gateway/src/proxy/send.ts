import { setTimeout as delay } from 'node:timers/promises';
import { ProbityError } from '@probity/core';
import pRetry from 'p-retry';
import type { Dispatcher } from 'undici';
import type { ModelLimits } from '../limits/model-limits.ts';
import { failModelAttempt, startModelAttempt } from '../tracing/model-spans.ts';
import type { TraceSpan } from '../tracing/tracing.ts';
import type { ModelRoute } from './model-routes.ts';
import { entryNameOf, upstreamModel } from './model-routes.ts';
import type { ProxyProtocol } from './protocols.ts';
import { upstreamError } from './provider-errors.ts';
import { faultOf, proxyError } from './proxy-error.ts';
import type { Upstream } from './upstream.ts';
import { targetOf } from './upstream-target.ts';

/** What a call is sent with. */
export interface SendOptions {
  readonly upstream: Upstream;
  readonly limits: ModelLimits;
  readonly protocol: ProxyProtocol;
  /** The model that was asked for, and those that may answer in its place, in order. */
  readonly routes: readonly ModelRoute[];
  /** The body for a model of this name. */
  bodyFor(model: string): Promise<string | Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Further attempts for one model. */
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
  /** The span of the request; each attempt has one below it. */
  readonly trace: TraceSpan | undefined;
  onAttempt(): void;
  /** Is told of an attempt after which another one may be made. */
  onFailed(route: ModelRoute, error: ProbityError): void;
}

/** An answer, and who gave it. */
export interface SentCall {
  readonly route: ModelRoute;
  readonly response: Dispatcher.ResponseData;
  /** The span of the attempt that was answered; it lasts as long as the answer. */
  readonly span: TraceSpan | undefined;
}

/** Statuses that may pass by themselves. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504, 529]);
/** What another attempt would not change: it costs as much again, or the gateway's credentials are wrong. */
const LASTING = new Set([
  ...['upstream_timeout', 'upstream_refused', 'model_rate_limit'],
  'provider_without_address',
]);
const BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 2_000;
/** A provider that wants more time is left for the next one. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Sends a call to the first model that takes it: some attempts for each, before the next one.
 *
 * @throws ProbityError that of the first model: what a model in its place says may be of its own interface alone
 */
export async function sendCall(options: SendOptions): Promise<SentCall> {
  const { routes, signal } = options;
  let failure: unknown;
  let number = 0;
  // Whatever the model in place of another one refuses, the next one may take.
  const isPassedOver = (error: unknown, route: ModelRoute): error is ProbityError =>
    mayFallBack(error) || (route !== routes[0] && error instanceof ProbityError);
  for (const route of routes) {
    const attempt = async () => {
      options.onAttempt();
      try {
        const { response, span } = await sendOnce(options, route, ++number);
        return { route, response, span };
      } catch (error) {
        if (!signal?.aborted && isPassedOver(error, route)) options.onFailed(route, error);
        throw error;
      }
    };
    try {
      return await tryAgain(options, attempt);
    } catch (error) {
      failure ??= error;
      if (signal?.aborted || !isPassedOver(error, route)) throw error;
    }
  }
  throw failure;
}

/** Most first attempts succeed: what further ones are made with is made where the first has failed. */
async function tryAgain<Sent>(
  { retries, signal }: SendOptions,
  attempt: () => Promise<Sent>,
): Promise<Sent> {
  signal?.throwIfAborted();
  let first: Promise<Sent> | undefined = attempt();
  try {
    return await first;
  } catch {
    const next = () => {
      const failed = first;
      first = undefined;
      return failed ?? attempt();
    };
    return pRetry(next, {
      retries,
      minTimeout: BACKOFF_MS,
      maxTimeout: LONGEST_BACKOFF_MS,
      randomize: true,
      ...(signal && { signal }),
      shouldRetry: ({ error }) => !signal?.aborted && isWorthAnother(error),
      onFailedAttempt: ({ error, retriesLeft }) =>
        retriesLeft > 0 && isWorthAnother(error) ? waitAsAsked(error, signal) : undefined,
    });
  }
}

async function sendOnce(options: SendOptions, route: ModelRoute, number: number) {
  const { protocol, limits, upstream, headers, timeoutMs, signal } = options;
  const waitMs = await limits.takeCall(entryNameOf(route), route.requestsPerMinute);
  if (waitMs > 0) throw modelLimited(route, waitMs);
  const body = await options.bodyFor(upstreamModel(route));
  const target = targetOf(route, protocol.path, protocol.credential);
  const attempt = { route, number, path: protocol.path, origin: target.url };
  const span = startModelAttempt(options.trace, attempt);
  const sent = span ? { ...headers, ...span.headers } : headers;
  try {
    const response = await upstream.send({ target, headers: sent, body, timeoutMs, signal });
    const { statusCode } = response;
    span?.set({ 'http.response.status_code': statusCode });
    if (statusCode < 200 || statusCode > 299) throw await upstreamError(response, route);
    return { response, span };
  } catch (error) {
    failModelAttempt(span, error);
    throw error;
  }
}

function modelLimited(route: ModelRoute, waitMs: number) {
  const seconds = Math.ceil(waitMs / 1_000);
  const most = `${route.requestsPerMinute} requests a minute`;
  const message = `The model ${route.modelId} takes ${most}; try again in ${seconds} s.`;
  const fault = { status: 429, message, type: 'requests', code: 'model_rate_limit' };
  return proxyError(fault, { 'Retry-After': String(seconds) });
}

function isWorthAnother(error: unknown): boolean {
  if (!mayFallBack(error)) return false;
  const { code } = faultOf(error as ProbityError, 0);
  return !LASTING.has(code ?? '') && askedWaitMs(error) <= LONGEST_WAIT_MS;
}

function mayFallBack(error: unknown): error is ProbityError {
  return error instanceof ProbityError && PASSING.has(error.status);
}

async function waitAsAsked(error: unknown, signal: AbortSignal | undefined): Promise<void> {
  const waitMs = askedWaitMs(error);
  if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => undefined);
}

function askedWaitMs(error: unknown): number {
  const { headers } = error as ProbityError;
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(ms)) return ms;
  const seconds = Number(headers['retry-after'] ?? 0);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}
