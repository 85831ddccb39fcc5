import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from '../src/receiver.ts';
import { createReceiver } from '../src/receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

test('a receiver accepts a signed event once and refuses a forged one', async (t) => {
  const received: Array<readonly [string, WebhookEvent]> = [];
  const app = createReceiver(SECRET, async (id, event) => void received.push([id, event]));
  const server = app.listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const send = async (body: string, signed = body) => {
    const at = new Date();
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(SECRET).sign('evt_1', at, signed),
      },
      body,
    });
    return response.status;
  };
  const event = {
    type: 'alert.created',
    timestamp: '2026-01-01T00:00:00Z',
    data: { alertId: 'a' },
  };
  const body = JSON.stringify(event);
  assert.deepEqual([await send(body), await send(body)], [204, 204]);
  assert.deepEqual(received, [['evt_1', event]]);
  assert.equal(await send(body.replace('alert.created', 'alert.resolved'), body), 401);
  assert.equal(received.length, 1);
});
