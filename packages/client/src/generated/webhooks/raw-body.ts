// Copied from packages/webhooks/src/receiving by scripts/client.mjs.

import { WebhookVerificationError } from './verification-error.ts';

/** A request's body as it was received: text, or bytes (also a Node `Buffer`). */
export type RawBody = string | Uint8Array | ArrayBuffer;

/**
 * The bytes of a body.
 * @throws WebhookVerificationError `body_not_raw`
 */
export function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // Not instanceof: the bytes of another realm, as in Jest, have other constructors.
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  throw new WebhookVerificationError(
    'body_not_raw',
    `The body must be the text or the bytes of the request, and is ${described(body)}. ` +
      "A body parser has probably read it: take the body before the parser, by express.raw({ type: '*/*' }), " +
      "Koa's ctx.request.rawBody, a content type parser of Fastify with parseAs: 'buffer', " +
      'or await request.arrayBuffer().',
  );
}

function described(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  return typeof value === 'object' ? 'a parsed object' : `a ${typeof value}`;
}
