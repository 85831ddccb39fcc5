import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createServer as createTlsServer } from 'node:tls';
import type { Identity } from './certificates.ts';

/** A server at the other end of the dialer. */
export interface Peer {
  readonly port: number;
  /** Every connection accepted so far, in order. */
  readonly connections: readonly Socket[];
  /** Resolves when the n-th connection (from 1) has been accepted. */
  connected(count: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Where a peer listens; default 127.0.0.1 and a free port. */
export interface PeerAddress {
  readonly host?: string;
  readonly port?: number;
}

/** A real HTTPS server; `onRequest` sees the request once its body has arrived. */
export function startHttpsPeer(
  identity: Identity,
  onRequest: PeerHandler,
  at: PeerAddress = {},
): Promise<Peer> {
  const options = { ...identity, keepAliveTimeout: 60_000 };
  return listen(createHttpsServer(options, withBody(onRequest)), at);
}

/** The same without TLS. */
export function startHttpPeer(onRequest: PeerHandler, at: PeerAddress = {}): Promise<Peer> {
  return listen(createHttpServer({ keepAliveTimeout: 60_000 }, withBody(onRequest)), at);
}

type PeerHandler = (
  request: IncomingMessage & { body: string },
  response: Parameters<RequestListener>[1],
) => void;

function withBody(onRequest: PeerHandler): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      onRequest(Object.assign(request, { body: Buffer.concat(chunks).toString() }), response);
    });
  };
}

/** A TLS server that speaks whatever `onData` writes. */
export function startTlsPeer(
  identity: Identity,
  onData: (socket: TLSSocket, text: string) => void,
  at: PeerAddress = {},
): Promise<Peer> {
  const server = createTlsServer(identity, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => onData(socket, chunk.toString('latin1')));
  });
  return listen(server, at);
}

/** A TCP server that knows nothing of TLS. */
export function startTcpPeer(
  onConnection: (socket: Socket) => void,
  at: PeerAddress = {},
): Promise<Peer> {
  return listen(createTcpServer(onConnection), at);
}

async function listen(
  server: Server,
  { host = '127.0.0.1', port = 0 }: PeerAddress,
): Promise<Peer> {
  const connections: Socket[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => socket.destroy());
    connections.push(socket);
    server.emit('counted');
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    async connected(count) {
      while (connections.length < count) await once(server, 'counted');
    },
    async [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
