import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { signatureHeaders } from '../../src/deliveries/signing.ts';
import { verifyServiceSignature, verifyWebhook } from '../../src/verify.ts';
import { SECRET, SIGNED_AT } from './requests.ts';

const clock = { now: () => SIGNED_AT };

/** Events with any id, type and data that JSON has. */
const events = fc.record({
  id: fc.stringMatching(/^evt_[A-Za-z0-9_-]{1,64}$/),
  type: fc.constantFrom('alert.created', 'order.shipped'),
  timestamp: fc.constant('2026-01-01T00:00:00.000Z'),
  data: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
});
const secrets = fc.uint8Array({ minLength: 1, maxLength: 64 }).chain((key) => {
  const encoded = Buffer.from(key).toString('base64');
  return fc.constantFrom(encoded, `whsec_${encoded}`);
});
const forms = [
  (text: string) => text,
  (text: string) => Buffer.from(text),
  (text: string) => new TextEncoder().encode(text),
  (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer,
] as const;

test('what the Standard Webhooks library signs is verified, in every form of body and secret', async () => {
  const verified = fc.asyncProperty(
    ...([events, secrets, fc.constantFrom(...forms), fc.constantFrom('', '  ', '\t')] as const),
    async (event, secret, form, indent) => {
      const body = JSON.stringify(event, null, indent);
      const headers = {
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(SIGNED_AT.getTime() / 1_000)),
        'webhook-signature': new StandardWebhook(secret).sign(event.id, SIGNED_AT, body),
      };
      const found: object = await verifyWebhook(form(body), headers, secret, { clock });
      assert.deepEqual(found, JSON.parse(body));
      await assert.rejects(verifyWebhook(form(`${body} `), headers, secret, { clock }), {
        code: 'signature_mismatch',
      });
    },
  );
  await fc.assert(verified, { numRuns: roundsOf(200) });
});

test('what Probity signs is verified here and by the Standard Webhooks library', async () => {
  const verified = fc.asyncProperty(events, async (event) => {
    const body = JSON.stringify(event);
    const at = new Date(); // the library has no clock to set
    const headers = signatureHeaders({ id: event.id, at, body }, SECRET);
    const expected = JSON.parse(body);
    assert.deepEqual(new StandardWebhook(SECRET).verify(body, headers), expected);
    const { 'x-service-signature': service = '', ...standard } = headers;
    assert.deepEqual((await verifyWebhook(body, standard, SECRET)) as object, expected);
    const only = { 'X-Service-Signature': service };
    assert.deepEqual((await verifyServiceSignature(body, only, SECRET)) as object, expected);
  });
  await fc.assert(verified, { numRuns: roundsOf(100) });
});

test('a body of 1 MB and an empty one are verified as they are', async () => {
  const standard = new StandardWebhook(SECRET);
  const headersOf = (body: string) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(SIGNED_AT.getTime() / 1_000)),
    'webhook-signature': standard.sign('evt_1', SIGNED_AT, body),
  });
  const data = { text: 'ä'.repeat(524_288) };
  const event = { id: 'evt_1', type: 'order.shipped', timestamp: '2026-01-01T00:00:00Z', data };
  const large = JSON.stringify(event);
  const found: object = await verifyWebhook(large, headersOf(large), SECRET, { clock });
  assert.deepEqual(found, event);
  // Its signature is right: only the missing event is at fault.
  await assert.rejects(verifyWebhook('', headersOf(''), SECRET, { clock }), {
    code: 'body_not_event',
  });
});

for (const [seconds, code] of [
  [0, null],
  [300, null],
  [301, 'timestamp_too_old'],
  [-300, null],
  [-301, 'timestamp_too_new'],
] as const) {
  test(`${seconds} s after its signing a request is ${code ?? 'accepted'}, here and there`, async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: SIGNED_AT.getTime() + seconds * 1_000 });
    const body = JSON.stringify({ id: 'evt_1', type: 'a.b', timestamp: 'now', data: {} });
    const headers = signatureHeaders({ id: 'evt_1', at: SIGNED_AT, body }, SECRET);
    const there = () => new StandardWebhook(SECRET).verify(body, headers);
    const here = () => verifyWebhook(body, headers, SECRET);
    if (code === null) {
      assert.doesNotThrow(there);
      await here();
    } else {
      assert.throws(there, /timestamp too (old|new)/);
      await assert.rejects(here, { code });
    }
  });
}
