/**
 * Why a request got no response:
 * - `invalid_url`: the URL is malformed or not https;
 * - `invalid_request`: a header is malformed or one that only the dialer may set;
 * - `refused_address`: the URL leads to an address that must not be reached;
 * - `dns`: the name does not exist or has no address;
 * - `dns_unavailable`: no name server answered, which says nothing about the peer;
 * - `connect`: no TCP connection to any address;
 * - `tls`: the handshake failed or the certificate was not accepted;
 * - `reset`: the peer closed the connection before the response was complete;
 * - `protocol`: the peer's bytes are not HTTP/1.1;
 * - `timeout`: the deadline passed;
 * - `aborted`: the caller's signal was aborted;
 * - `closed`: the dialer had been closed.
 */
export type OutboundErrorCode =
  | 'invalid_url'
  | 'invalid_request'
  | 'refused_address'
  | 'dns'
  | 'dns_unavailable'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'protocol'
  | 'timeout'
  | 'aborted'
  | 'closed';

/** An expected failure of a request without a response; never leaves the dialer as an exception. */
export class OutboundFailure extends Error {
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundFailure';
    this.code = code;
  }
}

/** The `code` of a Node error, such as ECONNRESET; empty if there is none. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : '';
}
