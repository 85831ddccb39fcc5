import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyOf, wordsIn } from '../languages/word-list.ts';
import { allMatches } from '../text/matches.ts';
import type { Candidate, PiiDetector } from './candidate.ts';
import type { Cue, CueReader } from './cues.ts';
import { isCounted, isProgression, isThousands } from './number-shapes.ts';
import { splitPhoneRun } from './phone-run.ts';
import type { PhoneValidity } from './phone-validity.ts';
import { createPhoneValidity } from './phone-validity.ts';
import { SPACED_LETTERS } from './spaced-letters.ts';

const RUN = new RegExp(
  `(?=[+(\\d])(?<![${SPACED_LETTERS}\\p{Sc}\\d@/]|(?<![A-Za-z])#|[-.+]\\d?|\\((?!\\()\\d?|(?<=[\\d:]):\\d?|(?<=\\d)(?<!\\d{4}),(?!\\(?\\+|\\([2-9]\\d{2}\\)|[2-9]\\d{2}-\\d{3}-\\d{4})\\d?|\\d_|\\*{4})` +
    '(?:\\+ ?|\\(\\+)?\\(?\\d(?:(?:\\) ?[-/.]?|(?:[-/] ?|\\.| (?: |[-/.] ?)?)\\(?\\+?|\\(?)\\d){5,80}' +
    '(?:,? ?(?:x|ext[.:]?|extn\\.?|extension) ?\\d{1,6})?' +
    `(?![${SPACED_LETTERS}\\d@]|_\\d|[-:]\\d|\\.\\d|,\\d(?!\\d*[-. ]?\\d{3}|\\d{2}-\\d{2}-\\d))`,
  'giu',
);
const DATE =
  /^(?:\(?(?:1\d|20)\d{2}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)?\d{2})(?:[ -]\d{1,2})?$/;
const NANP =
  /^(?:1[-. ])?(?:\([2-9]\d{2}\)[ -]?|[2-9]\d{2}([-. ]))\d{3}[-. ]\d{4}(?:,? ?(?:x|ext).*)?$/i;
