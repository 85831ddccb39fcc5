import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '../clock.ts';
import type { ConnectionPool, PinnedRequestOptions, PooledConnection } from './connections.ts';
import { errorCode, OutboundFailure } from './failure.ts';
import { MAX_HEAD_BYTES, statusOfHead } from './response-head.ts';
import { describeTlsFault, isTlsFault } from './tls-faults.ts';
import type { OutboundTarget } from './url.ts';

/** One request as sent on the wire. */
export interface ExchangeRequest {
  readonly target: OutboundTarget;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly maxResponseBytes: number;
  /** Milliseconds from the head of the response to the end of its body, after which the body fails; null for any. */
  readonly bodyTimeoutMs: number | null;
  /** Whether the connection is kept for another request. */
  readonly keepAlive: boolean;
}

/** One final response as received on the wire. */
export interface ExchangeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As sent: still compressed if it arrived compressed. */
  readonly body: Buffer;
  readonly truncated: boolean;
  /** Why the body differs from the announced one; null for a good body and for one cut off at the limit. */
  readonly bodyFailure: OutboundFailure | null;
}

/** Interim responses of one request; more end it, since a peer could send them without end. */
const MAX_INTERIM_RESPONSES = 8;

/**
 * Bytes that a peer may send beside the body: headers, the framing of chunks, TLS session tickets. HTTP
 * parsers skip some without limit, such as line feeds before a response and zeros before a chunk's size.
 */
const MAX_OTHER_BYTES = 65_536;

/**
 * Sends one request over one connection and reads the final response; up to 8 interim (1xx)
 * responses are skipped (RFC 9110, section 15.2). Reading stops, and the connection is closed, at the first byte beyond
 * `maxResponseBytes`, and fails once the peer has sent 64 KiB more than that.
 *
 * @throws OutboundFailure `reset` or `protocol`, or the reason of the signal, before the head is complete; what fails
 *   later is the `bodyFailure` of the response
 */
export function exchange(
  pool: ConnectionPool,
  connection: PooledConnection,
  message: ExchangeRequest,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
): Promise<ExchangeResponse> {
  return new Promise<ExchangeResponse>((resolve, reject) => {
    const { keepAlive, bodyTimeoutMs } = message;
    // Also for a plain target: the connection is there already, and only its bytes differ.
    const request = httpsRequest(toOptions(pool, connection, message));
    let reading: Reading | undefined;
    let bodyTimer: Timer | undefined;
    const fail = (failure: OutboundFailure) => {
      if (reading) reading.fail(failure);
      else reject(failure);
      request.destroy();
    };
    const stop = () => fail(signal.reason);
    request.on('error', (error) => {
      const failure = toFailure(error);
      const status = reading ? null : statusOfHead(received.head());
      if (status === null) return fail(failure);
      const [headers, body] = [{}, Buffer.alloc(0)];
      resolve({ status, headers, body, truncated: true, bodyFailure: failure });
    });
    request.on('response', (response) => {
      if (keepAlive) connection.keptForMs = Math.min(connection.keptForMs, allowedIdleMs(response));
      reading = readCapped(response, message.maxResponseBytes);
      reading.done.then(resolve, reject);
      if (bodyTimeoutMs === null) return;
      const late = new OutboundFailure('timeout', `No complete body within ${bodyTimeoutMs} ms`);
      bodyTimer = clock.setTimer(() => fail(late), bodyTimeoutMs);
    });
    let interim = 0;
    const skipInterim = () => {
      interim += 1;
      if (interim <= MAX_INTERIM_RESPONSES) return;
      const message = `The peer sent more than ${MAX_INTERIM_RESPONSES} interim responses`;
      fail(new OutboundFailure('protocol', message));
    };
    request.on('continue', skipInterim).on('information', skipInterim);
    const limit = message.maxResponseBytes + MAX_OTHER_BYTES;
    const received = watchBytes(request, connection.socket, limit, () => {
      fail(new OutboundFailure('protocol', `The peer sent more than ${limit} bytes`));
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new OutboundFailure('protocol', 'The peer sent an unrequested protocol switch'));
    });
    request.once('close', () => {
      signal.removeEventListener('abort', stop);
      bodyTimer?.cancel();
      received.stop();
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) return stop();
    request.end(message.body);
  });
}

