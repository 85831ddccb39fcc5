import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { silentLogger } from '@probity/core';
import type { TestLifetime } from '@probity/test-support';
import type { PoolSettings } from '../../src/database/postgres-pool.ts';

/** Settings of a pool for a server without TLS. */
export function settings(some: Partial<PoolSettings> = {}): PoolSettings {
  return {
    ...{ pool_size: 1, max_overflow: 0, pool_timeout_sec: 30, query_timeout_sec: 10 },
    ssl_mode: 'disable',
    ...some,
  };
}

export const logger = silentLogger;

/** A server in front of a PostgreSQL server, which can be stopped, started again, and take TLS. */
export interface FrontServer {
  readonly url: string;
  /** Connections that were encrypted, and those that were not. */
  readonly counts: { tls: number; plain: number };
  /** Ends all connections and takes no more. */
  stop(): Promise<void>;
  /** Takes connections again, at the same port. */
  start(): Promise<void>;
}

const SSL_REQUEST = 80_877_103;

/** Starts a front server; with a key and a certificate it answers the request for TLS. */
export async function startFront(
  t: TestLifetime,
  target: string,
  tls?: { readonly key: string; readonly certificate: string },
): Promise<FrontServer> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const counts = { tls: 0, plain: 0 };
  const join = (socket: Socket, first?: Buffer) => {
    const upstream = connect(Number(port), hostname);
    sockets.add(upstream);
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    if (first) upstream.write(first);
    socket.pipe(upstream).pipe(socket);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      const isRequest = first.length === 8 && first.readInt32BE(4) === SSL_REQUEST;
      if (!isRequest) {
        counts.plain++;
        socket.pause();
        join(socket, first);
        return;
      }
      if (!tls) {
        socket.write('N');
        return;
      }
      counts.tls++;
      const secureContext = createSecureContext({ key: tls.key, cert: tls.certificate });
      socket.write('S', () => join(new TLSSocket(socket, { isServer: true, secureContext })));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const url = new URL(target);
  url.port = String(own);
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.after(stop);
  return {
    url: url.href,
    counts,
    stop,
    async start() {
      server.listen(own, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
