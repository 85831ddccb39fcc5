import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { createServer } from 'node:tls';
import { testCertificate } from './certificate.ts';
import { once } from './once.ts';
import type { TestLifetime } from './temporary-folder.ts';

/** What a receiver does to its connections; by default it accepts them, and answers nothing. */
export interface RawBehavior {
  /** Options of TLS; default: the certificate of `startHttpsReceiver`. */
  readonly tls?: TlsOptions;
  /** Called with each TCP connection, before TLS. */
  onConnection?(connection: Socket): void;
  /** Called when the first bytes of a request have arrived; `connection` is the one below TLS. */
  onFirstBytes?(socket: TLSSocket, connection: Socket | undefined): void;
  /** Called when a request has arrived completely. */
  onRequest?(socket: TLSSocket, connection: Socket | undefined): void;
}

/** A TLS server that writes bytes of the test's choice, and counts connections and HTTP requests. */
export interface RawReceiver {
  /** `https://127.0.0.1:port`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** TCP connections so far. */
  readonly connections: number;
  /** TCP connections that are not closed. */
  readonly openConnections: number;
  /** HTTP requests so far, also those that did not arrive completely. */
  readonly requests: number;
  /** Closes the server and all its connections. Idempotent. */
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startRawReceiver(
  test: TestLifetime,
  behavior: RawBehavior,
): Promise<RawReceiver> {
  const { key, certificate } = await testCertificate();
  const options = { key, cert: certificate, allowHalfOpen: true, ...behavior.tls };
  const connections: Socket[] = [];
  let requests = 0;
  const server = createServer(options, (socket) => {
    const connection = connections.find(({ remotePort }) => remotePort === socket.remotePort);
    socket.on('error', () => socket.destroy());
    let unread = '';
    let isCounted = false;
    socket.setEncoding('latin1').on('data', (text: string) => {
      const isFirst = unread === '';
      unread += text;
      if (isFirst) behavior.onFirstBytes?.(socket, connection);
      for (;;) {
        if (!isCounted && REQUEST_LINE.test(unread)) {
          isCounted = true;
          requests += 1;
        }
        const length = requestLength(unread);
        if (length === 0 || unread.length < length) return;
        unread = unread.slice(length);
        isCounted = false;
        behavior.onRequest?.(socket, connection);
      }
    });
  });
  server.on('connection', (connection) => {
    connections.push(connection);
    connection.on('error', () => connection.destroy());
    behavior.onConnection?.(connection);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = once(async () => {
    for (const connection of connections) connection.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  test.after(close);
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    get connections() {
      return connections.length;
    },
    get openConnections() {
      return connections.filter(({ destroyed }) => !destroyed).length;
    },
    get requests() {
      return requests;
    },
    close,
  };
}

const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/1\.1\r\n/;

/** Length of the first request, head and body; 0 while its head is incomplete. */
function requestLength(text: string): number {
  const headLength = text.indexOf('\r\n\r\n') + 4;
  if (headLength < 4) return 0;
  const [, bodyLength = '0'] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headLength)) ?? [];
  return headLength + Number(bodyLength);
}
