import type { ClientRequest } from 'node:http';
import type { RequestOptions } from 'node:https';
import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecuredConnection } from './connect.ts';

/** A pooled connection, with the target it was verified for. */
export interface PooledConnection extends SecuredConnection {
  readonly id: string;
  /** Name and port; the certificate was verified against this name. */
  readonly origin: string;
}

/** Options of a request over a specific connection. */
export interface PinnedRequestOptions extends RequestOptions {
  readonly connectionId: string;
}

/** Number of idle connections that are kept, and for how long. */
interface ConnectionPoolOptions {
  /** Over all targets; 0 for none. */
  readonly maxIdle: number;
  /** In milliseconds; a peer's `Keep-Alive: timeout` shortens it. */
  readonly idleTimeoutMs: number;
}

/**
 * Idle TLS connections, indexed by the name they were verified for and their remote address. Node's
 * agent with one change: a request names its connection, so no request can end up on another one,
 * and an address that was not vetted cannot be dialed from here.
 */
export class ConnectionPool extends Agent {
  readonly #connections = new Map<string, PooledConnection>();
  readonly #bySocket = new WeakMap<Duplex, PooledConnection>();
  readonly #idle = new Map<Duplex, PooledConnection>();
  readonly #maxIdle: number;
  #nextId = 0;
  #closed = false;

  constructor({ maxIdle, idleTimeoutMs }: ConnectionPoolOptions) {
    super({ keepAlive: true, timeout: idleTimeoutMs });
    this.#maxIdle = maxIdle;
  }

  /** Registers a fresh connection, so that requests can name it. */
  add(connection: SecuredConnection, origin: string): PooledConnection {
    this.#nextId += 1;
    const pooled = { ...connection, origin, id: String(this.#nextId) };
    this.#connections.set(pooled.id, pooled);
    this.#bySocket.set(pooled.socket, pooled);
    pooled.socket.once('close', () => {
      this.#connections.delete(pooled.id);
      this.#idle.delete(pooled.socket);
    });
    return pooled;
  }

  /** Takes the most recently used idle connection to the origin at one of the addresses. */
  takeIdle(origin: string, addresses: readonly string[]): PooledConnection | undefined {
    const found = [...this.#idle.values()].findLast(
      (one) => one.origin === origin && addresses.includes(one.address) && !one.socket.destroyed,
    );
    if (found !== undefined) this.#idle.delete(found.socket);
    return found;
  }

  /** Closes idle connections at once and the others after their request. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#idle.keys()) socket.destroy();
  }

  override getName(options?: RequestOptions): string {
    return (options as PinnedRequestOptions | undefined)?.connectionId ?? '';
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const connection = this.#connections.get(this.getName(options));
    if (connection !== undefined && !connection.socket.destroyed) return connection.socket;
    const gone = Object.assign(new Error('The connection is gone'), { code: 'ECONNRESET' });
    // Node ignores the stream when there is an error, which its types do not express.
    (callback as ((error: Error) => void) | undefined)?.(gone);
    return undefined;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // Node's return value says whether the peer allows reuse, which its types do not express.
    const mayKeep = super.keepSocketAlive(socket) as unknown;
    const connection = this.#bySocket.get(socket);
    if (mayKeep === false || this.#closed || connection === undefined) return false;
    if (this.#idle.size >= this.#maxIdle) return false;
    this.#idle.set(socket, connection);
    socket.on('data', destroyIdle);
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    socket.off('data', destroyIdle);
    super.reuseSocket(socket, request);
  }
}

/** Unsolicited bytes would be read as the response to the next request. */
function destroyIdle(this: Duplex): void {
  this.destroy();
}
