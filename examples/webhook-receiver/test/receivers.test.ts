import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import type { TestLifetime } from '@probity/test-support';
import type { Secrets, WebhookEvent } from '@probity/webhooks/verify';
import express from 'express';
import { createExpressReceiver } from '../src/express.ts';
import { createFastifyReceiver } from '../src/fastify.ts';
import { createFetchReceiver } from '../src/fetch.ts';
import { createHonoReceiver } from '../src/hono.ts';
import type { Inbox } from '../src/inbox.ts';
import { createKoaReceiver } from '../src/koa.ts';
import { startSender } from './sender.ts';

type Receiver = (secrets: Secrets, inbox: Inbox) => Promise<RequestListener> | RequestListener;

/** The receivers, as listeners of Node's server. */
const RECEIVERS: ReadonlyArray<readonly [string, Receiver]> = [
  // In the environment `test` Express does not log refusals.
  ['Express', (secrets, inbox) => createExpressReceiver(secrets, inbox).set('env', 'test')],
  [
    'Koa',
    (secrets, inbox) => {
      const app = createKoaReceiver(secrets, inbox);
      app.silent = true;
      return app.callback();
    },
  ],
  [
    'Fastify',
    async (secrets, inbox) => {
      const app = createFastifyReceiver(secrets, inbox);
      await app.ready();
      return app.routing;
    },
  ],
  ['Hono', (secrets, inbox) => getRequestListener(createHonoReceiver(secrets, inbox).fetch)],
  [
    'a route handler of Next.js',
    (secrets, inbox) => getRequestListener(createFetchReceiver(secrets, inbox)),
  ],
];

/** An inbox that keeps events in memory. */
function createList(): Inbox & { readonly events: WebhookEvent[] } {
  const events: WebhookEvent[] = [];
  return { events, add: (event) => void events.push(event), work: async () => undefined };
}

/** Starts a server with this listener; resolves to its origin. */
async function listen(t: TestLifetime, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const [name, create] of RECEIVERS) {
  test(`${name}: a delivery of Probity is received, a forged and an unsigned one are refused`, async (t) => {
    let origin = '';
    const sender = await startSender(t, (path, init) => fetch(origin + path, init));
    const inbox = createList();
    origin = await listen(t, await create([sender.secret], inbox));

    const delivery = await sender.deliver('Ihre Adresse, größer als gedacht 🔒');
    assert.deepEqual([delivery.status, delivery.attempts[0]?.responseStatus], ['delivered', 204]);
    const [event] = inbox.events;
    assert.ok(event?.type === 'alert.created');
    assert.equal(event.id, delivery.eventId);
    assert.equal(event.data.message, 'Ihre Adresse, größer als gedacht 🔒');

    assert.equal(await sender.resend((body) => body.replace('high', 'low')), 401);
    const unsigned = await fetch(`${origin}/hook`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(event),
    });
    assert.equal(unsigned.status, 401);
    assert.equal(inbox.events.length, 1);
  });

  test(`${name}: an event of the largest size is received`, async (t) => {
    let origin = '';
    const sender = await startSender(t, (path, init) => fetch(origin + path, init));
    const inbox = createList();
    origin = await listen(t, await create(sender.secret, inbox));
    const { status, attempts } = await sender.deliver('x'.repeat(1_048_000));
    assert.deepEqual(
      [status, inbox.events.length],
      ['delivered', 1],
      attempts[0]?.responseBody ?? '',
    );
  });
}

test('a body that express.json() has parsed is answered with 500, and the log says what to do', async (t) => {
  let origin = '';
  const sender = await startSender(t, (path, init) => fetch(origin + path, init));
  const log = t.mock.method(console, 'error', () => undefined);
  const inbox = createList();
  const app = express().use(express.json({ limit: '2mb' }));
  app.use(createExpressReceiver(sender.secret, inbox));
  origin = await listen(t, app);
  const { attempts } = await sender.deliver('An address');
  assert.deepEqual([attempts[0]?.responseStatus, inbox.events.length], [500, 0]);
  assert.match(String(log.mock.calls[0]?.arguments[0]), /is a parsed object.*express\.raw/s);
});
