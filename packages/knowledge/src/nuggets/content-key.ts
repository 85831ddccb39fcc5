import { createHash } from 'node:crypto';
import type { Nugget } from './types.ts';

/** The SHA-256 in hexadecimal by which an organization has a statement of a source once. */
export function contentKeyOf({ claim, sourceUrl }: Pick<Nugget, 'claim' | 'sourceUrl'>): string {
  return createHash('sha256')
    .update(`${normalizeClaim(claim)}\n${sourceUrl}`)
    .digest('hex');
}

/** A claim without what makes no other statement of it: forms of Unicode and white space. */
export function normalizeClaim(claim: string): string {
  return claim.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}
