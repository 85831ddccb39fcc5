import { createHmac } from 'node:crypto';

/** The secret of the requests, `whsec_` and 32 bytes. */
export const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** Another secret. */
export const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** An event in JSON. */
export const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'alert.created',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { alertId: 'alr_1', severity: 'high', type: 'pii', message: 'Персональные данные 🔒' },
});

/** When the requests are signed. */
export const SIGNED_AT = new Date('2026-01-01T00:00:10.900Z');

/** A clock that stands these seconds after the time of signing. */
export function clockAfter(seconds: number) {
  return { now: () => new Date(SIGNED_AT.getTime() + seconds * 1_000) };
}

/** The entry of `webhook-signature` for a message. */
export function signatureOf(
  body: string | Uint8Array,
  { id = 'evt_1', at = SIGNED_AT, secret = SECRET } = {},
): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const message = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body);
  return `v1,${message.digest('base64')}`;
}
