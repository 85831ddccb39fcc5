import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Server } from '@grpc/grpc-js';
import type { Logger } from '@probity/core';
import { addressNetworks, Places } from '@probity/core/internal';
import { CONNECTION_LIMITS } from '../http/listening.ts';

/** How many connections there are. */
interface Limits {
  /** Of all clients; by default as over HTTP. */
  readonly total: number;
  readonly perAddress: number;
}

const LIMITS: Limits = { total: 10_000, perAddress: CONNECTION_LIMITS.connectionsPerAddress };
/** Pause between two log lines on refused connections. */
const WARNING_PAUSE_MS = 60_000;

/** Takes connections for a gRPC server. */
export interface GrpcConnections {
  /** Listens; returns the port actually bound. */
  start(address: { readonly host: string; readonly port: number }): Promise<number>;
  /** Takes no further connections; open ones stay. */
  stop(): void;
}

/** Limits how many connections all clients, and the clients of one address, have; grpc-js limits neither. */
export function createGrpcConnections(
  injector: ReturnType<Server['createConnectionInjector']>,
  logger: Logger,
  limits: Limits = LIMITS,
): GrpcConnections {
  const places = new Places<Socket>({
    ...limits,
    isEndable: () => true,
    end: (socket) => socket.destroy(),
  });
  let refused = 0;
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  const warn = (address: string | undefined) => {
    refused += 1;
    if (performance.now() - warnedAtMs < WARNING_PAUSE_MS) return;
    warnedAtMs = performance.now();
    logger.warn('connections beyond the limit were closed', { refused, address });
    refused = 0;
  };
  const server = createServer((socket) => {
    const { remoteAddress } = socket;
    const place = places.takeIn(socket, addressNetworks(remoteAddress ?? null));
    socket.once('close', () => places.leave(place));
    if (place.isWithin) {
      injector.injectConnection(socket);
      return;
    }
    warn(remoteAddress);
    socket.destroy();
  });
  return {
    start: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    stop: () => {
      if (server.listening) server.close();
    },
  };
}
