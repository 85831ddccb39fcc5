import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { createSecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { trustedAuthorities } from './authorities.ts';
import { connectFirst } from './connect.ts';
import type { PooledConnection } from './connections.ts';
import { ConnectionPool } from './connections.ts';
import type { Deadline } from './deadline.ts';
import { startDeadline } from './deadline.ts';
import type { ExchangeRequest, ExchangeResponse } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { OutboundErrorCode } from './failure.ts';
import { OutboundFailure } from './failure.ts';
import { toOutboundHeaders } from './headers.ts';
import type { Lookup } from './lookup.ts';
import { systemLookup } from './lookup.ts';
import type { NetworkAllowList } from './networks.ts';
import { SessionCache } from './sessions.ts';
import { resolveTarget } from './target.ts';
import type { OutboundCheck, OutboundTarget } from './url.ts';
import { checkAddresses, checkOutboundUrl, isPlain } from './url.ts';

/** Methods that a request may use. */
type DialMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One outbound request. */
export interface DialRequest {
  /** Checked by `checkOutboundUrl`. */
  readonly url: string;
  readonly method: DialMethod;
  /** Excludes headers that only the dialer sets: host, content-length, connection and similar. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Buffer | string | undefined;
  /** Milliseconds for the whole request, from the first DNS query to the last byte of the body. */
  readonly timeoutMs: number;
  /** Maximum bytes read of the response body; the rest is discarded unread. */
  readonly maxResponseBytes: number;
  /**
   * True where the head of a response says everything: a body that is malformed or incomplete, or not complete two seconds
   * after the head, is cut off and marked `truncated`. Default: such a request fails.
   */
  readonly headSuffices?: boolean | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the request has been written to a connection and its answer is waited for; `isReused` says that
   * the connection was an idle one.
   */
  readonly onSent?: ((isReused: boolean) => void) | undefined;
  /**
   * True declares the request idempotent (RFC 9110, section 9.2.2) and allows it to be sent a
   * second time, on a fresh connection, when the peer resets the idle connection it was sent on.
   * Every other request is sent once: a peer may close an idle connection at the very moment the request is
   * sent, and the client cannot tell whether it was processed. Default: false, whatever the method.
   */
  readonly retryOnReset?: boolean | undefined;
  /**
   * Names the requests among which a connection may be reused, such as those of one webhook; those with
   * `retryOnReset` and no key reuse one among themselves. Only a request that gets a 2xx leaves its connection
   * for another one, to the same name, port and address. A peer that closes an idle connection at the moment when
   * it is reused fails the request; after such a failure, those of the key take fresh connections for five minutes.
   * Default: a fresh connection, which is closed after the response.
   */
  readonly connectionKey?: string | undefined;
}

/** Outcome of a request: a final response of any status, or the error that prevented one. */
export type DialResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      /** The bytes as sent, never decompressed. */
      readonly body: Buffer;
      /** True when the body was longer than `maxResponseBytes`, or is not complete (see `headSuffices`). */
      readonly truncated: boolean;
      readonly durationMs: number;
      /** The address that answered. */
      readonly address: string;
    }
  | {
      readonly kind: 'error';
      readonly code: OutboundErrorCode;
      readonly message: string;
      readonly durationMs: number;
    };

/** Dependencies and settings of a dialer. */
export interface DialerOptions {
  /** Non-public networks that may be reached. */
  readonly allow: NetworkAllowList;
  /** Default: {@link systemLookup}. */
  readonly lookup?: Lookup | undefined;
  /** PEM certificates trusted in addition to the authorities of Node and of NODE_EXTRA_CA_CERTS, for private receivers. */
  readonly tls?: { readonly ca?: readonly string[] };
  /** Default: the system clocks. */
  readonly clock?: Clock | undefined;
  /** Head start of one address over the next; default 250 (RFC 8305, section 8). */
  readonly attemptDelayMs?: number | undefined;
  /** Idle connections kept over all targets; default 256, 0 for none. */
  readonly maxIdleConnections?: number | undefined;
  /**
   * How long an idle connection is kept, in ms, at most half of what the peer says; default 1,000, far below
   * the 5,000 and more of servers, so that requests seldom meet a connection that is being closed.
   */
  readonly idleTimeoutMs?: number | undefined;
}

