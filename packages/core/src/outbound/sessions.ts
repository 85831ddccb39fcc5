import type { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** Targets whose sessions are kept. */
const MAX_TARGETS = 1_000;
/** A larger session is not kept: its size is the peer's choice. */
const MAX_SESSION_BYTES = 8_192;
/** Time in which a certificate that was verified is not verified again. */
const MAX_AGE_MS = 5 * 60_000;

/** A TLS session that can be resumed. */
export interface StoredSession {
  readonly session: Buffer;
  /** When the certificate was verified, in monotonic milliseconds. */
  readonly verifiedMs: number;
}

/**
 * The last TLS session of each target, by the name and port that its certificate was verified for. A connection
 * that resumes one (RFC 8446, section 2.2) takes a part of a handshake's time, as no certificate is sent.
 */
export class SessionCache {
  readonly #clock: Clock;
  readonly #byTarget = new LRUCache<string, StoredSession>({ max: MAX_TARGETS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The session of the target, if its certificate was verified in the last five minutes. */
  find(target: string): StoredSession | undefined {
    const found = this.#byTarget.get(target);
    const isRecent = found && this.#clock.monotonicMs() - found.verifiedMs < MAX_AGE_MS;
    return isRecent ? found : undefined;
  }

  /**
   * Removes the session of the target, after a failure that may be its fault: some servers fail at a session
   * that they no longer know.
   */
  forget(target: string): void {
    this.#byTarget.delete(target);
  }

  /**
   * Keeps the sessions that the peer gives on a connection.
   *
   * @param offered the session that the connection may resume
   */
  keepFrom(socket: TLSSocket, target: string, offered: StoredSession | undefined): void {
    socket.on('session', (session) => {
      if (!socket.authorized || session.length > MAX_SESSION_BYTES) return;
      const isResumed = socket.isSessionReused() && offered !== undefined;
      const verifiedMs = isResumed ? offered.verifiedMs : this.#clock.monotonicMs();
      this.#byTarget.set(target, { session, verifiedMs });
    });
  }
}
