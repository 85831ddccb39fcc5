import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to port 0 and to outgoing connections, so that neither takes one meanwhile. */
const [FIRST_PORT, LAST_PORT] = [12_000, 32_000];

/**
 * A TCP port of 127.0.0.1 that was free a moment ago, for programs that cannot bind port 0 themselves: one of
 * {@link FIRST_PORT} to {@link LAST_PORT} by chance, so that two runs at once hardly choose the same.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
