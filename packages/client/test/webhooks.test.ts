import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { WebhookEvent } from '../src/webhooks.ts';
import {
  verifyServiceSignature,
  verifyWebhook,
  WebhookVerificationError,
} from '../src/webhooks.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const SIGNED_AT = new Date('2026-01-01T00:00:00Z');
const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'alert.created',
  timestamp: SIGNED_AT.toISOString(),
  data: { alertId: 'alr_1', severity: 'high', type: 'pii', message: 'm' },
});

function headersOf(body: string): Headers {
  const seconds = String(SIGNED_AT.getTime() / 1_000);
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const signed = createHmac('sha256', key).update(`evt_1.${seconds}.${body}`).digest('base64');
  return new Headers({
    'webhook-id': 'evt_1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signed}`,
    'x-service-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  });
}

/** What a receiver does with an event: the data has the type that `type` tells. */
function alertOf(event: WebhookEvent): string | null {
  return event.type === 'alert.created' ? event.data.alertId : null;
}

test('a genuine webhook is accepted by either signature', async () => {
  const clock = { now: () => SIGNED_AT };
  assert.equal(alertOf(await verifyWebhook(BODY, headersOf(BODY), SECRET, { clock })), 'alr_1');
  assert.equal(alertOf(await verifyServiceSignature(BODY, headersOf(BODY), SECRET)), 'alr_1');
});

test('a webhook with another body, or sent again later, is refused', async () => {
  const clock = { now: () => SIGNED_AT };
  const forged = verifyWebhook(`${BODY} `, headersOf(BODY), SECRET, { clock });
  await assert.rejects(
    forged,
    (error) => error instanceof WebhookVerificationError && error.code === 'signature_mismatch',
  );
  const later = { now: () => new Date(SIGNED_AT.getTime() + 3_600_000) };
  const replayed = verifyWebhook(BODY, headersOf(BODY), SECRET, { clock: later });
  await assert.rejects(replayed, { code: 'timestamp_too_old', status: 401 });
});
