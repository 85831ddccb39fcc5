import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import type { CueReader } from './cues.ts';
import { ibanLength, isIban } from './iban.ts';
import { isCompactDate, isCounted, isThousands } from './number-shapes.ts';
import { SPACED_LETTERS } from './spaced-letters.ts';
import { isAbaRouting } from './validators.ts';

const IBAN_START = new RegExp(
  `(?=[A-Za-z]{2}[ -]?\\d)(?<![${SPACED_LETTERS}\\d])(?:[A-Z]{2}|[a-z]{2})[ -]?\\d{2}(?=[ -]?[A-Za-z\\d]{2})`,
  'gu',
);
const NUMBER = new RegExp(
  `(?=\\d)(?<![${SPACED_LETTERS}\\d.+-]|(?<=\\d)(?<!\\d{6}),|\\d[/_]|\\*{4})(?:\\d{4}\\.\\d{2}\\.\\d{5}|\\d(?:[ -]?\\d){5,25})` +
    `(?![${SPACED_LETTERS}\\d_]|[-./:]\\d|,\\d(?!\\d{5}))`,
  'gu',
);
const SORT_CODE = /(?<![\d-])\d{2}-\d{2}-\d{2}[ ,/]{1,2}\d{8}(?![\d-])/g;
const BANK_NAME = /[A-Za-z]bank:? $/i;
const ABOUT_BANKS =
  /bank|\bbsb\b|ifsc|sort.?code|routing|swift|\bbic\b|\bwire\b|transfer|deposit|payroll|salary|refund|debit|transit|beneficiar|\bpay\b|\bsend\b|credit union|checking|savings|\brtn\b|\bach\b|account|\bacc\b/gi;
const ACCOUNT_BEFORE =
  /\b(?:account|acc|checking|savings|bank|debit|deposit|routing)\b[^\d\n]{0,12}$/i;

/**
 * Bank accounts: IBAN (ISO 13616: country, length, structure, mod 97), US routing numbers with their
 * checksum, UK sort code with account number, and plain account numbers where a word names them.
 */
export function findBankAccount(text: string, cues: CueReader): Candidate[] {
  return [...findIban(text), ...findSortCode(text, cues), ...findNamedNumber(text, cues)];
}

function findIban(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of allMatches(text, IBAN_START)) {
    const country = match[0].slice(0, 2).toUpperCase();
    const end = endOfIban(text, match.index, ibanLength(country));
    if (end === undefined) continue;
    const value = text.slice(match.index, end).replace(/[ -]/g, '').toUpperCase();
    if (!isIban(value)) continue;
    const reason = 'country, length and check digits of an IBAN';
    found.push({ type: 'bank_account', start: match.index, end, score: 0.99, reason });
  }
  return found;
}

/** Where `length` letters and digits end that single blanks or hyphens may part, or undefined. */
function endOfIban(text: string, start: number, length: number | undefined): number | undefined {
  if (length === undefined) return undefined;
  let count = 0;
  let at = start;
  for (; count < length && at < text.length; at++) {
    if (/[A-Za-z\d]/.test(text.charAt(at))) count++;
    else if (!/[ -]/.test(text.charAt(at)) || /[ -]/.test(text.charAt(at - 1))) return undefined;
  }
  return count === length && !/[A-Za-z\d]/.test(text.charAt(at)) ? at : undefined;
}

function findSortCode(text: string, cues: CueReader): Candidate[] {
  return [...allMatches(text, SORT_CODE)].map((match) => {
    const end = match.index + match[0].length;
    const cue = cues.around('bank_account', match.index, end);
    const score = cue === 'for' ? 0.95 : 0.5;
    return {
      type: 'bank_account',
      start: match.index,
      end,
      score,
      reason: 'sort code with account',
    };
  });
}

function findNamedNumber(text: string, cues: CueReader): Candidate[] {
  const found: Candidate[] = [];
  for (const match of allMatches(text, NUMBER)) {
    const start = match.index;
    const end = start + match[0].length;
    if (isDate(match[0]) || isCounted(text, end) || isThousands(match[0])) continue;
    if (isLaterPart(text, start)) continue;
    const digits = match[0].replace(/[ -]/g, '');
    const routing = digits.length === 9 && isAbaRouting(digits);
    if (
      !isNamed(text, start, end, cues) &&
      !(routing && cues.before('bank_account', start) === 'for')
    )
      continue;
    const reason = routing ? 'routing number checksum and a word for it' : 'named as bank account';
    found.push({ type: 'bank_account', start, end, score: routing ? 0.96 : 0.9, reason });
  }
  return found;
}

/** A word that names an account, a bank's name, or `account` where the text is about banks. */
function isNamed(text: string, start: number, end: number, cues: CueReader): boolean {
  const isDay = isCompactDate(text.slice(start, end));
  if (isDay && !cues.isLabeled('bank_account', start)) return false;
  if (cues.before('bank_account', start) !== 'for') {
    return BANK_NAME.test(text.slice(Math.max(0, start - 8), start)) && end - start >= 8;
  }
  if (cues.namesAccount(start)) return true;
  if (!ACCOUNT_BEFORE.test(text.slice(Math.max(0, start - 24), start))) return false;
  const around = text.slice(Math.max(0, start - 60), start) + text.slice(end, end + 60);
  return (around.match(ABOUT_BANKS)?.length ?? 0) > 1;
}

/** The digits of an IBAN that failed its check, or after an area or country code, are no account number. */
function isLaterPart(text: string, start: number): boolean {
  return /[A-Z]{2}\d{2}[ -]$|\(\d{3}\) $|\+\d{1,3}[ -]$/.test(
    text.slice(Math.max(0, start - 6), start),
  );
}

function isDate(value: string): boolean {
  return /^(?:19|20)\d{2}-\d{2}-\d{2}$|^\d{2}[- ]\d{2}[- ](?:19|20)\d{2}$/.test(value);
}
