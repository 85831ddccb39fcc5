import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

/** A message without a type comes first: its length is at the beginning. */
const START_TYPELESS = 0;
const AFTER_TYPE = 1;
/** Messages behind which the server answers: Query, Sync, Terminate. */
const ANSWERED: ReadonlySet<string> = new Set(['Q', 'S', 'X']);

/**
 * Starts PostgreSQL with pgvector in this process, for clients that speak its protocol. PGlite has one session: messages
 * of a client are handed on up to where the server answers, so that those of clients do not mix.
 */
export async function startPglite(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const database = await PGlite.create({ extensions: { vector } });
  let turn: Promise<unknown> = Promise.resolve();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let held = Buffer.alloc(0);
    let isStarted = false;
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      held = Buffer.concat([held, data]);
      const end = answeredEnd(held, isStarted);
      if (end === 0) return;
      isStarted = true;
      const messages = Uint8Array.from(held.subarray(0, end));
      held = held.subarray(end);
      turn = turn.then(async () => {
        const answer = await database.execProtocolRaw(messages);
        if (!socket.destroyed) socket.write(answer);
      });
      turn.catch(() => socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await turn.catch(() => undefined);
      await database.close();
    },
  };
}

/** The place behind the last complete message that the server answers; 0 for none. */
function answeredEnd(bytes: Buffer, isStarted: boolean): number {
  let [at, end] = [0, 0];
  let typed = isStarted;
  for (;;) {
    const from = at + (typed ? AFTER_TYPE : START_TYPELESS);
    if (bytes.length < from + 4) return end;
    const next = from + bytes.readUInt32BE(from);
    if (bytes.length < next) return end;
    const type = typed ? String.fromCharCode(bytes[at] as number) : 'S';
    if (ANSWERED.has(type)) end = next;
    typed = true;
    at = next;
  }
}
