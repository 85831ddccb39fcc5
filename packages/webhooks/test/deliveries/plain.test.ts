import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { serve } from '../api.ts';
import { createWorld } from '../world.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver without TLS; `answer` ends each response. */
async function startReceiver(t: TestContext, answer: Parameters<typeof createAnswer>[1]) {
  const received: Received[] = [];
  const server = createServer(createAnswer(received, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, port: (server.address() as AddressInfo).port };
}

function createAnswer(
  received: Received[],
  answer: (response: Parameters<RequestListener>[1]) => void,
): RequestListener {
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(response);
  };
}

test('a webhook over plain http to a named loopback port gets signed events, with a warning', async (t) => {
  const { received, port } = await startReceiver(t, (response) => response.end());
  const world = await createWorld(t, { egress: `127.0.0.1/32:${port}` });
  const call = await serve(t, world);
  const url = `http://127.0.0.1:${port}/hook`;
  const { status, body } = await call('POST', '/webhooks', { url, events: ['alert.created'] });
  assert.equal(status, 201);
  assert.equal(body.data.url, url);
  assert.deepEqual(body.data.warnings, [
    'The url is plain http, for development only: deliveries are not encrypted. Use https in production.',
  ]);
  const logged = world.lines.filter((line) => line.includes('a webhook has a warning'));
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /"level":"warn".*plain http/);
  const [event] = await world.publish();
  await world.passSeconds(1);
  assert.equal(received.length, 1);
  const [request] = received;
  assert.equal(request?.headers['webhook-id'], event?.id);
  const hex = createHmac('sha256', body.data.secret)
    .update(request?.body ?? '')
    .digest('hex');
  assert.equal(request?.headers['x-service-signature'], `sha256=${hex}`);
  const [delivery] = await world.deliveriesOf(body.data.id);
  assert.equal(delivery?.status, 'delivered');
});

test('a delivery over plain http is retried and follows no redirect', async (t) => {
  const location = 'http://127.0.0.1:1/elsewhere';
  const { received, port } = await startReceiver(t, (response) =>
    response.writeHead(307, { location }).end(),
  );
  const world = await createWorld(t, { egress: `127.0.0.1/32:${port}` });
  const url = `http://127.0.0.1:${port}/hook`;
  const { webhook } = await world.webhooks.create(world.context, {
    url,
    events: ['alert.created'],
  });
  await world.publish();
  await world.passSeconds(20);
  assert.equal(received.length, 5);
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.deepEqual(
    delivery?.attempts.map(({ responseStatus }) => responseStatus),
    [307, 307, 307, 307, 307],
  );
});

test('a webhook over plain http is refused with its remedy where egress does not name the port', async (t) => {
  const { received, port } = await startReceiver(t, (response) => response.end());
  const world = await createWorld(t, { egress: '127.0.0.1/32,127.0.0.1/32:1' });
  const call = await serve(t, world);
  for (const host of ['127.0.0.1', 'localhost', 'public.example', '8.8.8.8']) {
    const url = `http://${host}:${port}/hook`;
    const answer = await call('POST', '/webhooks', { url, events: ['alert.created'] });
    assert.equal(answer.status, 422, url);
    const [detail] = (answer.body as { error: { details: Array<Record<string, string>> } }).error
      .details;
    assert.equal(detail?.field, 'url');
    assert.match(detail?.message ?? '', /^must be an absolute https URL; for development, /);
  }
  assert.equal(received.length, 0);
});

test('a webhook over plain http gets nothing once egress no longer names its port', async (t) => {
  const { received, port } = await startReceiver(t, (response) => response.end());
  const world = await createWorld(t, { egress: '127.0.0.1/32' });
  const { webhook } = await world.subscribe();
  const url = `http://127.0.0.1:${port}/hook`;
  await world.storage.withTenantLock(world.context, world.organizationId, (tx) =>
    tx.updateWebhook(world.organizationId, webhook.id, { url }),
  );
  await world.publish();
  await world.passSeconds(1);
  assert.equal(received.length, 0);
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.match(
    delivery?.attempts[0]?.error ?? '',
    /^invalid_url: The URL must be an absolute https/,
  );
});
