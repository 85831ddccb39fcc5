import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock, SecretBox } from '@probity/core';
import { ProbityError } from '@probity/core';

/** Lifetime of a link to an invoice, in milliseconds. */
export const INVOICE_LINK_MS = 3_600_000;

/**
 * Signed query parameters of an invoice link, which grant temporary access to the PDF without an
 * API key.
 */
export interface InvoiceLinkProof {
  /** Expiry in seconds since 1970, in decimal digits. */
  readonly expires: string;
  /** HMAC-SHA-256 over the invoice's id and `expires`, in base64url. */
  readonly signature: string;
}

/** Creates and verifies links to invoices. */
export interface InvoiceLinks {
  sign(invoiceId: string): InvoiceLinkProof;
  /**
   * @throws ProbityError `forbidden` when the proof was not issued here, is for another invoice,
   *   or has expired
   */
  verify(invoiceId: string, proof: InvoiceLinkProof): void;
}

/** Label for key derivation: keeps link signatures unrelated to sealed secrets. */
const KEY_LABEL = 'invoice links';

/** Creates the links from the encryption keys: the first key signs, every key verifies. */
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
      // Comparing bytes is not enough: only the canonical base64url spelling is accepted.
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
