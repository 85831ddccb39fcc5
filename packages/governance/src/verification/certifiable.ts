import type { NuggetVersion } from '../certificates/types.ts';
import type { Verification, VerifiedClaim } from './types.ts';

/**
 * Why a text is not certified, the first that applies: a claim is not supported, or there is none; the text has words
 * outside its claims, of which nothing is known; a claim is supported in a free wording, of which the check cannot be
 * sure enough.
 */
export const REFUSAL_REASONS = ['not_verified', 'unread_text', 'free_wording'] as const;

/** Why a verified text has no certificate. */
export interface CertificationRefusal {
  readonly reason: (typeof REFUSAL_REASONS)[number];
  readonly message: string;
  /** Places of the claims at fault among those of the answer, from 0. */
  readonly claims: readonly number[];
}

const MESSAGES: Readonly<Record<CertificationRefusal['reason'], string>> = {
  not_verified: 'The knowledge base does not support every claim of the content.',
  unread_text: 'The content has words beside its claims, which were not checked.',
  free_wording:
    'The knowledge base supports the claims, but not in these words; a certificate needs claims that repeat nuggets.',
};

/** Why a text cannot be certified; null when it can. */
export function refusalOf(
  content: string,
  { verdict, claims }: Verification,
): CertificationRefusal | null {
  const unsupported = placesOf(claims, ({ status }) => status !== 'supported');
  if (verdict !== 'verified' || claims.length === 0 || unsupported.length > 0) {
    return refused('not_verified', unsupported);
  }
  if (hasUnreadText(content, claims)) return refused('unread_text', []);
  const free = placesOf(claims, ({ text, isRepetition, nuggets: [found] }) => {
    return !isRepetition || !found || !hasSameSigns(text, found.nugget.claim);
  });
  return free.length > 0 ? refused('free_wording', free) : null;
}

/** The nuggets that support the claims, each once, by id. */
export function nuggetsOf({ claims }: Verification): NuggetVersion[] {
  const versions = new Map<string, number>();
  for (const { nuggets } of claims) {
    for (const { nugget } of nuggets) versions.set(nugget.id, nugget.sequence);
  }
  return [...versions]
    .map(([id, version]) => ({ id, version }))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

function refused(
  reason: CertificationRefusal['reason'],
  claims: readonly number[],
): CertificationRefusal {
  return { reason, message: MESSAGES[reason], claims };
}

function placesOf(
  claims: readonly VerifiedClaim[],
  isAtFault: (claim: VerifiedClaim) => boolean,
): number[] {
  return claims.flatMap((claim, at) => (isAtFault(claim) ? [at] : []));
}

/** Whether anything but white space, bullets and the ends of sentences stands outside the claims. */
function hasUnreadText(content: string, claims: readonly VerifiedClaim[]): boolean {
  let end = 0;
  const gaps: string[] = [];
  for (const claim of [...claims].sort((left, right) => left.start - right.start)) {
    if (claim.start > end) gaps.push(content.slice(end, claim.start));
    end = Math.max(end, claim.end);
  }
  gaps.push(content.slice(end));
  return gaps.some((gap) => !GAP.test(gap));
}

const GAP = /^(?:[\s.!…,;:"'“”‘’()[\]]|(?<![^\s])[-–—•*#>]+(?=\s))*$/u;

/**
 * Whether a claim has the signs of a statement where that has them, and its units. The check that found them the same
 * compares words: `≤30`, `$30`, `-30`, `.3` and `3 Mg` are to it what `30`, `3` and `3 mg` are.
 */
function hasSameSigns(claim: string, statement: string): boolean {
  const [left, right] = [claim, statement].map(toShape) as [string, string];
  // Words that mean the same may be other in number, as `25` and `twenty five` are.
  const isPlain = [left, right].every((shape) => !/[^w ]/u.test(shape));
  if (!isPlain && left !== right) return false;
  const words = new Set(statement.match(/\p{L}+/gu));
  return [...claim.matchAll(UNIT)].every(([, unit = '']) => words.has(unit));
}

/** What stands behind a number: in units a capital is another one. */
const UNIT = /\p{N}\s*(\p{L}{1,3})(?!\p{L})/gu;

/** A text with `w` for each word, without what ends its sentence. */
function toShape(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .replace(/[.!…]+$/u, '')
    .replaceAll(/[‘’]/gu, "'")
    .replaceAll(/[\p{L}\p{N}]+/gu, 'w')
    .replaceAll(/\s+/gu, ' ');
}
