// Copied from packages/webhooks/src/receiving by scripts/client.mjs.

/** The statuses with which a receiver answers, by code. */
const STATUSES = {
  /** A header of the signature is absent or empty. */
  header_missing: 401,
  /** `webhook-timestamp` is not a number of seconds. */
  timestamp_invalid: 401,
  /** The request was signed longer ago than the tolerance. */
  timestamp_too_old: 401,
  /** The request was signed further in the future than the tolerance. */
  timestamp_too_new: 401,
  /** No signature was made with one of the secrets over this body. */
  signature_mismatch: 401,
  /** The signature is right, but the body is not an event in JSON. */
  body_not_event: 400,
  /** The receiver passed something other than the bytes of the request, such as parsed JSON. */
  body_not_raw: 500,
  /** The receiver passed no secret, or one that is not base64. */
  secret_invalid: 500,
} as const;

/** Why a request was refused. */
export type VerificationErrorCode = keyof typeof STATUSES;

/**
 * A request that is not a genuine event, or a receiver that cannot tell. Its message names neither
 * the secret nor the expected signature.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: VerificationErrorCode;
  /**
   * The status to answer with, which Express, Koa and Fastify do where the error is thrown from a
   * handler: 401 not signed, 400 not an event, 500 a mistake in the receiver.
   */
  readonly status: 400 | 401 | 500;
  /** Whether the sender may read the message, as Koa understands it: not that of a 500. */
  readonly expose: boolean;

  constructor(code: VerificationErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.status = STATUSES[code];
    this.expose = this.status < 500;
  }
}
