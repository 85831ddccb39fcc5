import type { IncomingMessage } from 'node:http';
import { ProbityError } from '@probity/core';
import type { Middleware } from 'koa';
import type { KeyStore } from '../api-keys/key-store.ts';
import type { PresentedSignature, SignatureFault, Signatures } from '../signing/signatures.ts';

/** Dependencies of the check of signatures. */
export interface SignedRequestOptions {
  readonly signatures: Signatures;
  readonly keys: KeyStore;
  /** Largest body in bytes. */
  readonly limit: number;
  /** Paths whose requests are signed. */
  readonly isSigned: (path: string) => boolean;
  readonly onRefused: (error: ProbityError) => void;
}

const MESSAGES: Readonly<Record<NonNullable<SignatureFault>, string>> = {
  missing: 'The request needs the headers x-signature and x-signature-timestamp.',
  malformed:
    'x-signature is sha256= and 64 hexadecimal digits, x-signature-timestamp Unix seconds.',
  expired: 'x-signature-timestamp is more than 300 seconds from now.',
  wrong: 'x-signature does not fit the body and the timestamp.',
  replayed: 'x-signature has been used before.',
};

const verified = new WeakSet<IncomingMessage>();

/** Whether the signature of a request has been checked. */
export function isVerified(request: IncomingMessage): boolean {
  return verified.has(request);
}

/**
 * Checks the signatures of requests. The head is looked at first: nobody has a body read with a wrong
 * key, or with a signature of another time.
 */
export function requireSignatures(options: SignedRequestOptions): Middleware {
  const { signatures, keys, limit, isSigned } = options;
  return async (ctx, next) => {
    const { req, request } = ctx;
    if (ctx.method === 'GET' || !isSigned(ctx.path)) return next();
    const presented = presentedBy(req);
    const refuse = (fault: SignatureFault) => {
      if (fault !== null) throw refused(faultError(fault));
    };
    const refused = (error: ProbityError) => {
      options.onRefused(error);
      return error;
    };
    refuse(signatures.checkHead(presented));
    const token = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
    if (req.headers.authorization !== undefined && !(token && keys.find(token))) {
      throw refused(new ProbityError('unauthorized'));
    }
    const body = await readWhole(req, limit);
    // Where the endpoint looks for a body that has been read already.
    (request as { rawBody?: Buffer }).rawBody = body;
    refuse(await signatures.check(presented, body));
    verified.add(req);
    return next();
  };
}

function presentedBy({ headers }: IncomingMessage): PresentedSignature {
  const { 'x-signature': signature, 'x-signature-timestamp': timestamp } = headers;
  return { signature: signature?.toString(), timestamp: timestamp?.toString() };
}

function faultError(fault: NonNullable<SignatureFault>): ProbityError {
  return new ProbityError('unauthorized', MESSAGES[fault], {
    headers: { 'WWW-Authenticate': 'Signature realm="probity-gateway"' },
  });
}

async function readWhole(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length > limit) {
      throw new ProbityError(
        'payload_too_large',
        `The request body is larger than ${limit} bytes.`,
        { headers: { Connection: 'close' } },
      );
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
