import { pipeline } from 'node:stream/promises';
import type { ProbityError } from '@probity/core';
import { encodingOf } from '@probity/core/internal';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import { proxyError } from './proxy-error.ts';
import type { UpstreamTarget } from './upstream-target.ts';

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
  /** Default POST. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: string | Uint8Array;
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
/** Less work; some providers compress all the same. */
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
        const answer = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: call.method ?? 'POST',
          headers: Object.assign({}, call.headers, UNPACKED, headers),
          body: call.body ?? null,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal: signal ?? null,
        });
        return unpacked(answer);
      } catch (error) {
        throw upstreamFault(error);
      }
    },
    close: () => agent.close(),
  };
}

/** The answer with its body decompressed as it arrives, where the provider compresses it in a known way. */
function unpacked(answer: Dispatcher.ResponseData): Dispatcher.ResponseData {
  const encoding = encodingOf(String(answer.headers['content-encoding'] ?? ''));
  if (!encoding) return answer;
  const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers;
  const decoder = encoding.createDecoder();
  // Who reads the decoder gets the error.
  pipeline(answer.body, decoder).catch(() => undefined);
  return { ...answer, headers, body: decoder as unknown as typeof answer.body };
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
