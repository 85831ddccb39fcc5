import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { EventRecord } from '@probity/core';
import { systemRandom } from '@probity/core';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { toEnvelope } from '../../src/deliveries/envelope.ts';
import { signatureHeaders } from '../../src/deliveries/signing.ts';
import { mintWebhookSecret } from '../../src/secrets/secrets.ts';

const BODY = '{"text":"ä"}';

test('a webhook secret is whsec_ and 32 random bytes in base64', () => {
  const secrets = [mintWebhookSecret(systemRandom), mintWebhookSecret(systemRandom)];
  for (const secret of secrets) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  }
  assert.notEqual(secrets[0], secrets[1]);
});

test('the service signature is keyed with the text of the secret, prefix included', () => {
  const secret = mintWebhookSecret(systemRandom);
  const headers = signatureHeaders({ id: 'evt_1', at: new Date(), body: BODY }, secret);
  const hex = createHmac('sha256', Buffer.from(secret, 'ascii'))
    .update(Buffer.from(BODY, 'utf8'))
    .digest('hex');
  assert.equal(headers['x-service-signature'], `sha256=${hex}`);
});

test('the Standard Webhooks library accepts a signed body and rejects a changed one', () => {
  const secret = mintWebhookSecret(systemRandom);
  const headers = signatureHeaders({ id: 'evt_1', at: new Date(), body: BODY }, secret);
  const receiver = new StandardWebhook(secret);
  assert.deepEqual(receiver.verify(BODY, headers), JSON.parse(BODY));
  assert.throws(() => receiver.verify(`${BODY} `, headers), /signature/i);
});

test('the signature of a delivery covers the id of the event and the time of the attempt', () => {
  const secret = mintWebhookSecret(systemRandom);
  const at = new Date(1_767_225_600_999);
  const first = signatureHeaders({ id: 'evt_1', at, body: BODY }, secret);
  assert.equal(first['webhook-timestamp'], '1767225600');
  const others = [
    { id: 'evt_2', at, body: BODY },
    { id: 'evt_1', at: new Date(at.getTime() + 1), body: BODY },
  ];
  for (const other of others) {
    const headers = signatureHeaders(other, secret);
    assert.notEqual(headers['webhook-signature'], first['webhook-signature']);
  }
});

test('the envelope of an event has its id, type, timestamp and data and nothing else', () => {
  const event: EventRecord<'scan.completed'> = {
    id: 'evt_1',
    organizationId: 'org_1',
    type: 'scan.completed',
    data: { scanId: 'scn_1', total: 2, allowed: 1, flagged: 1, blocked: 0, errors: 0 },
    requestId: 'req_1',
    createdAt: new Date('2026-01-01T00:00:00.5Z'),
  };
  assert.equal(
    toEnvelope(event),
    '{"id":"evt_1","type":"scan.completed","timestamp":"2026-01-01T00:00:00.500Z",' +
      '"data":{"scanId":"scn_1","total":2,"allowed":1,"flagged":1,"blocked":0,"errors":0}}',
  );
});