/** The bytes of a connection during one request. */
interface ReceivedBytes {
  /** The first bytes that the peer sent. */
  head(): Buffer;
  stop(): void;
}

/** Calls `onExceeded` when the peer has sent more than `limit` bytes. */
function watchBytes(
  request: ClientRequest,
  socket: Socket,
  limit: number,
  onExceeded: () => void,
): ReceivedBytes {
  let received = 0;
  const first: Buffer[] = [];
  let firstBytes = 0;
  const count = ({ length }: Buffer) => {
    received += length;
    if (received > limit) onExceeded();
  };
  const read = (chunk: Buffer) => {
    if (firstBytes < MAX_HEAD_BYTES) {
      first.push(chunk.subarray(0, MAX_HEAD_BYTES - firstBytes));
      firstBytes += chunk.length;
    }
    count(chunk);
  };
  // A ticket is no data of the connection (RFC 8446, section 4.6.1).
  socket.on('session', count);
  // Not before the parser listens: the first listener starts the flow of data.
  // Before the parser reads them: its error comes within the same event.
  request.once('socket', () => socket.prependListener('data', read));
  return {
    head: () => Buffer.concat(first),
    stop() {
      socket.off('session', count);
      socket.off('data', read);
    },
  };
}

function toOptions(
  agent: ConnectionPool,
  { id }: PooledConnection,
  { target, method, headers, body, keepAlive }: ExchangeRequest,
): PinnedRequestOptions {
  const hasBody = body.length > 0 || !['GET', 'HEAD', 'DELETE'].includes(method);
  return {
    agent,
    connectionId: id,
    hostname: target.host,
    port: target.port,
    path: `${target.url.pathname}${target.url.search}`,
    method,
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      host: target.url.host,
      ...(keepAlive ? {} : { connection: 'close' }),
      ...(hasBody ? { 'content-length': String(body.length) } : {}),
    },
    // Set explicitly, overriding the command line flag that relaxes it for the whole process.
    insecureHTTPParser: false,
    maxHeaderSize: MAX_HEAD_BYTES,
  };
}

const KEEP_ALIVE_TIMEOUT = /(?:^|[\s,])timeout=(\d+)/i;

/**
 * How long the peer lets the connection be idle after this response, in milliseconds: half of what it says in
 * `Keep-Alive` (RFC 2068, section 19.7.1), so that it does not close the connection when the next request leaves.
 * Only a connection that has served well is kept.
 */
function allowedIdleMs({ statusCode = 0, headers }: IncomingMessage): number {
  if (statusCode < 200 || statusCode > 299) return 0;
  const seconds = KEEP_ALIVE_TIMEOUT.exec(String(headers['keep-alive'] ?? ''))?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : (Number(seconds) * 1_000) / 2;
}

/** A response whose head has been read. */
interface Reading {
  readonly done: Promise<ExchangeResponse>;
  /** Tells why no more of the body will come. */
  fail(failure: OutboundFailure): void;
}

function readCapped(response: IncomingMessage, maxBytes: number): Reading {
  let failure: OutboundFailure | null = null;
  const fail = (reason: OutboundFailure) => {
    failure ??= reason;
  };
  const done = new Promise<ExchangeResponse>((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (truncated: boolean) => {
      const body = Buffer.concat(chunks).subarray(0, maxBytes);
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body, truncated, bodyFailure: failure });
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= maxBytes) return;
      finish(true);
      response.destroy();
    });
    response.once('end', () => finish(false));
    response.on('error', (error) => fail(toFailure(error)));
    response.once('close', () => {
      if (!response.complete) {
        fail(new OutboundFailure('reset', 'The peer closed the connection inside the response'));
      }
      finish(true);
    });
  });
  return { done, fail };
}

/** Maps an error of an established connection. */
function toFailure(error: Error): OutboundFailure {
  if (isTlsFault(error)) return new OutboundFailure('tls', describeTlsFault(error), error);
  const code = errorCode(error);
  const isReset = code === 'ECONNRESET' || code === 'EPIPE';
  return isReset
    ? new OutboundFailure('reset', `The peer closed the connection (${code})`, error)
    : new OutboundFailure('protocol', `The response is not valid HTTP/1.1 (${code})`, error);
}
