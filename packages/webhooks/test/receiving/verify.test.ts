import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { PROBITY_EVENTS } from '../../src/index.ts';
import type { EventsOf, ProbityEvents, WebhookEvent } from '../../src/verify.ts';
import { verifyServiceSignature, verifyWebhook } from '../../src/verify.ts';
import { BODY, clockAfter, OTHER_SECRET, SECRET, SIGNED_AT, signatureOf } from './requests.ts';

const clock = clockAfter(0);
const seconds = String(Math.floor(SIGNED_AT.getTime() / 1_000));
const signed = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': seconds,
  'webhook-signature': signatureOf(BODY),
};

test('headers may be of the Fetch API, of Node, or an object in any case', async () => {
  const ofNode: IncomingHttpHeaders = { ...signed, 'set-cookie': ['a=1'] };
  const inCapitals = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const inList = { ...signed, 'webhook-id': ['evt_1'] };
  for (const headers of [new Headers(signed), ofNode, inCapitals, inList]) {
    const { id } = await verifyWebhook(BODY, headers, SECRET, { clock });
    assert.equal(id, 'evt_1');
  }
});

test('during a rotation any of the signatures may match any of the secrets', async () => {
  const old = signatureOf(BODY, { secret: OTHER_SECRET });
  const both = { ...signed, 'webhook-signature': `${old} ${signed['webhook-signature']}` };
  const oldOnly = { ...signed, 'webhook-signature': old };
  for (const [headers, secrets] of [
    [both, SECRET],
    [both, OTHER_SECRET],
    [both, [SECRET, OTHER_SECRET]],
    [oldOnly, [SECRET, OTHER_SECRET]],
    [signed, [OTHER_SECRET, SECRET]],
  ] as const) {
    await verifyWebhook(BODY, headers, secrets, { clock });
  }
  const hex = createHmac('sha256', OTHER_SECRET).update(BODY).digest('hex');
  const service = new Headers({ 'X-Service-Signature': `sha256=${hex}` });
  await verifyServiceSignature(BODY, service, [SECRET, OTHER_SECRET]);
});

test('bytes of another realm and a part of a larger buffer are taken as they are', async () => {
  const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes: Buffer.from(BODY) });
  assert.ok(!(foreign instanceof Uint8Array));
  const part = Buffer.from(`..${BODY}..`).subarray(2, -2);
  for (const body of [foreign, foreign.buffer, part]) {
    await verifyWebhook(body, signed, SECRET, { clock });
  }
});

test('the tolerance can be set, and Infinity accepts a stored request', async () => {
  const late = { clock: clockAfter(86_400) };
  await verifyWebhook(BODY, signed, SECRET, { ...late, toleranceSeconds: 86_400 });
  await verifyWebhook(BODY, signed, SECRET, {
    ...late,
    toleranceSeconds: Number.POSITIVE_INFINITY,
  });
  await assert.rejects(verifyWebhook(BODY, signed, SECRET, { ...late, toleranceSeconds: 86_399 }), {
    code: 'timestamp_too_old',
    message: /signed 86400 s ago, and 86399 s are accepted/,
  });
});

test('a body is hashed once for each secret, however many signatures a request has', async (t) => {
  const sign = t.mock.method(crypto.subtle, 'sign');
  const forged = Array.from({ length: 300 }, (_, index) => signatureOf(`${index}`)).join(' ');
  const headers = { ...signed, 'webhook-signature': forged };
  const call = verifyWebhook(BODY, headers, [SECRET, OTHER_SECRET], { clock });
  await assert.rejects(call, { code: 'signature_mismatch' });
  assert.equal(sign.mock.callCount(), 2);
});

/** Compiles only where both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

test('events are typed by their type, those of the catalog and those of a host', async () => {
  const event = await verifyWebhook(BODY, signed, SECRET, { clock });
  assert.ok(event.type === 'alert.created');
  const severity: 'low' | 'medium' | 'high' | 'critical' = event.data.severity;
  assert.equal(severity, 'high');

  const catalog = {
    ...PROBITY_EVENTS,
    'order.shipped': {
      description: 'An order has left the warehouse.',
      schema: z.object({ orderId: z.string(), boxes: z.int() }),
      example: { orderId: 'ord_1', boxes: 2 },
    },
    'order.lost': { description: 'An order was lost.', example: { orderId: 'ord_1' } },
  };
  type Events = EventsOf<typeof catalog>;
  const areSame: readonly true[] = [
    true satisfies Same<EventsOf<typeof PROBITY_EVENTS>, ProbityEvents>,
    true satisfies Same<Events['order.shipped'], { orderId: string; boxes: number }>,
    true satisfies Same<Events['order.lost'], { orderId: string }>,
    true satisfies Same<WebhookEvent['type'], keyof ProbityEvents>,
  ];
  assert.equal(areSame.length, 4);
  const body = BODY.replace('alert.created', 'order.shipped');
  const headers = { ...signed, 'webhook-signature': signatureOf(body) };
  const own = await verifyWebhook<Events>(body, headers, SECRET, { clock });
  if (own.type === 'order.shipped') assert.equal(own.data.boxes satisfies number, undefined);
  // @ts-expect-error: no such type
  assert.notEqual(own.type, 'order.eaten' satisfies typeof own.type);
});
