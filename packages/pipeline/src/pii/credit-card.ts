import { loadValidator } from '../libraries.ts';
import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import { readCue } from './cues.ts';

const CARD = /(?<![\p{L}\d_]|\d[.,]|[-+]\d?)\d(?:[ -]?\d){12,18}(?![\p{L}\d_]|[ -]\d)/gu;

interface Issuer {
  readonly name: string;
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
}

/** Issuer ranges and lengths (ISO/IEC 7812; the networks' published ranges). */
const ISSUERS: readonly Issuer[] = [
  { name: 'Visa', prefix: /^4/, lengths: [13, 16, 19] },
  {
    name: 'Mastercard',
    prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
  },
  { name: 'American Express', prefix: /^3[47]/, lengths: [15] },
  {
    name: 'Discover',
    prefix: /^(?:6011|64[4-9]|65|622)/,
    lengths: [16, 17, 18, 19],
  },
  { name: 'Diners Club', prefix: /^3(?:0[0-59]|[689])/, lengths: [14, 16, 19] },
  { name: 'JCB', prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19] },
  { name: 'UnionPay', prefix: /^(?:62|81)/, lengths: [16, 17, 18, 19] },
  {
    name: 'Maestro',
    prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/,
    lengths: [13, 14, 15, 16, 17, 18, 19],
  },
];

/** Payment card numbers: issuer range, length of that issuer, and check digit (ISO/IEC 7812-1). */
export function findCreditCard(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of allMatches(text, CARD)) {
    const value = match[0];
    const digits = value.replace(/[ -]/g, '');
    const issuer = ISSUERS.find(
      ({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits),
    );
    if (issuer === undefined || !loadValidator('isLuhnNumber')(digits) || /^(\d)\1+$/.test(digits))
      continue;
    const end = match.index + value.length;
    const score = rate(value, digits, readCue('credit_card', text, match.index, end));
    const reason = `check digit, length and range of ${issuer.name} card numbers`;
    found.push({ type: 'credit_card', start: match.index, end, score, reason });
  }
  return found;
}

const GROUPED = /^(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5})$/;

// One in ten numbers passes the check digit: ungrouped digits in harmless surroundings are only flagged.
function rate(value: string, digits: string, cue: 'for' | 'against' | undefined): number {
  if (cue === 'for') return 0.99;
  const grouped = GROUPED.test(value);
  if (cue === 'against') return grouped ? 0.8 : 0.3;
  if (grouped) return 0.98;
  if (value !== digits) return 0.6;
  return digits.length >= 15 ? 0.96 : 0.6;
}
