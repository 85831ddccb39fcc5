import { loadPhoneLibrary } from '../libraries.ts';
import { allMatches } from '../text/matches.ts';
import type { Candidate, PiiDetector } from './candidate.ts';
import type { Cue } from './cues.ts';
import { splitPhoneRun } from './phone-run.ts';
import { createPhoneValidity, type PhoneValidity } from './phone-validity.ts';

const RUN =
  /(?<![\p{L}\p{Sc}\d@#/]|[-.+(]\d?|(?<![\p{L}"]):\d?|(?<!\d{4}),\d?|\d_|\*{4})(?:\+ ?|\(\+)?\(?\d(?:(?:\) ?[-/.]?|[ .\-/]{1,2}\(?\+?| ?\()?\d){5,80}(?: ?(?:x|ext\.?|extension) ?\d{1,6})?(?![\p{L}\d@]|_\d|[-:]\d|\.\d|,\d(?!\d*[-. ]?\d{3}))/giu;
const DATE =
  /^(?:\(?(?:19|20)\d{2}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)?\d{2})(?:[ -]\d{1,2})?$/;
const NANP =
  /^(?:1[-. ])?(?:\([2-9]\d{2}\)[ -]?|[2-9]\d{2}([-. ]))[2-9]?\d{2,3}[-. ]\d{4}(?: ?(?:x|ext).*)?$/i;
const UNMISTAKABLE = /^\([2-9]\d{2}\) [2-9]\d{2}-\d{4}$/;
/** Digits in a row without a country code. */
const MAX_NATIONAL = 13;
/** The prefix 00 for calls abroad, and a number in groups. */
const EXIT_PREFIX = /^00[1-9]\d{0,2}[ /-]\(?\d/;
const YEARS = /^(?:19|20)\d{2}[ -/]+(?:19|20)\d{2}$/;
const ISBN = /^97[89][- ]?\d(?:[- ]?\d){9}$/;
const THOUSANDS = /^\d{1,3}(?:[ .]\d{3})+$/;
const SSN_LIKE = /^\d{3}-\d{2}-\d{4}$/;
const IP_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const OTHERS = [YEARS, ISBN, SSN_LIKE, IP_LIKE];

/**
 * Makes the detector of telephone numbers for one scan. Our own pattern finds the candidates, since
 * the library's text search costs about a millisecond per kilobyte; libphonenumber (minimal metadata:
 * lengths and first digits, which also holds for numbers of areas not assigned yet) judges them.
 * National numbers need a word for them, or the unmistakable North American grouping.
 */
export function createPhoneDetector(): PiiDetector {
  const validity = createPhoneValidity(loadPhoneLibrary);
  return (text, cues) => {
    const found: Candidate[] = [];
    for (const match of allMatches(text, RUN)) {
      for (const { value, start, end } of splitPhoneRun(match[0], match.index)) {
        if (isOtherNumber(value)) continue;
        const score = rate(value, cues.around('phone_number', start, end), validity);
        const reason = 'digits in the form of a telephone number';
        if (score > 0) found.push({ type: 'phone_number', start, end, score, reason });
      }
    }
    return found;
  };
}

function isOtherNumber(value: string): boolean {
  return (DATE.test(value) && mayBeDate(value)) || OTHERS.some((form) => form.test(value));
}

/** Whether two of the parts can be day and month. */
function mayBeDate(value: string): boolean {
  const parts = (value.match(/\d+/g) ?? []).map(Number);
  const small = parts.filter((part) => part >= 1 && part <= 31);
  return small.length >= 2 && small.some((part) => part <= 12);
}

function rate(value: string, cue: Cue, validity: PhoneValidity): number {
  if (/^\(?\+/.test(value)) return rateInternational(value, cue, validity);
  if (cue === 'against') return UNMISTAKABLE.test(value) ? 0.6 : 0;
  if (NANP.test(value) && digitCount(value) >= 10) return cue === 'for' ? 0.97 : 0.8;
  if (cue !== 'for') return rateUnnamed(value, validity);
  return rateNamed(value, validity);
}

function rateInternational(value: string, cue: Cue, validity: PhoneValidity): number {
  const judged = validity.ofInternational(value.replace(/^\(/, ''));
  if (judged === 'valid') return cue === 'against' ? 0.7 : 0.97;
  if (cue === 'for') return digitCount(value) >= 8 ? 0.8 : 0;
  // An area code that is not assigned (yet): the plus sign and a possible length still say telephone.
  return cue === undefined && judged === 'possible' ? 0.65 : 0;
}

// Without a word, only a trunk or exit prefix together with grouping speaks for a number: 020 7946 0018.
function rateUnnamed(value: string, validity: PhoneValidity): number {
  if (EXIT_PREFIX.test(value)) {
    return validity.ofInternational(`+${value.slice(2)}`) === 'valid' ? 0.8 : 0;
  }
  if (!/^\(?0[1-9]/.test(value) || !/[ /)-]/.test(value) || digitCount(value) < 9) return 0;
  return validity.isNational(value) ? 0.55 : 0;
}

function rateNamed(value: string, validity: PhoneValidity): number {
  if (digitCount(value) > 15) return 0;
  if (THOUSANDS.test(value) && digitCount(value) < 7) return 0;
  const separated = /[ ().\-/]/.test(value);
  if (!separated && digitCount(value) > MAX_NATIONAL) return 0;
  if (validity.isNational(value)) return 0.95;
  return separated || digitCount(value) >= 9 ? 0.75 : 0.6;
}

function digitCount(value: string): number {
  return value.replace(/ ?(?:x|ext).*$/i, '').replace(/\D/g, '').length;
}
