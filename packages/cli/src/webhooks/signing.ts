import { createHmac, randomBytes } from 'node:crypto';
import { usageFailure } from '../failure.ts';

const PREFIX = 'whsec_';

/** A secret of the form that webhooks have. */
export function makeSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/** @throws CommandFailure for what is no secret of a webhook; the message does not repeat it */
export function checkSecret(text: string, source: string): string {
  const secret = text.trim();
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret;
  throw usageFailure(`${source}: expected the secret of a webhook, whsec_ and base64`);
}

/** An event as it is sent. */
export interface SignedEvent {
  readonly id: string;
  readonly body: string;
  readonly at: Date;
}

/** The headers with which deliveries prove their origin: those of docs/webhooks/receive.md. */
export function signatureHeaders({ id, body, at }: SignedEvent, secret: string) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
