import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../webhooks/secrets.ts';

/** The message to sign. */
export interface SignedMessage {
  /** The event's id. */
  readonly id: string;
  /** When the attempt begins. */
  readonly at: Date;
  /** The raw request body. */
  readonly body: string;
}

/**
 * The headers that prove a message's origin:
 * - `x-service-signature`: `sha256=` and the lower-case hex HMAC-SHA256 of the body, keyed with the
 *   secret's text as the customer was shown it (specification, "Security");
 * - `webhook-id`, `webhook-timestamp` (seconds since 1970) and `webhook-signature` of Standard
 *   Webhooks, keyed with the bytes that the secret's text encodes.
 */
export function signatureHeaders(
  { id, at, body }: SignedMessage,
  secret: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