/** The only HTTP client in Probity for requests to the outside. */
export interface Dialer {
  /**
   * Sends one request, once unless `retryOnReset` is set. The name is resolved once, all its
   * addresses are vetted, and only these are dialed; the certificate is verified against the name. A
   * plain http URL, which `checkOutboundUrl` accepts for loopback only, is dialed without TLS.
   * Redirects are not followed and environment proxies not used. Resolves for every outcome of the
   * network.
   *
   * @throws RangeError when `timeoutMs` or `maxResponseBytes` is out of range.
   */
  request(request: DialRequest): Promise<DialResult>;
  /** Rejects new requests, closes idle connections and waits for requests in flight. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Maximum number of addresses dialed per name; all are vetted, whatever their number. */
const maxDialedAddresses = 8;

/** Time for the body of a response whose head suffices, in milliseconds. */
const EXCERPT_TIMEOUT_MS = 2_000;

/** Number of URLs whose checks are remembered. */
const REMEMBERED_URLS = 1_000;

/** Maximum delay of a Node timer. */
const maxTimeoutMs = 2 ** 31 - 1;

interface DialerParts {
  readonly allow: NetworkAllowList;
  readonly lookup: Lookup;
  readonly clock: Clock;
  readonly attemptDelayMs: number;
  readonly secureContext: SecureContext;
  readonly sessions: SessionCache;
  readonly pool: ConnectionPool;
  /** Checks of URLs by their text, which depend on nothing else. */
  readonly checks: LRUCache<string, OutboundCheck>;
}

/** Creates a dialer; it owns its connections until it is closed. */
export function createDialer(options: DialerOptions): Dialer {
  const { allow, lookup = systemLookup, clock = systemClock, attemptDelayMs = 250 } = options;
  const { maxIdleConnections: maxIdle = 256, idleTimeoutMs = 1_000, tls } = options;
  const pool = new ConnectionPool({ maxIdle, idleTimeoutMs });
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(tls?.ca ? { ca: trustedAuthorities(tls.ca, process.env.NODE_EXTRA_CA_CERTS) } : {}),
  });
  const sessions = new SessionCache(clock);
  const checks = new LRUCache<string, OutboundCheck>({ max: REMEMBERED_URLS });
  const parts = { allow, lookup, clock, attemptDelayMs, secureContext, sessions, pool, checks };
  const underWay = new Set<Promise<DialResult>>();
  let isClosed = false;

  const close = async () => {
    isClosed = true;
    pool.close();
    await Promise.allSettled(underWay);
  };
  return {
    async request(request) {
      checkLimits(request);
      const message = 'The dialer is closed';
      if (isClosed) return { kind: 'error', code: 'closed', message, durationMs: 0 };
      const result = dial(request, parts);
      underWay.add(result);
      return result.finally(() => underWay.delete(result));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function dial(request: DialRequest, parts: DialerParts): Promise<DialResult> {
  const startedMs = parts.clock.monotonicMs();
  const elapsedMs = () => Math.round(parts.clock.monotonicMs() - startedMs);
  const deadline = startDeadline(parts.clock, request.timeoutMs, request.signal);
  try {
    const { bodyFailure, ...response } = await send(request, parts, deadline);
    if (bodyFailure && !request.headSuffices) throw bodyFailure;
    const truncated = response.truncated || bodyFailure !== null;
    return { kind: 'response', ...response, truncated, durationMs: elapsedMs() };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { kind: 'error', code: error.code, message: error.message, durationMs: elapsedMs() };
  } finally {
    deadline.clear();
  }
}

type AddressedResponse = ExchangeResponse & { readonly address: string };

async function send(
  request: DialRequest,
  { allow, lookup, pool, checks, ...parts }: DialerParts,
  deadline: Deadline,
): Promise<AddressedResponse> {
  const { signal } = deadline;
  const check = checks.get(request.url) ?? checkOutboundUrl(request.url, allow);
  checks.set(request.url, check);
  const target = accepted(check);
  const message = toMessage(request, target);
  const found = await resolveTarget(target, { lookup, clock: parts.clock, signal });
  accepted(checkAddresses(target, found, allow));
  const addresses = inDialOrder(found);

  const origin = `${target.host}:${target.port}`;
  const key = `${target.url.protocol}//${origin} ${request.connectionKey ?? ''}`;
  const exchangeOn = (connection: PooledConnection) =>
    exchange(pool, connection, message, { signal, clock: parts.clock });
  const idle =
    message.keepAlive && pool.isTrusted(key) ? await pool.takeIdle(key, addresses) : undefined;
  if (idle !== undefined) {
    const response = await sendOver(idle, request, pool, exchangeOn);
    if (response !== undefined) return { ...response, address: idle.address };
  }
  const { host, port, url } = target;
  try {
    deadline.awaits('connection');
    const fresh = await connectFirst(addresses, {
      host,
      port,
      isPlain: isPlain(url),
      onConnected: () => deadline.awaits('complete TLS handshake'),
      signal,
      ...parts,
    });
    deadline.awaits('complete response');
    const answer = exchangeOn(pool.add(fresh, key));
    request.onSent?.(false);
    return { ...(await answer), address: fresh.address };
  } catch (error) {
    parts.sessions.forget(origin);
    throw error;
  }
}

/** Sends a request over an idle connection; returns undefined when it may be sent again and was reset. */
async function sendOver(
  idle: PooledConnection,
  request: DialRequest,
  pool: ConnectionPool,
  exchangeOn: (connection: PooledConnection) => Promise<ExchangeResponse>,
): Promise<ExchangeResponse | undefined> {
  try {
    const answer = exchangeOn(idle);
    request.onSent?.(true);
    const response = await answer;
    if (response.bodyFailure) pool.distrust(idle.key);
    return response;
  } catch (error) {
    if (request.retryOnReset && isReset(error)) return undefined;
    pool.distrust(idle.key);
    throw error;
  }
}

function isReset(error: unknown): boolean {
  return error instanceof OutboundFailure && error.code === 'reset';
}

/** Alternates address families, beginning with the resolver's first (RFC 8305, section 4). */
function inDialOrder(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 1) return addresses;
  const unique = [...new Set(addresses)];
  const family = isIP(unique[0] ?? '');
  const preferred = unique.filter((address) => isIP(address) === family);
  const others = unique.filter((address) => isIP(address) !== family);
  const longest = Math.max(preferred.length, others.length);
  const pairs = Array.from({ length: longest }, (_, index) => [preferred[index], others[index]]);
  const ordered = pairs.flat().filter((address) => address !== undefined);
  return ordered.slice(0, maxDialedAddresses);
}

function toMessage(request: DialRequest, target: OutboundTarget): ExchangeRequest {
  const { method, headers = {}, body = '', maxResponseBytes } = request;
  const { retryOnReset, connectionKey } = request;
  return {
    target,
    method,
    headers: toOutboundHeaders(headers),
    body: Buffer.from(body),
    maxResponseBytes,
    keepAlive: retryOnReset === true || connectionKey !== undefined,
    bodyTimeoutMs: request.headSuffices ? EXCERPT_TIMEOUT_MS : null,
  };
}

function accepted(check: OutboundCheck): OutboundTarget {
  if (!check.ok) throw new OutboundFailure(check.code, `The URL ${check.reason}`);
  return check;
}

function checkLimits({ timeoutMs, maxResponseBytes }: DialRequest): void {
  if (!(timeoutMs > 0 && timeoutMs <= maxTimeoutMs)) {
    throw new RangeError(`timeoutMs must be above 0 and at most ${maxTimeoutMs}`);
  }
  if (!(Number.isSafeInteger(maxResponseBytes) && maxResponseBytes >= 0)) {
    throw new RangeError('maxResponseBytes must be a non-negative integer');
  }
}