const UNMISTAKABLE = /^\([2-9]\d{2}\) [2-9]\d{2}-\d{4}$/;
/** What a number begins with that may be one of several in a long row of digits. */
const STANDS_ALONE = /^\(?\+|^00[1-9]|^(?:1[-. ])?\(?[2-9]\d{2}\)?[-. ]?\d{3}[-. ]\d{4}$/;
const INTERNATIONAL = /^\(?\+/;
/**
 * Makes the test for what names a telephone right before a number: a compound (`Diensttelefon:`), a
 * receiver, or the letter of a line in a signature: T(elephone), M(obile), P(hone), F(ax) and so on.
 */
export function createSignTest(languages: readonly LanguageData[]): (before: string) => boolean {
  const compounds = anyOf(wordsIn(languages, ({ pii }) => pii?.phoneCompounds));
  const sign = new RegExp(
    `(?:\\p{L}(?:${compounds})(?:nummer|nr\\.?)?: ?|[\\u260e\\u2706\\u{1f4de}\\u{1f4f1}\\u{1f4f2}\\u{1f4e0}] ?` +
      '|(?:^|[\\s|,;(])[TMPFDOHWC](?:[.:] ?| ))$',
    'u',
  );
  return (before) => sign.test(before);
}

const isSign = createSignTest(LANGUAGES);
/** What stands behind a number in a list of contacts. */
const SIGN_AFTER =
  /^ ?\((?:home|work|cell|mobile|office|fax|private?|[mwhcof])\)|^ (?:home|work|cell|mobile|office|fax)\s*(?:$|[\n,;|])/i;
/** What a number that is dialed begins with, or its groups. */
const DIALED = /^[+(0]|^\d{3}[ .-]\d{3}|^[2-9]\d{9}$|^\d{2,5}[ -]\d{2,4}[ -]\d{2,4}/;
/** `her number`, `the number to call`: too weak for a row of bare digits. */
const SOME_NUMBER =
  /(?:\b(?:my|his|her|their|our|your|the|new|old|listed|this|that|best|correct|main|right|wrong|current)|'s) number\b[^\n\d]*$/i;
/** Digits in a row without a country code. */
const MAX_NATIONAL = 13;
/** The prefix 00 for calls abroad, and a number in groups. */
const EXIT_PREFIX = /^00[1-9]\d{0,2}[ /-]\(?\d/;
const YEARS = /^(?:19|20)\d{2}[ -/]+(?:19|20)\d{2}$/;
const ISBN = /^97[89][- ]?\d(?:[- ]?\d){9}$/;
const SSN_LIKE = /^\d{3}([- ])\d{2}\1\d{4}$/;
const IP_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const ALWAYS_OPEN = /^24\/7/;
const DECIMAL = /^\d\.\d+(?: |$)/;
const OTHERS = [YEARS, ISBN, SSN_LIKE, IP_LIKE, ALWAYS_OPEN, DECIMAL];
/** Mobile numbers of Britain, France, Germany, Japan and Australia in a row. */
const MOBILE = /^0(?:7[1-9]\d{8}|[67]\d{8}|1[567]\d{8,9}|[789]0\d{8}|4\d{8})$/;
const EXTENSION = /^[\d(][-. ()\d]{6,14}\d,? ?(?:x|ext)/i;
/** An area code in parentheses and two groups. */
const PARENTHESISED = /^\(\d{2,4}\) ?\d{3,5}[- ]\d{3,4}$/;
const TWO_GROUPS = /^\d{5,}-\d+$/;
/** Rows of pairs of digits other than the five of a French number. */
const OTHER_PAIRS = /^\d{2}(?:(?:[-. ]\d{2}){3}|(?:[-. ]\d{2}){5,})$/;
/** Four pairs of digits or more: what would be a date is a number where a label says so. */
const PAIRS = /^\d{2}(?: \d{2}){3,}$/;

/**
 * Makes the detector of telephone numbers for one scan. Our own pattern finds the candidates, since
 * the library's text search costs about a millisecond per kilobyte; libphonenumber (minimal metadata:
 * lengths and first digits, which also holds for numbers of areas not assigned yet) judges them.
 * National numbers need a word for them, or the unmistakable North American grouping.
 */
export function createPhoneDetector(): PiiDetector {
  const validity = createPhoneValidity();
  return (text, cues) => {
    const found: Candidate[] = [];
    for (const match of allMatches(text, RUN)) {
      for (const { value, start, end } of splitPhoneRun(match[0], match.index)) {
        if (isOtherNumber(value) || isProgression(value)) continue;
        const cue = readCue(text, cues, value, start, end);
        if (isCounted(text, end) && mayBeCounted(value, cue)) continue;
        // A parenthesis before the whole is no part of a number.
        const isPart = value.length < match[0].length - 1;
        if (isPart && !standsAlone(value, cue)) continue;
        const score = rate(value, cue, validity);
        const reason = 'digits in the form of a telephone number';
        if (score > 0) found.push({ type: 'phone_number', start, end, score, reason });
      }
    }
    return found;
  };
}

/** What the words around a number say, or a sign before it: a receiver, or `T:` in a signature. */
function readCue(
  text: string,
  cues: CueReader,
  value: string,
  start: number,
  end: number,
): Cue | 'label' {
  const isSigned =
    SIGN_AFTER.test(text.slice(end, end + 12)) ||
    isSign(text.slice(Math.max(0, start - 18), start));
  if (isSigned && DIALED.test(value)) return 'label';
  const cue = cues.around('phone_number', start, end);
  if (cue === 'for') return cues.isLabeled('phone_number', start) ? 'label' : 'for';
  if (cue === undefined && !isThousands(value) && DIALED.test(value)) {
    return SOME_NUMBER.test(text.slice(Math.max(0, start - 40), start)) ? 'for' : undefined;
  }
  // What comes next has its own name: `call 415 555 2671, order 12`.
  const isOfNext = cue === 'against' && cues.before('phone_number', start) !== 'against';
  return isOfNext ? undefined : cue;
}

/** A label makes digits in groups a telephone number, whatever follows them. */
function mayBeCounted(value: string, cue: Cue | 'label'): boolean {
  if (INTERNATIONAL.test(value)) return false;
  return cue !== 'label' || isThousands(value) || /^\d+$/.test(value);
}

/** Whether one of several numbers in a long row of digits is more than a part of something else. */
function standsAlone(value: string, cue: Cue | 'label'): boolean {
  if (cue === 'label' || STANDS_ALONE.test(value)) return true;
  return cue === 'for' && /^\(?0[1-9]/.test(value);
}

function isOtherNumber(value: string): boolean {
  return (
    (DATE.test(value) && !PAIRS.test(value) && mayBeDate(value)) ||
    OTHERS.some((form) => form.test(value))
  );
}

/** Whether two of the parts can be day and month. */
function mayBeDate(value: string): boolean {
  const parts = (value.match(/\d+/g) ?? []).map(Number);
  const small = parts.filter((part) => part >= 1 && part <= 31);
  return small.length >= 2 && small.some((part) => part <= 12);
}

function rate(value: string, cue: Cue | 'label', validity: PhoneValidity): number {
  if (INTERNATIONAL.test(value)) return rateInternational(value, cue, validity);
  if (cue === 'against') return UNMISTAKABLE.test(value) ? 0.6 : 0;
  if (NANP.test(value) && digitCount(value) >= 10) return cue === undefined ? 0.8 : 0.97;
  if (cue === undefined) return rateUnnamed(value, validity);
  return rateNamed(value, cue === 'label', validity);
}

function rateInternational(value: string, cue: Cue | 'label', validity: PhoneValidity): number {
  const judged = validity.ofInternational(value.replace(/^\(/, ''));
  if (judged === 'valid') return cue === 'against' ? 0.7 : 0.97;
  if (cue === 'for' || cue === 'label') return digitCount(value) >= 8 ? 0.8 : 0;
  // An area code that is not assigned (yet): the plus sign and a possible length still say telephone.
  return cue === undefined && judged === 'possible' && !/^\(?\+ /.test(value) ? 0.65 : 0;
}

// Without a word, only a trunk or exit prefix together with grouping makes a number likely: 020 7946 0018.
function rateUnnamed(value: string, validity: PhoneValidity): number {
  if (EXIT_PREFIX.test(value)) {
    return validity.ofInternational(`+${value.slice(2)}`) === 'valid' ? 0.8 : 0;
  }
  if (PARENTHESISED.test(value) || MOBILE.test(value) || EXTENSION.test(value)) return 0.62;
  if (!/^\(?0[1-9]/.test(value) || !/[ /)-]/.test(value) || digitCount(value) < 9) return 0;
  if (!validity.isNational(value) || OTHER_PAIRS.test(value)) return 0;
  return digitCount(value) >= 10 && !TWO_GROUPS.test(value) ? 0.62 : 0.55;
}

function rateNamed(value: string, isLabeled: boolean, validity: PhoneValidity): number {
  if (digitCount(value) > 15 || (!isLabeled && digitCount(value) < 7)) return 0;
  if (isThousands(value) && (!isLabeled || digitCount(value) < 7)) return 0;
  const separated = /[ ().\-/]/.test(value);
  if (!separated && digitCount(value) > MAX_NATIONAL) return 0;
  if (!separated && !isLabeled && digitCount(value) < 9) return 0;
  if (validity.isNational(value)) return 0.95;
  return separated || digitCount(value) >= 9 ? 0.75 : 0.6;
}

function digitCount(value: string): number {
  return value.replace(/ ?(?:x|ext).*$/i, '').replace(/\D/g, '').length;
}
