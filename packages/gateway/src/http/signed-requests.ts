import type { IncomingMessage } from 'node:http';
import { ProbityError } from '@probity/core';
import type { BodyBudget } from '@probity/core/internal';
import { receiveBody } from '@probity/core/koa';
import type { Middleware } from 'koa';
import type { KeyStore } from '../api-keys/key-store.ts';
import { GATEWAY_ORGANIZATION } from '../limits/client-key.ts';
import type { PresentedSignature, SignatureFault, Signatures } from '../signing/signatures.ts';

/** Dependencies of the check of signatures. */
export interface SignedRequestOptions {
  readonly signatures: Signatures;
  readonly keys: KeyStore;
  /** Largest body in bytes. */
  readonly limit: number;
  readonly bodyBudget: BodyBudget;
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
  const { signatures, keys, limit, bodyBudget, isSigned } = options;
  return async (ctx, next) => {
    const { req } = ctx;
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
    const organizationId = token === undefined ? null : GATEWAY_ORGANIZATION;
    const share = bodyBudget.open({ address: req.socket.remoteAddress ?? null, organizationId });
    try {
      const body = await receiveBody(ctx, limit, share);
      refuse(await signatures.check(presented, body));
      verified.add(req);
      await next();
    } finally {
      share.release();
    }
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
