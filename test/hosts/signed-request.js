import { createHmac } from 'node:crypto';

/** The secret of {@link signedRequest}. */
export const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/**
 * A webhook of Standard Webhooks that is signed now.
 * @returns {{ body: string, headers: Record<string, string> }}
 */
export function signedRequest() {
  const id = 'evt_1';
  const body = JSON.stringify({ id, type: 'order.shipped', timestamp: '2026-01-01', data: {} });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${digest}`,
    },
  };
}
