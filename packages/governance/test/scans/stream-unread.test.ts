import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHttpServer, generalErrors } from '@probity/core/koa';
import type { TestLifetime } from '@probity/test-support';
import { until } from '@probity/test-support';
import Koa from 'koa';
import { createGovernanceRouter } from '../../src/koa.ts';
import type { World } from '../world.ts';
import { createWorld } from '../world.ts';

/** Of addresses, each of which makes an event of some hundred bytes: far more than sockets buffer. */
const LINES = 4_000;
const ADDRESSES = 40;

/** Serves the world as the server does: connections whose answers nobody reads end, here after a moment. */
async function serve(t: TestLifetime, world: World) {
  const sockets: Socket[] = [];
  const app = new Koa();
  app.silent = true;
  app.use((ctx, next) => {
    sockets.push(ctx.req.socket);
    return next();
  });
  const authenticate = async () => world.context.principal;
  app.use(createGovernanceRouter(world, { authenticate }).routes());
  const server = createHttpServer({
    ...{ handler: app.callback(), host: '127.0.0.1', port: 0 },
    errorFormatOf: () => generalErrors,
    unreadAnswerTimeoutMs: 2_000,
  });
  const url = await server.start();
  t.after(() => server.stop());
  return { port: Number(new URL(url).port), sockets };
}

/** Writes lines as fast as the server reads them, and never reads itself. */
async function writeLines(client: Socket): Promise<void> {
  client.write(
    'POST /governance/scan/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\n' +
      'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  for (let line = -1; line < LINES && !client.destroyed; line += 1) {
    const text = lineOf(line);
    const chunk = `${text.length.toString(16)}\r\n${text}\r\n`;
    if (!client.write(chunk)) await Promise.race([once(client, 'drain'), once(client, 'close')]);
    // The server is in the same process, and closes a connection of which it has read nothing in time.
    else await nextTurn();
  }
}

function lineOf(line: number): string {
  const words = Array.from({ length: ADDRESSES }, (_, at) => `m${line}.${at}@example.org`);
  return `${line < 0 ? '{}' : JSON.stringify({ text: ` ${words.join(' ')}.` })}\n`;
}

test('a client that never reads its stream is held back, and ends with its connection; what came is stored', async (t) => {
  const world = await createWorld(t);
  const { port, sockets } = await serve(t, world);
  const client = connect(port, '127.0.0.1');
  t.after(() => client.destroy());
  client.on('error', () => undefined);
  client.pause();
  let longest = 0;
  const watch = setInterval(() => {
    for (const { writableLength } of sockets) longest = Math.max(longest, writableLength);
  }, 5);
  t.after(() => clearInterval(watch));
  const writing = writeLines(client);
  await until(() => sockets[0]?.destroyed === true, 'the server has closed the connection');
  client.destroy();
  await writing;
  // What waits in the process is a few events, however much the client sends.
  assert.ok(longest < 1_048_576, `${longest} bytes wait for the client`);
  const { bytesRead = Infinity, bytesWritten } = sockets[0] ?? {};
  assert.ok(bytesRead < LINES * lineOf(0).length, `${bytesRead} bytes were read`);

  let [stored] = await recordsOf(world);
  await until(async () => {
    [stored] = await recordsOf(world);
    return stored !== undefined;
  }, 'the scan is stored');
  assert.deepEqual([stored?.verdict, stored?.findings[0]?.type], ['flagged', 'email']);
  t.diagnostic(`${bytesRead} bytes read, ${bytesWritten} written, at most ${longest} waiting`);
});

async function recordsOf({ scans, context }: World) {
  return (await scans.list(context, {}, { limit: 10, offset: 0 })).items;
}
