import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Server as NetServer } from 'node:net';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { ProbityError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import { silentLogger } from '../logging/logger.ts';
import type { CidrList } from '../outbound/networks.ts';
import { parseCidrList } from '../outbound/networks.ts';
import type { ClientError, ClientErrors } from './client-errors.ts';
import { createClientErrors, findHostFault, toClientFault } from './client-errors.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { DEFAULT_CONNECTION_LIMITS } from './connection-limits.ts';
import type { Connections } from './connections.ts';
import { watchConnections } from './connections.ts';
import type { ErrorFormat } from './error-format.ts';

/** A Node request handler, such as `app.callback()` of a Koa application. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** TLS of a server. */
export interface ServerTls {
  /** Key and certificate of the server, and the authorities of clients. */
  readonly context: SecureContextOptions;
  /** Asks clients for a certificate, and decides on each connection after its handshake. */
  readonly admits?: ((socket: TLSSocket) => boolean) | undefined;
}

/** Settings of a server. */
export interface HttpServerOptions {
  readonly handler: RequestHandler;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The error format of a path; decides how Node's own errors are serialized. */
  readonly errorFormatOf: (path: string) => ErrorFormat;
  readonly ids?: Ids | undefined;
  /** Default: none. */
  readonly logger?: Logger | undefined;
  /** Further headers of the answers to requests that never reach the handler; default none. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** Time for the complete request to arrive, unless its answer begins before; in milliseconds, default 60000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Time for its headers, in milliseconds; default 15000. */
  readonly headersTimeoutMs?: number | undefined;
  /** Time in which a client must take some of an answer, in milliseconds; default 30000. */
  readonly unreadAnswerTimeoutMs?: number | undefined;
  /**
   * Time from the end of listening until answers announce that their connection closes, in milliseconds, default
   * 0. For processes that share a port: clients must not connect again while another one still listens.
   */
  readonly announceAfterMs?: number | undefined;
  /** Limits that are not given have their default, see {@link DEFAULT_CONNECTION_LIMITS}. */
  readonly limits?: Partial<ConnectionLimits> | undefined;
  /** Proxies whose X-Forwarded-For is trusted, for limits by client address; default none. */
  readonly trustedProxies?: CidrList | undefined;
  /** Default: plain text. */
  readonly tls?: ServerTls | undefined;
}

/** A listening HTTP server. */
export interface HttpServer {
  /** Listens; returns the address actually bound, such as `http://127.0.0.1:3000`. */
  start(): Promise<string>;
  /** Stops accepting connections and resolves when the requests in flight have been answered. */
  stop(): Promise<void>;
  /** Replaces what TLS presents and trusts; open connections go on as they are. */
  useTls(context: SecureContextOptions): void;
}

/**
 * Creates an HTTP server with three additions to that of Node: requests that never reach the
 * application (bad request line, too many headers, time-outs) are answered with the headers and the
 * body of the contract; connections and unanswered requests are limited, see {@link
 * watchConnections}; and stopping is graceful.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { handler, host, port, errorFormatOf, ids = createIds(), logger = silentLogger } = options;
  const { headers = () => ({}) } = options;
  const clientErrors = createClientErrors({ errorFormatOf, ids, logger, headers });
  const settings = {
    // Limited below: Node would also end a request whose answer has begun while its body is still arriving.
    requestTimeout: 0,
    headersTimeout: options.headersTimeoutMs ?? 15_000,
    connectionsCheckingInterval: 1_000,
    // Longer than proxies and clients keep idle connections, so that no request hits a closing one.
    keepAliveTimeout: 75_000,
    // Node would answer a missing Host itself, without our headers.
    requireHostHeader: false,
  };
  const server = options.tls ? createSecureServer(settings, options.tls) : createServer(settings);
  // The limit is the headers' size: Node would silently drop those beyond the thousandth.
  server.maxHeadersCount = 0;
  const connections = watchConnections(server, {
    limits: { ...DEFAULT_CONNECTION_LIMITS, ...options.limits },
    trustedProxies: options.trustedProxies ?? parseCidrList(''),
    unreadAnswerMs: options.unreadAnswerTimeoutMs ?? 30_000,
    logger,
  });
  const limitArrival = (request: IncomingMessage, response: ServerResponse) => {
    const late = setTimeout(() => {
      if (request.complete || response.headersSent) return;
      connections.stopParsing(request.socket);
      clientErrors.refuse(request, response, toClientFault({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }));
    }, options.requestTimeoutMs ?? 60_000);
    response.once('close', () => clearTimeout(late));
  };
  const onRequest =
    (answer: RequestHandler): RequestHandler =>
    (request, response) => {
      const admission = connections.admit(request, response);
      if (admission === 'admitted') {
        if (!request.complete) limitArrival(request, response);
        answer(request, response);
      }
      if (admission === 'too-many') clientErrors.refuse(request, response, tooManyRequests());
    };
  const serve = onRequest((request, response) => {
    const fault = findHostFault(request);
    if (fault === null) return handler(request, response);
    return clientErrors.refuse(request, response, new ProbityError('invalid_request', fault));
  });
  server.on('request', serve);
  // The application decides from the headers whether to read the body.
  server.on('checkContinue', serve);
  server.on(
    'checkExpectation',
    onRequest((request, response) => {
      const message = `The header Expect: ${request.headers.expect} is not supported.`;
      const error = new ProbityError('invalid_request', message, { status: 417 });
      clientErrors.refuse(request, response, error);
    }),
  );
  server.on('clientError', (error: ClientError, socket: Socket) => {
    connections.stopParsing(socket);
    answerClientError(error, socket, connections.lastResponse(socket), clientErrors);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const error = new ProbityError('method_not_allowed', 'CONNECT is not supported.', {
      headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
    });
    connections.stopParsing(socket);
    clientErrors.refuseConnection(socket, error);
  });
  return {
    start: () => listen(server, { host, port, scheme: options.tls ? 'https' : 'http' }),
    stop: () => close(server, connections, options.announceAfterMs ?? 0),
    useTls(context) {
      if ('setSecureContext' in server) server.setSecureContext(context);
    },
  };
}

/** As long as for the headers of a request. */
const HANDSHAKE_TIMEOUT_MS = 15_000;

function createSecureServer(settings: object, { context, admits }: ServerTls): TlsServer {
  const asks = { requestCert: admits !== undefined, rejectUnauthorized: false };
  const handshakeTimeout = HANDSHAKE_TIMEOUT_MS;
  const server = createTlsServer({ ...settings, ...context, ...asks, handshakeTimeout });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (admits?.(socket) === false) socket.destroy();
  });
  return server;
}

