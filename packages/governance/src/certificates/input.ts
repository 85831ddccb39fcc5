import { z } from 'zod';

/** Days for which a certificate is valid unless its request says otherwise. */
export const DEFAULT_EXPIRY_DAYS = 365;
/** Largest number of days. */
const MAX_EXPIRY_DAYS = 3_650;

const DAYS = `must be a whole number of days from 1 to ${MAX_EXPIRY_DAYS}`;
const REASON = 'must have 1 to 500 characters';
const HASH = 'must be a SHA-256 in lower-case hex';

/** How long a certificate is valid. */
export const expiresInDays = z
  .int(DAYS)
  .min(1, DAYS)
  .max(MAX_EXPIRY_DAYS, DAYS)
  .optional()
  .describe(
    `Days until the certificate expires; default ${DEFAULT_EXPIRY_DAYS}. Only with \`certify\`.`,
  );

/** Why a certificate is revoked. */
export const revocationInput = z
  .strictObject({
    reason: z
      .string(REASON)
      .trim()
      .min(1, REASON)
      .max(500, REASON)
      .describe('For the organization and its webhooks; the public answers do not have it.'),
  })
  .meta({ id: 'CertificateRevocation' });

/** A content hash that a list is filtered by. */
export const contentHashText = z
  .string()
  .regex(/^[0-9a-f]{64}$/, HASH)
  .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });
