import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock, SecretBox } from '@probity/core';
import { ProbityError } from '@probity/core';

/** How long a link to an invoice works. */
export const INVOICE_LINK_MS = 3_600_000;

/** What makes a link to an invoice's PDF good for a while, for anybody who has it. */
export interface InvoiceLinkProof {
  /** Seconds since 1970, in decimal digits. */
  readonly expires: string;
  /** HMAC-SHA-256 over the invoice's id and `expires`, in base64url. */
  readonly signature: string;
}

/** Makes and checks links to invoices. */
export interface InvoiceLinks {
  sign(invoiceId: string): InvoiceLinkProof;
  /** @throws ProbityError `forbidden` when the proof is not ours, for another invoice, or expired */
  verify(invoiceId: string, proof: InvoiceLinkProof): void;
}

/** What gives links a key of their own, so that a signature says nothing about sealed secrets. */
const KEY_LABEL = 'invoice links';

/** Creates it from the encryption keys: the first signs, all are believed. */
export function createInvoiceLinks(
  secretBox: Pick<SecretBox, 'deriveKeys'>,
  clock: Clock,
): InvoiceLinks {
  const signaturesOf = (invoiceId: string, expires: string) =>
    secretBox.deriveKeys(KEY_LABEL).map(({ key }) =>
      createHmac('sha256', key)
        .update(JSON.stringify([invoiceId, expires]))
        .digest(),
    );
  return {
    sign(invoiceId) {
      const expires = String(Math.floor((clock.now().getTime() + INVOICE_LINK_MS) / 1_000));
      const [signature] = signaturesOf(invoiceId, expires);
      return { expires, signature: signature?.toString('base64url') ?? '' };
    },
    verify(invoiceId, { expires, signature }) {
      const given = Buffer.from(signature, 'base64url');
      const isOurs = signaturesOf(invoiceId, expires).some(
        (expected) => given.length === expected.length && timingSafeEqual(given, expected),
      );
      // Not only equal bytes: one signature has one spelling.
      if (!isOurs || signature !== given.toString('base64url')) {
        throw new ProbityError(
          'forbidden',
          'This link is not valid; list the invoices for a new one.',
        );
      }
      if (Number(expires) * 1_000 <= clock.now().getTime()) {
        throw new ProbityError(
          'forbidden',
          'This link has expired; list the invoices for a new one.',
        );
      }
    },
  };
}
