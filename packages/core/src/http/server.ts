import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ProbityError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { ErrorDialect } from './dialect.ts';
import { requestIdOf, SERVER_HEADER } from './request-state.ts';

/** A Node request handler, such as `app.callback()` of a Koa application. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Settings of a server. */
export interface HttpServerOptions {
  readonly handler: RequestHandler;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The error form of a path; decides how Node's own errors are written. */
  readonly dialectOf: (path: string) => ErrorDialect;
  readonly ids?: Ids;
  /** Time for the whole of a request to arrive; default 60000. */
  readonly requestTimeoutMs?: number;
  /** Time for its headers; default 15000. */
  readonly headersTimeoutMs?: number;
}

/** A listening HTTP server. */
export interface HttpServer {
  /** Listens; answers the address really bound, such as `http://127.0.0.1:3000`. */
  start(): Promise<string>;
  /** Takes no new connections and resolves when the requests in flight have been answered. */
  stop(): Promise<void>;
}

/**
 * An HTTP server for the application, with what Node leaves to be done: requests that never reach
 * the application (bad request line, too many headers, time-outs) are answered with the headers
 * and the body of the contract, and stopping is graceful.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { handler, host, port, dialectOf, ids = createIds() } = options;
  const server = createServer({
    requestTimeout: options.requestTimeoutMs ?? 60_000,
    headersTimeout: options.headersTimeoutMs ?? 15_000,
    connectionsCheckingInterval: 1_000,
    // Node would answer a missing Host itself, without our headers.
    requireHostHeader: false,
  });
  const refuse = (request: IncomingMessage, response: ServerResponse, error: ProbityError) =>
    writeRefusal(request, response, error, dialectOf, ids);
  const serve: RequestHandler = (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      const message = 'The request needs a Host header.';
      return refuse(request, response, new ProbityError('invalid_request', message));
    }
    return handler(request, response);
  };
  server.on('request', serve);
  // The application decides from the headers whether it wants the body.
  server.on('checkContinue', serve);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const message = `The expectation ${request.headers.expect} cannot be met.`;
    refuse(request, response, new ProbityError('invalid_request', message, { status: 417 }));
  });
  server.on('clientError', (error: ClientError, socket: Socket) => {
    answerClientError(error, socket, dialectOf, ids);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    answerRaw(socket, new ProbityError('method_not_allowed'), dialectOf(request.url ?? ''), ids);
  });
  const connections = trackConnections(server);
  return { start: () => listen(server, host, port), stop: () => close(server, connections) };
}

type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

function writeRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  error: ProbityError,
  dialectOf: HttpServerOptions['dialectOf'],
  ids: Ids,
): void {
  const dialect = dialectOf(request.url ?? '');
  const requestId = requestIdOf(request.headers['x-request-id'] as string | undefined, ids);
  const body = JSON.stringify(dialect.body(error, requestId));
  response.writeHead(dialect.status(error), {
    ...standardHeaders(requestId, dialect, body),
    Connection: 'close',
  });
  response.end(body);
}

/** Answers what Node's parser refused, unless an answer is under way already. */
function answerClientError(
  error: ClientError,
  socket: Socket,
  dialectOf: HttpServerOptions['dialectOf'],
  ids: Ids,
): void {
  const inFlight = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (!socket.writable || error.code === 'ECONNRESET' || inFlight?.headersSent) {
    socket.destroy();
    return;
  }
  answerRaw(socket, toRefusal(error), dialectOf(pathOf(error.rawPacket)), ids);
}

function toRefusal({ code }: ClientError): ProbityError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ProbityError('invalid_request', 'The request has too many or too long headers.', {
        status: 431,
      });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ProbityError('payload_too_large', 'The chunk extensions are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProbityError('invalid_request', 'The request took too long to arrive.', {
        status: 408,
      });
    default:
      return new ProbityError('invalid_request', 'The request is not valid HTTP/1.1.');
  }
}

/** The path of a request that could not be parsed, as far as its first line can be read. */
function pathOf(packet: Buffer | undefined): string {
  const line = packet?.subarray(0, 2_048).toString('latin1').split('\r\n')[0] ?? '';
  return /^[A-Z]+ (\/[^\s?]*)/.exec(line)?.[1] ?? '/';
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

function answerRaw(socket: Socket, error: ProbityError, dialect: ErrorDialect, ids: Ids): void {
  const requestId = ids.next('req');
  const body = JSON.stringify(dialect.body(error, requestId));
  const status = dialect.status(error);
  const headers = Object.entries({
    ...standardHeaders(requestId, dialect, body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}\r\n${lines}\r\n${body}`);
}

function standardHeaders(requestId: string, dialect: ErrorDialect, body: string) {
  return {
    Server: SERVER_HEADER,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'Content-Type': dialect.contentType,
    'Content-Length': String(Buffer.byteLength(body)),
  };
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { address, port: bound, family } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`);
    });
  });
}

/** Time that requests in flight get to finish. */
const DRAIN_TIMEOUT_MS = 30_000;
const DRAIN_CHECK_MS = 25;

function trackConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

function close(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    // A connection that a browser opened ahead of need has sent nothing; to Node it is busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    // A kept-alive connection turns idle when its answer is sent, and would hold the server open.
    const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_CHECK_MS);
    const giveUp = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(giveUp);
      resolve();
    });
  });
}