/**
 * Answers a request that Node's parser rejected. A request with a malformed body is answered in its
 * own response. Input after requests that are still being answered gets no response: the connection
 * closes after the responses of those requests.
 *
 * @param last the newest response on the connection; it closes after all earlier ones
 */
function answerClientError(
  error: ClientError,
  socket: Socket,
  last: ServerResponse | undefined,
  clientErrors: ClientErrors,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (!last || last.closed) {
    clientErrors.refuseConnection(socket, toClientFault(error), error.rawPacket);
    return;
  }
  if (!last.req.complete) {
    if (last.headersSent) socket.destroy();
    else clientErrors.refuse(last.req, last, toClientFault(error));
    return;
  }
  last.once('close', () => socket.destroySoon());
}

function tooManyRequests(): ProbityError {
  return new ProbityError(
    'unavailable',
    'Too many requests wait for their answer to be taken; send the request again.',
    { headers: { 'Retry-After': '1' } },
  );
}

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
}

function listen(server: Server, { host, port, scheme }: ListenOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { address, port: bound, family } = server.address() as AddressInfo;
      resolve(`${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${bound}`);
    });
  });
}

/** Time for requests in flight to finish. */
const DRAIN_TIMEOUT_MS = 30_000;
const DRAIN_CHECK_MS = 25;
/** Time for an incoming request to be read; after it, a silent connection counts as idle. */
const SILENCE_MS = 250;
/** Time for the next request on a kept-alive connection, which is answered as its last one, to arrive. */
const IDLE_GRACE_MS = 100;

function close(server: Server, connections: Connections, announceAfterMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve();
  if (announceAfterMs === 0) connections.announceEnd();
  return new Promise((resolve) => {
    // A connection that a browser opened in advance has sent nothing; Node counts it as busy.
    const silence = setTimeout(() => {
      for (const socket of connections.sockets) if (connections.isSilent(socket)) socket.destroy();
    }, SILENCE_MS);
    // A kept-alive connection becomes idle when its response is sent, and would keep the server
    // open.
    let sweep: NodeJS.Timeout | undefined;
    const announce = setTimeout(connections.announceEnd, announceAfterMs);
    const grace = setTimeout(() => {
      sweep = setInterval(() => server.closeIdleConnections(), DRAIN_CHECK_MS);
    }, announceAfterMs + IDLE_GRACE_MS);
    const giveUp = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    // That of http.Server closes idle connections at once, also those whose next request has been sent and not read.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(silence);
      clearTimeout(announce);
      clearTimeout(grace);
      clearInterval(sweep);
      clearTimeout(giveUp);
      resolve();
    });
  });
}
