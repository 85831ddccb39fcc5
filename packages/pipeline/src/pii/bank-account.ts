import { loadValidator } from '../libraries.ts';
import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import type { CueReader } from './cues.ts';
import { IBAN_LENGTHS } from './iban-lengths.ts';

const IBAN_START = /(?<![\p{L}\d])(?:[A-Z]{2}|[a-z]{2})[ -]?\d{2}(?=[ -]?[A-Za-z\d]{2})/gu;
const NUMBER =
  /(?<![\p{L}\d.+-]|(?<!\d{6}),|\d[/_]|\*{4})\d(?:[ -]?\d){5,16}(?![\p{L}\d_]|[-./:]\d|,\d(?!\d{5}))/gu;
const SORT_CODE = /(?<![\d-])\d{2}-\d{2}-\d{2}[ ,/]{1,2}\d{8}(?![\d-])/g;
const ACCOUNT_NAMED =
  /(?:bank account|sort code|account[ _-]?(?:number|no|num|nr)|acct|a\/c|acc no|iban|routing|\baba\b|\brtn\b|konto|compte|cuenta|\bconto\b|\bconta\b|rekening|blz|bankleitzahl|\b(?:wire|transfer|pay|deposit|send)[\w ,.$]{1,24} account(?=[^a-z\d]{0,6}(?:$|\d)))/i;

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
    const end = endOfIban(text, match.index, IBAN_LENGTHS.get(country));
    if (end === undefined) continue;
    const value = text.slice(match.index, end).replace(/[ -]/g, '').toUpperCase();
    if (!loadValidator('isIBAN')(value)) continue;
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
  if (text.search(NUMBER) < 0 || !ACCOUNT_NAMED.test(text)) return [];
  const found: Candidate[] = [];
  for (const match of allMatches(text, NUMBER)) {
    const start = match.index;
    const end = start + match[0].length;
    if (cues.before('bank_account', start) !== 'for') continue;
    if (isDate(match[0]) || isLaterPart(text, start)) continue;
    if (!ACCOUNT_NAMED.test(text.slice(Math.max(0, start - 40), start))) continue;
    const digits = match[0].replace(/[ -]/g, '');
    const routing = digits.length === 9 && loadValidator('isAbaRouting')(digits);
    const reason = routing ? 'routing number checksum and a word for it' : 'named as bank account';
    found.push({ type: 'bank_account', start, end, score: routing ? 0.96 : 0.9, reason });
  }
  return found;
}

/** The digits of an IBAN that failed its check, or after an area code, are no account number. */
function isLaterPart(text: string, start: number): boolean {
  return /[A-Z]{2}\d{2}[ -]$|\(\d{3}\) $/.test(text.slice(Math.max(0, start - 6), start));
}

function isDate(value: string): boolean {
  return /^(?:19|20)\d{2}-\d{2}-\d{2}$|^\d{2}[- ]\d{2}[- ](?:19|20)\d{2}$/.test(value);
}
