import type { ClientRequest } from 'node:http';
import type { RequestOptions } from 'node:https';
import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { OutboundConnection } from './connect.ts';

/** A pooled connection. */
export interface PooledConnection extends OutboundConnection {
  readonly id: string;
  /** Requests with this key may take it. It includes the scheme, and the name and port that the certificate was verified for. */
  readonly key: string;
  /** How long it may be idle after its present request, in milliseconds; 0 closes it. */
  keptForMs: number;
}

/** Options of a request over a specific connection. */
export interface PinnedRequestOptions extends RequestOptions {
  readonly connectionId: string;
}

/** Number of idle connections that are kept, and for how long. */
interface ConnectionPoolOptions {
  /** Over all keys; 0 for none. */
  readonly maxIdle: number;
  /** In milliseconds. */
  readonly idleTimeoutMs: number;
}

/** Keys whose connections failed when they were reused, that are remembered, and for how long. */
const DISTRUSTED_KEYS = 1_000;
const DISTRUST_MS = 5 * 60_000;

interface IdleConnection {
  readonly connection: PooledConnection;
  /** In monotonic milliseconds: a timer is late when the event loop is busy. */
  readonly endsAtMs: number;
}

/**
 * Idle connections, by key and remote address. Node's agent with one change: a request names its
 * connection, so no request can end up on another one, and an address that was not vetted cannot be
 * dialed from here.
 */
export class ConnectionPool extends Agent {
  readonly #connections = new Map<string, PooledConnection>();
  readonly #bySocket = new WeakMap<Duplex, PooledConnection>();
  /** In the order in which they became idle. */
  readonly #idle = new Map<Duplex, IdleConnection>();
  /** The same by key, in the same order. */
  readonly #idleOf = new Map<string, Set<IdleConnection>>();
  readonly #distrusted = new LRUCache<string, true>({ max: DISTRUSTED_KEYS, ttl: DISTRUST_MS });
  readonly #maxIdle: number;
  readonly #idleTimeoutMs: number;
  #nextId = 0;
  #closed = false;

  constructor({ maxIdle, idleTimeoutMs }: ConnectionPoolOptions) {
    super({ keepAlive: true, timeout: idleTimeoutMs });
    this.#maxIdle = maxIdle;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  /** Registers a fresh connection, so that requests can name it. */
  add(connection: OutboundConnection, key: string): PooledConnection {
    this.#nextId += 1;
    const pooled = { ...connection, key, id: String(this.#nextId), keptForMs: this.#idleTimeoutMs };
    this.#connections.set(pooled.id, pooled);
    this.#bySocket.set(pooled.socket, pooled);
    pooled.socket.once('close', () => {
      this.#connections.delete(pooled.id);
      this.#removeIdle(pooled.socket);
    });
    return pooled;
  }

  /**
   * Takes the most recently used idle connection of the key to one of the addresses. What the peer has done to it
   * since is looked at first, a turn of the event loop long: it may have closed it, or have sent bytes that
   * belong to no request.
   */
  async takeIdle(key: string, addresses: readonly string[]): Promise<PooledConnection | undefined> {
    for (;;) {
      const found = this.#findIdle(key, addresses);
      if (found === undefined) return undefined;
      this.#removeIdle(found.socket);
      await new Promise((resolve) => setImmediate(resolve));
      if (isUsable(found)) return found;
      found.socket.destroy();
    }
  }

  #findIdle(key: string, addresses: readonly string[]): PooledConnection | undefined {
    const nowMs = performance.now();
    let last: PooledConnection | undefined;
    for (const { connection, endsAtMs } of this.#idleOf.get(key) ?? []) {
      if (endsAtMs <= nowMs || !isUsable(connection)) continue;
      if (addresses.includes(connection.address)) last = connection;
    }
    return last;
  }

  /** Whether requests of the key may take idle connections: not after one of them has failed. */
  isTrusted(key: string): boolean {
    return !this.#distrusted.has(key);
  }

  /** A request on an idle connection of the key has failed: for five minutes none is taken. */
  distrust(key: string): void {
    this.#distrusted.set(key, true);
    for (const { connection } of this.#idleOf.get(key) ?? []) connection.socket.destroy();
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
    const connection = this.#bySocket.get(socket);
    const keptForMs = Math.min(connection?.keptForMs ?? 0, this.#idleTimeoutMs);
    if (connection === undefined || this.#closed || this.#maxIdle === 0 || keptForMs <= 0) {
      return false;
    }
    // Node's return value says whether the peer allows reuse, which its types do not express.
    const mayKeep = super.keepSocketAlive(socket) as unknown;
    if (mayKeep === false || !isUsable(connection)) return false;
    // Of the new one it is known that it is in use.
    if (this.#idle.size >= this.#maxIdle) this.#closeOldest();
    this.#addIdle({ connection, endsAtMs: performance.now() + keptForMs });
    connection.socket.setTimeout(keptForMs);
    socket.on('data', destroyIdle);
    return true;
  }

  #closeOldest(): void {
    const [oldest] = this.#idle.keys();
    if (!oldest) return;
    this.#removeIdle(oldest);
    oldest.destroy();
  }

  #addIdle(idle: IdleConnection): void {
    const { socket, key } = idle.connection;
    this.#removeIdle(socket);
    this.#idle.set(socket, idle);
    this.#idleOf.set(key, (this.#idleOf.get(key) ?? new Set()).add(idle));
  }

  #removeIdle(socket: Duplex): void {
    const idle = this.#idle.get(socket);
    if (!idle) return;
    this.#idle.delete(socket);
    const { key } = idle.connection;
    const ofKey = this.#idleOf.get(key);
    ofKey?.delete(idle);
    if (ofKey?.size === 0) this.#idleOf.delete(key);
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

/** Whether neither side has closed it, or begun to. */
function isUsable({ socket }: PooledConnection): boolean {
  return !socket.destroyed && socket.writable && socket.readable;
}
