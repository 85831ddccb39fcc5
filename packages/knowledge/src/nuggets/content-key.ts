import { createHash } from 'node:crypto';
import type { Nugget } from './types.ts';

/** The SHA-256 in hexadecimal by which an organization has a statement of a source once. */
export function contentKeyOf({ claim, sourceUrl }: Pick<Nugget, 'claim' | 'sourceUrl'>): string {
  const text = claim.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  return createHash('sha256').update(`${text}\n${sourceUrl}`).digest('hex');
}
