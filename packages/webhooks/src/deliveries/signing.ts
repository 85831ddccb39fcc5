import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../secrets/secrets.ts';

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
 *   text of the present secret as the customer was shown it (specification, "Security");
 * - `webhook-id`, `webhook-timestamp` (seconds since 1970) and `webhook-signature` of Standard
 *   Webhooks: a signature for each secret, separated by spaces and keyed with the bytes that the
 *   secret's text encodes.
 * @param former secrets that sign beside the present one
 */
export function signatureHeaders(
  { id, at, body }: SignedMessage,
  secret: string,
  former: readonly string[] = [],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = [secret, ...former].map((each) => {
    const key = Buffer.from(each.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
