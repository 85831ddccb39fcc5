// Copied from packages/webhooks/src/receiving by scripts/client.mjs.

import { WebhookVerificationError } from './verification-error.ts';

/**
 * The secret of a webhook as it was shown, `whsec_…`; or several during a rotation, the old and the
 * new one.
 */
export type Secrets = string | readonly string[];

const PREFIX = 'whsec_';

/**
 * The secrets as a list of at least one, without spaces and line breaks around them, as files have.
 * @throws WebhookVerificationError `secret_invalid`
 */
export function listOf(secrets: Secrets): readonly string[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  if (Array.isArray(list) && list.length > 0 && list.every(isText)) {
    return list.map((secret) => secret.trim());
  }
  throw new WebhookVerificationError(
    'secret_invalid',
    'The secret is undefined or empty. Pass the text that was shown when the webhook was created, whsec_….',
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/**
 * The key that a secret encodes, for the signatures of Standard Webhooks. The prefix may be absent.
 * @throws WebhookVerificationError `secret_invalid`
 */
export function keyOf(secret: string): Uint8Array {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const key = decode(encoded);
  if (key !== null && key.length > 0) return key;
  throw new WebhookVerificationError(
    'secret_invalid',
    'The secret is not whsec_ and base64. Pass it as it was shown when the webhook was created.',
  );
}

function decode(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
