import type { CountryCode, PhoneNumber } from 'libphonenumber-js/min';
import { loadPhoneLibrary } from '../libraries.ts';
import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import { type Cue, readCue } from './cues.ts';

const RUN =
  /(?<![\p{L}\d_@#/]|[-.,:+(]\d?|\d[ ])(?:\+ ?|\(\+)?\(?\d(?:(?:\) ?[-/.]?|[ .\-/]{1,2}\(?| ?\()?\d){5,16}(?: ?(?:x|ext\.?|extension) ?\d{1,6})?(?![\p{L}\d_@]|[-:]\d|[.,]\d)/giu;
const DATE =
  /^(?:\(?(?:19|20)\d{2}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)?\d{2})(?:[ -]\d{1,2})?$/;
const NANP =
  /^(?:1[-. ])?(?:\([2-9]\d{2}\)[ -]?|[2-9]\d{2}([-. ]))[2-9]?\d{2,3}[-. ]\d{4}(?: ?(?:x|ext).*)?$/i;
const YEARS = /^(?:19|20)\d{2}[ -/]+(?:19|20)\d{2}$/;
const ISBN = /^97[89][- ]?\d(?:[- ]?\d){9}$/;
const THOUSANDS = /^\d{1,3}(?:[ .]\d{3})+$/;
const SSN_LIKE = /^\d{3}-\d{2}-\d{4}$/;
const IP_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Countries whose national form, with its leading 0 or grouping, is tried without a country code. */
const REGIONS: readonly CountryCode[] = ['DE', 'GB', 'FR', 'IT', 'ES', 'NL', 'PT', 'BR', 'US'];

/**
 * Telephone numbers. Our own pattern finds the candidates, since the library's text search costs
 * about a millisecond per kilobyte; libphonenumber (minimal metadata: lengths and first digits, which
 * also holds for numbers of areas not assigned yet) judges them. National numbers need a word for
 * them, or the unmistakable North American grouping.
 */
export function findPhoneNumber(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of allMatches(text, RUN)) {
    const value = match[0];
    if (isOtherNumber(value)) continue;
    const start = match.index;
    const end = start + value.length;
    const score = rate(value, readCue('phone_number', text, start, end));
    const reason = 'digits in the form of a telephone number';
    if (score > 0) found.push({ type: 'phone_number', start, end, score, reason });
  }
  return found;
}

function isOtherNumber(value: string): boolean {
  return [DATE, YEARS, ISBN, SSN_LIKE, IP_LIKE].some((form) => form.test(value));
}

function rate(value: string, cue: Cue): number {
  if (/^\(?\+/.test(value)) return rateInternational(value, cue);
  if (cue === 'against') return 0;
  if (NANP.test(value) && digitCount(value) >= 10) return cue === 'for' ? 0.97 : 0.8;
  if (cue !== 'for') return rateUnnamed(value);
  return rateNamed(value);
}

function rateInternational(value: string, cue: Cue): number {
  const parsed = parsePhoneNumber(value.replace(/^\(/, ''));
  if (parsed?.isValid()) return cue === 'against' ? 0.7 : 0.97;
  if (cue === 'for') return digitCount(value) >= 8 ? 0.8 : 0;
  // An area code that is not assigned (yet): the plus sign and a possible length still say telephone.
  return cue === undefined && parsed?.isPossible() ? 0.65 : 0;
}

// Without a word, only the trunk prefix together with grouping speaks for a number: 020 7946 0018.
function rateUnnamed(value: string): number {
  if (!/^\(?0[1-9]/.test(value) || !/[ /)-]/.test(value) || digitCount(value) < 9) return 0;
  return validRegions(value) >= 1 ? 0.55 : 0;
}

function rateNamed(value: string): number {
  if (THOUSANDS.test(value) && digitCount(value) < 7) return 0;
  if (validRegions(value) > 0) return 0.95;
  const separated = /[ ().\-/]/.test(value);
  return separated || digitCount(value) >= 9 ? 0.75 : 0.6;
}

function parsePhoneNumber(value: string, region?: CountryCode): PhoneNumber | undefined {
  return loadPhoneLibrary().parsePhoneNumberFromString(value, region);
}

function validRegions(value: string): number {
  return REGIONS.findIndex((region) => parsePhoneNumber(value, region)?.isValid()) + 1;
}

function digitCount(value: string): number {
  return value.replace(/ ?(?:x|ext).*$/i, '').replace(/\D/g, '').length;
}
