import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { ProbityError } from '../errors.ts';

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

/**
 * Creates it from the encryption key, of which a key of its own is derived (HKDF, RFC 5869), so
 * that a signature says nothing about sealed secrets.
 */
export function createInvoiceLinks(encryptionKey: Uint8Array, clock: Clock): InvoiceLinks {
  const key = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'probity invoice links', 32));
  const signatureOf = (invoiceId: string, expires: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([invoiceId, expires]))
      .digest();
  return {
    sign(invoiceId) {
      const expires = String(Math.floor((clock.now().getTime() + INVOICE_LINK_MS) / 1_000));
      return { expires, signature: signatureOf(invoiceId, expires).toString('base64url') };
    },
    verify(invoiceId, { expires, signature }) {
      const expected = signatureOf(invoiceId, expires);
      const given = Buffer.from(signature, 'base64url');
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      // Not only equal bytes: one signature has one spelling.
      if (!isOurs || signature !== expected.toString('base64url')) {
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
