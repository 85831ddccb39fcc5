import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { connect as connectPlain, isIP } from 'node:net';
import type { PeerCertificate, SecureContext } from 'node:tls';
import { checkServerIdentity, connect as connectSecured } from 'node:tls';
import type { Clock, Timer } from '../clock.ts';
import { errorCode, OutboundFailure } from './failure.ts';
import type { SessionCache } from './sessions.ts';
import { describeTlsFault } from './tls-faults.ts';

/** A connection, with TLS and a verified certificate unless the target is plain, and the remote address. */
export interface OutboundConnection {
  readonly socket: Socket;
  readonly address: string;
}

/** Ends the losers of a race; named, since the default reason is an exception with a stack. */
const RACE_IS_OVER = 'the race is over';

/** State shared by all attempts of one race. */
interface ConnectOptions {
  /** The name (or literal address) sent in SNI, for which the certificate must be valid. */
  readonly host: string;
  readonly port: number;
  /** Whether the connection is used without TLS. */
  readonly isPlain: boolean;
  readonly secureContext: SecureContext;
  readonly sessions: SessionCache;
  readonly clock: Clock;
  /** Head start of one address over the next, in milliseconds. */
  readonly attemptDelayMs: number;
  /** Called when an address has accepted a connection, and the TLS handshake begins. */
  readonly onConnected: () => void;
  /** Ends the race; its reason is the rejection of the race. */
  readonly signal: AbortSignal;
}

/**
 * Connects to the first of `addresses` that completes TCP and, unless the target is plain, TLS. The next address is tried when
 * the previous one has failed or `attemptDelayMs` has passed, and the first to finish wins (RFC
 * 8305, section 5; here TLS is part of the race, so that a host which accepts and then sends
 * nothing does not use up the whole deadline). Losers are closed.
 *
 * @throws OutboundFailure `tls` when any address got as far as TLS, else `connect`; or the reason
 * of the signal.
 */
export function connectFirst(
  addresses: readonly string[],
  options: ConnectOptions,
): Promise<OutboundConnection> {
  const { clock, attemptDelayMs, signal } = options;
  const attempts = new AbortController();
  const failures: OutboundFailure[] = [];
  let started = 0;
  let timer: Timer | undefined;

  return new Promise<OutboundConnection>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const startNext = () => {
      timer?.cancel();
      const address = addresses[started];
      if (address === undefined || attempts.signal.aborted) return;
      started += 1;
      connectTo(address, options, attempts.signal).then(win, fail);
      if (started < addresses.length) timer = clock.setTimer(startNext, attemptDelayMs);
    };
    const win = (connection: OutboundConnection) => {
      if (signal.aborted || attempts.signal.aborted) connection.socket.destroy();
      resolve(connection);
    };
    const fail = (failure: OutboundFailure) => {
      failures.push(failure);
      if (failures.length === addresses.length) reject(mostTelling(failures));
      startNext();
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    attempts.signal.addEventListener('abort', () => signal.removeEventListener('abort', stop));
    startNext();
  }).finally(() => {
    timer?.cancel();
    attempts.abort(RACE_IS_OVER);
  });
}

/** One attempt; closes its socket when the signal is aborted before the connection can be used. */
function connectTo(
  address: string,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<OutboundConnection> {
  return new Promise((resolve, reject) => {
    let phase: 'connect' | 'tls' = 'connect';
    const { isPlain, port, onConnected } = options;
    const socket = isPlain ? connectPlain({ host: address, port }) : startSecured(address, options);
    const fail = (error?: unknown) => {
      socket.destroy();
      const message = phase === 'tls' ? describeTlsFault(error) : describeConnectFault(error);
      reject(new OutboundFailure(phase, message, error));
    };
    // The listener is never removed: an error of an idle or losing socket must not end the process.
    socket.on('error', fail);
    socket.once('close', fail);
    socket.once('connect', () => {
      phase = 'tls';
      if (!isPlain) onConnected();
    });
    const cancel = () => socket.destroy();
    signal.addEventListener('abort', cancel, { once: true });
    socket.once(isPlain ? 'connect' : 'secureConnect', () => {
      signal.removeEventListener('abort', cancel);
      socket.off('close', fail);
      socket.setNoDelay(true);
      resolve({ socket, address });
    });
  });
}

function describeConnectFault(error: unknown): string {
  const detail = error instanceof Error ? error.message : 'closed by the peer';
  return `Connection failed (${errorCode(error) || detail})`;
}

/** A connection on which the TLS handshake begins. */
function startSecured(
  address: string,
  { host, port, secureContext, sessions }: ConnectOptions,
): Socket {
  const target = `${host}:${port}`;
  const offered = sessions.find(target);
  const socket = connectSecured({
    host: address,
    port,
    secureContext,
    // Of a connection to the same name whose certificate was verified.
    ...(offered ? { session: offered.session } : {}),
    ALPNProtocols: ['http/1.1'],
    // Set explicitly: otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would turn verification off.
    rejectUnauthorized: true,
    checkServerIdentity: (_servername, certificate) => checkIdentity(host, certificate),
    // RFC 6066, section 3: SNI must not contain literal addresses.
    ...(isIP(host) === 0 ? { servername: host } : {}),
  });
  sessions.keepFrom(socket, target, offered);
  return socket;
}

/**
 * Compares literal addresses with OpenSSL, since `checkServerIdentity` of Node 22.23 rejects every
 * IPv6 address, even one that the certificate names.
 */
function checkIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const matches = isIP(host) !== 0 && new X509Certificate(certificate.raw).checkIP(host);
  return matches ? undefined : checkServerIdentity(host, certificate);
}

/** A rejected certificate is more informative than another address that could not be reached. */
function mostTelling(failures: readonly OutboundFailure[]): OutboundFailure | undefined {
  return failures.find(({ code }) => code === 'tls') ?? failures[0];
}
