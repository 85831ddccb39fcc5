import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyOf, wordsIn } from '../languages/word-list.ts';
import { allMatches } from '../text/matches.ts';
import type { Candidate, PiiDetector } from './candidate.ts';
import type { CueReader } from './cues.ts';
import { isCompactDate, isCounted, isThousands } from './number-shapes.ts';
import { SPACED_LETTERS } from './spaced-letters.ts';
import { isPassportNumber } from './validators.ts';

const NUMBER = new RegExp(
  `(?=[A-Z\\d])(?<![${SPACED_LETTERS}\\d@.]|[${SPACED_LETTERS}\\d]-|(?<![${SPACED_LETTERS}])[_/])[A-Z\\d][A-Z\\d -]{4,11}[A-Z\\d]` +
    `(?![${SPACED_LETTERS}\\d_@]|[./-][${SPACED_LETTERS}\\d])`,
  'gu',
);
const LOWER_CASE =
  /(?=[a-z]{1,2}\d)(?<![\p{L}\d@._/-])[a-z]{1,2}\d{6,8}(?![\p{L}\d_@]|[./-][\p{L}\d])/gu;
/** What a label says is a passport number, whatever the country. */
const LABELED = /^(?=(?:[A-Z]*\d){4})[A-Z\d]{6,10}$/;
const MRZ_LINE =
  /(?<![A-Z\d<])([A-Z\d<]{9})(\d)[A-Z<]{3}(\d{6})(\d)[MFX<](\d{6})(\d)[A-Z\d<]{14}[\d<]\d(?![A-Z\d<])/g;
const REASON = 'passport format and a word for it';
const DIGIT = /\d/;
/** German numbers have no vowels, and one in some has no digit either. */
const LETTERS_ONLY = /^[CFGHJK][CFGHJKLMNPRTVWXYZ]{8}$/;
/** Countries whose numbers mix letters and digits in ways that the generic form does not cover. */
const COUNTRIES = ['DE', 'ES', 'IT', 'CA', 'IE', 'NL', 'CN', 'PL', 'RO', 'TR'] as const;
const GENERIC = /^(?:[A-Z]{1,2}\d{6,8}|\d{8,9}|[A-Z]{3}\d{6}|\d{2}[A-Z]{2}\d{5})$/;

/** Makes the expression for what comes right before a number that a sentence names. */
function introductionOf(languages: readonly LanguageData[]): RegExp {
  const words = anyOf(wordsIn(languages, ({ pii }) => pii?.passportIntroductions));
  return new RegExp(`(?:[:=#(),]|\\b(?:no|nr|n°|${words}))\\.?[ "']{0,2}$`, 'i');
}

/**
 * Makes the detector of passport numbers: a country's format with a word for passport nearby, or the
 * second line of the machine-readable zone with its check digits (ICAO Doc 9303).
 */
export function createPassportDetector(languages: readonly LanguageData[]): PiiDetector {
  const introduction = introductionOf(languages);
  return (text, cues) => {
    const found = findMachineReadable(text);
    if (!cues.mayName('passport')) return found;
    for (const match of allMatches(text, NUMBER)) {
      const candidate = bestToken(introduction, text, match.index, match[0], cues);
      if (candidate !== undefined) found.push(candidate);
    }
    for (const { 0: value, index: start } of allMatches(text, LOWER_CASE)) {
      if (cues.before('passport', start) !== 'for' || !cues.isLabeled('passport', start)) continue;
      const end = start + value.length;
      found.push({ type: 'passport', start, end, score: 0.8, reason: REASON });
    }
    return found;
  };
}

/** {@link createPassportDetector} with all languages. */
export const findPassport = createPassportDetector(LANGUAGES);

// A run of capitals and digits may hold several words: the first part that has a passport's form counts.
function bestToken(
  introduction: RegExp,
  text: string,
  offset: number,
  run: string,
  cues: CueReader,
): Candidate | undefined {
  if (!DIGIT.test(run) && !LETTERS_ONLY.test(run)) return undefined;
  const parts = [...run.matchAll(/[A-Z\d]+/g)];
  for (let first = 0; first < parts.length; first++) {
    for (let last = parts.length - 1; last >= first; last--) {
      const start = offset + (parts[first]?.index ?? 0);
      const end = offset + (parts[last]?.index ?? 0) + (parts[last]?.[0].length ?? 0);
      const score = rate(introduction, text, start, end, cues);
      if (score > 0) {
        return { type: 'passport', start, end, score, reason: REASON };
      }
    }
  }
  return undefined;
}

function rate(
  introduction: RegExp,
  text: string,
  start: number,
  end: number,
  cues: CueReader,
): number {
  const raw = text.slice(start, end);
  const value = raw.replace(/[ -]/g, '');
  if (LETTERS_ONLY.test(value)) return cues.before('passport', start) === 'for' ? 0.8 : 0;
  if (!/\d/.test(value) || isDate(raw)) return 0;
  const isLabeled = LABELED.test(value) && cues.isLabeled('passport', start);
  if (isLabeled && cues.before('passport', start) === 'for') return 0.96;
  if (isCompactDate(value)) return 0;
  if (!/[A-Z]/.test(value) && !isIntroduced(introduction, text, raw, start, end)) return 0;
  const generic = GENERIC.test(value);
  const letters = value.replace(/\d/g, '').length;
  if (!generic && !matchesCountry(value)) return 0;
  if (raw !== value && (!generic || letters > 2)) return 0;
  if (cues.before('passport', start) === 'for') return generic ? 0.96 : 0.9;
  return generic && cues.around('passport', start, end) === 'for' ? 0.85 : 0;
}

/** Digits alone are a passport number where a sentence comes to them, and they count nothing. */
function isIntroduced(
  introduction: RegExp,
  text: string,
  raw: string,
  start: number,
  end: number,
): boolean {
  if (isThousands(raw) || isCounted(text, end)) return false;
  return introduction.test(text.slice(Math.max(0, start - 16), start));
}

function matchesCountry(value: string): boolean {
  return COUNTRIES.some((country) => isPassportNumber(value, country));
}

function isDate(value: string): boolean {
  return /^(?:19|20)\d{2}[- ]\d{2}[- ]\d{2}$|^\d{2}[- ]\d{2}[- ](?:19|20)\d{2}$/.test(value);
}

function findMachineReadable(text: string): Candidate[] {
  if (!text.includes('<')) return [];
  const found: Candidate[] = [];
  for (const match of allMatches(text, MRZ_LINE)) {
    const [, number = '', check, birth = '', birthCheck, expiry = '', expiryCheck] = match;
    const valid =
      checkDigit(number) === check &&
      checkDigit(birth) === birthCheck &&
      checkDigit(expiry) === expiryCheck;
    if (!valid) continue;
    const end = match.index + number.replace(/<+$/, '').length;
    const reason = 'machine-readable zone with valid check digits';
    found.push({ type: 'passport', start: match.index, end, score: 0.99, reason });
  }
  return found;
}

/** ICAO Doc 9303 part 3, section 4.9: weights 7, 3, 1; letters from 10; filler 0. */
function checkDigit(field: string): string {
  const weights = [7, 3, 1];
  let sum = 0;
  [...field].forEach((char, index) => {
    const value = char === '<' ? 0 : Number.parseInt(char, 36);
    sum += value * (weights[index % 3] as number);
  });
  return String(sum % 10);
}
