import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { TestLifetime } from '@probity/test-support';

/** A TCP server that knows nothing of TLS; `onGreeting` is called with the first bytes of a connection. */
export async function startTcpReceiver(
  t: TestLifetime,
  onGreeting: (socket: Socket) => void,
): Promise<{ readonly url: string }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => socket.destroy()).once('data', () => onGreeting(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
