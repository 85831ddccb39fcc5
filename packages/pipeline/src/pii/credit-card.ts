import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import type { CueReader } from './cues.ts';
import type { DigitGroup } from './digit-groups.ts';
import { splitDigits } from './digit-groups.ts';
import { SPACED_LETTERS } from './spaced-letters.ts';
import { isLuhnNumber } from './validators.ts';

/** Digits in groups that dots, hyphens, one blank or two part; at least as many as a card has. */
const RUN = new RegExp(
  `(?=\\d)(?<![${SPACED_LETTERS}\\d])(?=\\d(?: {0,2}[.-]?\\d){11})\\d+(?:(?:[ .-]|  )\\d+)*(?!\\d|(?!CV[VC]|EXP)[${SPACED_LETTERS}])`,
  'gu',
);
/** A whole number with an exponent. */
const SCIENTIFIC = /(?<![\p{L}\d.,-])[1-9]\.\d{9,18}e\+?1[1-8](?![\p{L}\d.])/giu;
/** Lengths of the groups in which card numbers are written. */
const GROUPINGS: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 5],
  [4, 4, 4, 1],
];
/** Groups of four and more beside a card in its row, from which on the row looks like a table. */
const TABLE = 3;

interface Issuer {
  readonly name: string;
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
  /** Few cards, many other numbers: counts only with a word for cards. */
  readonly rare?: true;
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
  { name: 'JCB', prefix: /^(?:2131|1800)/, lengths: [15], rare: true },
  { name: 'Mir', prefix: /^220[0-4]/, lengths: [16, 17, 18, 19], rare: true },
  { name: 'Troy', prefix: /^9792/, lengths: [16], rare: true },
  {
    name: 'Maestro',
    prefix: /^(?:5[0678]|6)/,
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    rare: true,
  },
];

/**
 * Payment card numbers: issuer range, length of that issuer, and check digit (ISO/IEC 7812-1). A row
 * of digits is searched group by group, so a card is found beside its expiry date, its verification
 * value, or further cards.
 */
export function findCreditCard(text: string, cues: CueReader): Candidate[] {
  const found: Candidate[] = [];
  for (const match of allMatches(text, RUN)) {
    const groups = splitDigits(match[0], match.index);
    const cards = cardsIn(groups);
    const covered = cards.reduce((sum, { count }) => sum + count, 0);
    const isTable = groups.length - covered >= TABLE && countLong(groups) - covered >= TABLE;
    for (const card of cards) {
      if (isPartOfDecimal(text, card)) continue;
      const score = rate(text, card, isTable, cues);
      const reason = `check digit, length and range of ${card.issuer} card numbers`;
      found.push({ type: 'credit_card', start: card.start, end: card.end, score, reason });
    }
  }
  for (const match of allMatches(text, SCIENTIFIC)) {
    const card = scientificCard(match[0], match.index);
    if (card === undefined) continue;
    const score = rate(text, card, false, cues);
    const reason = `check digit, length and range of ${card.issuer} card numbers`;
    found.push({ type: 'credit_card', start: card.start, end: card.end, score, reason });
  }
  return found;
}

/** `4.539148803436467e15`, as some programs write long numbers in JSON. */
function scientificCard(written: string, start: number): Card | undefined {
  const [mantissa = '', exponent = ''] = written.split(/e\+?/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  if (fraction.length > Number(exponent)) return undefined;
  const digits = whole + fraction.padEnd(Number(exponent), '0');
  return toCard([{ digits, start, end: start + written.length, separator: '' }], 'plain');
}

interface Card {
  readonly issuer: string;
  readonly start: number;
  readonly end: number;
  readonly digits: number;
  /** How many groups of the row it takes. */
  readonly count: number;
  readonly isRare: boolean;
  readonly form: 'plain' | 'grouped' | 'irregular';
}

function cardsIn(groups: readonly DigitGroup[]): Card[] {
  const cards: Card[] = [];
  for (let at = 0; at < groups.length; ) {
    const card = cardAt(groups, at);
    if (card !== undefined) cards.push(card);
    at += card?.count ?? 1;
  }
  const whole = cards.length === 0 && groups.length > 1 && toCard(groups, 'irregular');
  return whole ? [whole] : cards;
}

function cardAt(groups: readonly DigitGroup[], at: number): Card | undefined {
  const first = groups[at] as DigitGroup;
  if (first.digits.length >= 12) return toCard([first], 'plain');
  for (const grouping of GROUPINGS) {
    const slice = groups.slice(at, at + grouping.length);
    const card = isGrouped(slice, grouping) ? toCard(slice, 'grouped') : undefined;
    if (card !== undefined) return card;
  }
  return undefined;
}

function isGrouped(groups: readonly DigitGroup[], grouping: readonly number[]): boolean {
  const separator = groups[1]?.separator;
  return (
    groups.length === grouping.length &&
    groups.every(({ digits }, index) => digits.length === grouping[index]) &&
    groups.every((group, index) => index === 0 || group.separator === separator)
  );
}

function toCard(groups: readonly DigitGroup[], form: Card['form']): Card | undefined {
  const length = groups.reduce((sum, { digits }) => sum + digits.length, 0);
  if (length < 12 || length > 19) return undefined;
  if (form === 'irregular' && groups.some(({ separator }) => separator.includes('.')))
    return undefined;
  const digits = groups.map((group) => group.digits).join('');
  const issuer = ISSUERS.find(
    ({ prefix, lengths }) => lengths.includes(length) && prefix.test(digits),
  );
  if (issuer === undefined || !isLuhnNumber(digits)) return undefined;
  if (/^(\d)\1+$/.test(digits)) return undefined;
  const { start } = groups[0] as DigitGroup;
  const { end } = groups.at(-1) as DigitGroup;
  const isRare = issuer.rare === true;
  return { issuer: issuer.name, start, end, digits: length, count: groups.length, form, isRare };
}

function countLong(groups: readonly DigitGroup[]): number {
  return groups.filter(({ digits }) => digits.length >= 4).length;
}

/** `0.4111…`, `0,4111…`, `4111….25`, and numbers that a plus sign makes international. */
function isPartOfDecimal(text: string, { start, end, form }: Card): boolean {
  if (text.charAt(start - 1) === '+') return true;
  if (form !== 'plain') return false;
  const before = text.slice(Math.max(0, start - 3), start);
  // Tables write whole numbers with an empty fraction.
  return /\d\.$|(?<![\d.])0,$/.test(before) || /^\.(?!00?(?!\d))\d/.test(text.slice(end, end + 4));
}

// One in ten numbers passes the check digit: ungrouped digits in harmless surroundings count less.
function rate(text: string, card: Card, isTable: boolean, cues: CueReader): number {
  const { start, end, digits, form } = card;
  const cue = cues.around('credit_card', start, end);
  if (cue === 'for') return 0.99;
  if (card.isRare) return 0.3;
  if (form === 'grouped') {
    if (isTable) return 0.6;
    return cue === 'against' ? (cues.label(start) === 'thing' ? 0.8 : 0.96) : 0.98;
  }
  if (form === 'irregular') return cue === 'against' ? 0.3 : 0.6;
  if (cue === 'against' && (digits < 15 || cues.label(start) === 'thing')) return 0.3;
  if (digits < 15) return 0.6;
  return cue === 'against' || /[-_]/.test(text.charAt(start - 1)) ? 0.7 : 0.96;
}
