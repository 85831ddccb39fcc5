import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ProbityError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import type { ErrorFormat } from './error-format.ts';
import { requestIdOf, SERVER_HEADER } from './request-state.ts';

/** Answers requests that never reach the application, with the headers and body of the contract. */
export interface ClientErrors {
  /** Answers a request that was parsed. */
  refuse(request: IncomingMessage, response: ServerResponse, error: ProbityError): void;
  /** Answers on a connection on which no request could be parsed, and closes it. */
  refuseConnection(socket: Socket, error: ProbityError, packet?: Buffer): void;
}

/** Dependencies of the client error responses. */
export interface ClientErrorOptions {
  /** The error format of a path. */
  readonly errorFormatOf: (path: string) => ErrorFormat;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Further headers of these answers. */
  readonly headers: () => Readonly<Record<string, string>>;
}

/** Node's error for a request that its parser rejected. */
export type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** Creates the client error responses of one server. */
export function createClientErrors({
  errorFormatOf,
  ids,
  logger,
  headers: further,
}: ClientErrorOptions): ClientErrors {
  const standardHeaders = (requestId: string, { contentType }: ErrorFormat, body: string) => ({
    Server: SERVER_HEADER,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...further(),
    'Content-Type': contentType,
    'Content-Length': String(Buffer.byteLength(body)),
  });
  const log = (requestId: string, status: number, message: string) =>
    logger.info('request refused', { request_id: requestId, status, reason: message });
  return {
    refuse(request, response, error) {
      const errorFormat = errorFormatOf(request.url ?? '');
      const requestId = requestIdOf(request.headers['x-request-id'] as string | undefined, ids);
      const body = JSON.stringify(errorFormat.body(error, requestId));
      const status = errorFormat.status(error);
      const headers = standardHeaders(requestId, errorFormat, body);
      response.writeHead(status, { ...headers, ...error.headers, Connection: 'close' });
      response.end(body);
      log(requestId, status, error.message);
    },
    refuseConnection(socket, error, packet) {
      const head = packet?.subarray(0, MAX_HEAD_BYTES).toString('latin1') ?? '';
      const errorFormat = errorFormatOf(pathOf(head));
      const requestId = requestIdOf(/^x-request-id:[ \t]*(\S+)[ \t]*$/im.exec(head)?.[1], ids);
      const status = errorFormat.status(error);
      const body = JSON.stringify(errorFormat.body(error, requestId));
      const headers = { ...standardHeaders(requestId, errorFormat, body), ...error.headers };
      socket.end(toMessage(status, headers, body));
      log(requestId, status, error.message);
    },
  };
}

/** The error for a request that Node's parser rejected. */
export function toClientFault({ code }: Pick<ClientError, 'code'>): ProbityError {
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

/** Returns the fault in a request's Host header (RFC 9112, section 3.2), or null. */
export function findHostFault({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return 'The request has several Host headers.';
    host = rawHeaders[index + 1];
  }
  if (host === undefined) {
    return httpVersion === '1.1' ? 'The request needs a Host header.' : null;
  }
  return /^[\w.:[\]%~!$&'()*+,;=-]*$/.test(host) ? null : 'The Host header is not valid.';
}

const MAX_HEAD_BYTES = 16_384;

/** The path of a request that could not be parsed, if its first line is readable. */
function pathOf(head: string): string {
  return /^[A-Z]+ (\/[^\s?]*)/.exec(head)?.[1] ?? '/';
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

function toMessage(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const all = { ...headers, Date: new Date().toUTCString(), Connection: 'close' };
  const lines = Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}\r\n${lines}\r\n${body}`;
}
