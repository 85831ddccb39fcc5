// Copied from packages/webhooks/src/receiving by scripts/client.mjs.

import type { ProbityEvents, WebhookEvent } from './events.ts';
import { parseEvent } from './events.ts';
import type { HeaderSource } from './headers.ts';
import { requireHeader } from './headers.ts';
import type { RawBody } from './raw-body.ts';
import { bytesOf } from './raw-body.ts';
import type { Secrets } from './secrets.ts';
import { keyOf, listOf } from './secrets.ts';
import { hmac, includesText, toBase64, toHex } from './signature.ts';
import { checkTimestamp, checkTolerance } from './timestamp.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** Options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /**
   * By how many seconds the time of signing may differ from now, in both directions; default 300.
   * `Infinity` accepts any time, and so also a request that was recorded and sent again.
   */
  readonly toleranceSeconds?: number | undefined;
  /** Default: the time of the system. */
  readonly clock?: { now(): Date } | undefined;
}

/**
 * Verifies a webhook by its Standard Webhooks headers (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature`) and returns its event. It is genuine when one of the signatures was made with
 * one of the secrets. The type of the data is the sender's promise; it is not checked.
 * @param rawBody the body before any parser
 * @throws WebhookVerificationError
 * @throws RangeError when `toleranceSeconds` is no number or negative
 * @throws TypeError when `headers` are no object
 */
export async function verifyWebhook<Events extends object = ProbityEvents>(
  rawBody: RawBody,
  headers: HeaderSource,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<WebhookEvent<Events>> {
  const { toleranceSeconds = 300, clock = { now: () => new Date() } } = options;
  checkTolerance(toleranceSeconds);
  const body = bytesOf(rawBody);
  const keys = listOf(secrets).map(keyOf);
  const id = requireHeader(headers, 'webhook-id');
  const timestamp = requireHeader(headers, 'webhook-timestamp');
  const signatures = requireHeader(headers, 'webhook-signature').split(' ');
  checkTimestamp(timestamp, { toleranceSeconds, now: clock.now() });
  const message = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const expected = await Promise.all(
    keys.map(async (key) => `v1,${toBase64(await hmac(key, message))}`),
  );
  requireMatch(signatures, expected);
  return parseEvent(body) as WebhookEvent<Events>;
}

/**
 * Verifies a webhook by `X-Service-Signature` alone and returns its event. This signature does not
 * cover the time of the request: one that was recorded can be sent again, so store the ids of events.
 * Prefer {@link verifyWebhook}.
 * @param rawBody the body before any parser
 * @throws WebhookVerificationError
 * @throws TypeError when `headers` are no object
 */
export async function verifyServiceSignature<Events extends object = ProbityEvents>(
  rawBody: RawBody,
  headers: HeaderSource,
  secrets: Secrets,
): Promise<WebhookEvent<Events>> {
  const body = bytesOf(rawBody);
  const keys = listOf(secrets).map((secret) => new TextEncoder().encode(secret));
  const signatures = requireHeader(headers, 'x-service-signature').split(' ');
  const expected = await Promise.all(
    keys.map(async (key) => `sha256=${toHex(await hmac(key, body))}`),
  );
  requireMatch(signatures, expected);
  return parseEvent(body) as WebhookEvent<Events>;
}

function requireMatch(signatures: readonly string[], expected: readonly string[]): void {
  const matches = expected.map((each) => includesText(signatures, each));
  if (matches.includes(true)) return;
  throw new WebhookVerificationError(
    'signature_mismatch',
    'No signature of the request was made over this body with a secret of this receiver. ' +
      'Either the secret is another one, or the body was changed on its way, as by a parser.',
  );
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
