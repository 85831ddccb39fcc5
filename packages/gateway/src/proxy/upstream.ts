import type { ProbityError } from '@probity/core';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import type { UpstreamTarget } from './model-routes.ts';
import { proxyError } from './proxy-error.ts';

/** Sends calls to providers over connections that are kept. It outlives reloads. */
export interface Upstream {
  /**
   * Sends a call, and resolves with the head of the answer.
   *
   * @throws ProbityError with status 502 where there is no connection, 504 where the provider does not answer in time
   */
  send(call: UpstreamCall): Promise<Dispatcher.ResponseData>;
  /** Ends when the calls in progress have. */
  close(): Promise<void>;
}

/** A call to a provider. */
interface UpstreamCall {
  readonly target: UpstreamTarget;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Options of the connections to providers. */
export interface UpstreamOptions {
  /** Certificates that are trusted instead of those of Node (PEM). */
  readonly ca?: string | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
const KEPT_MS = 60_000;
/** What is packed could not be scanned. */
const UNPACKED = Object.freeze({ 'accept-encoding': 'identity' });

/** Opens no connection before the first call. */
export function createUpstream({ ca }: UpstreamOptions = {}): Upstream {
  const agent = new Agent({
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: KEPT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...(ca !== undefined && { ca }) },
  });
  return {
    async send({ target: { url, headers }, timeoutMs, signal, ...call }) {
      try {
        return await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: Object.assign({}, call.headers, UNPACKED, headers),
          body: call.body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal: signal ?? null,
        });
      } catch (error) {
        throw upstreamFault(error);
      }
    },
    close: () => agent.close(),
  };
}

/** Says what failed by its code alone: the message of a failure may name hosts inside. */
export function upstreamFault(error: unknown): ProbityError {
  const { code = 'failed' } = error as { readonly code?: string };
  const isLate = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
  return proxyError({
    status: isLate ? 504 : 502,
    message: isLate
      ? 'The provider of the model did not answer in time.'
      : `The provider of the model cannot be reached (${code}).`,
    type: 'server_error',
    code: isLate ? 'upstream_timeout' : 'upstream_unreachable',
  });
}
