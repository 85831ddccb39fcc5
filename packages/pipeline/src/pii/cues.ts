import type { PiiType } from '../risk.ts';
import { CUE_WORDS, HARMLESS_WORDS, NUMBERED_WORDS, REFERENCE_WORDS } from './cue-words.ts';
import { createWordFinder, type FoundWord } from './word-finder.ts';

/** What the words around a candidate say: for its type, against it, or nothing. */
export type Cue = 'for' | 'against' | undefined;

/** How far around a candidate words are read, in UTF-16 units. */
const REACH = 40;
const REACH_AFTER = 24;

const TYPES = Object.keys(CUE_WORDS) as PiiType[];
const NUMBERED = 1 << TYPES.length;
const REFERENCE = NUMBERED << 1;
const HARMLESS = REFERENCE << 1;
/** Words for these two are too general to speak against another type. */
const GENERAL: ReadonlySet<PiiType> = new Set(['email', 'ip_address']);
const FOR = new Map(TYPES.map((type, index) => [type, 1 << index]));
const AGAINST = new Map(TYPES.map((type) => [type, bitsAgainst(type)]));
const findWords = createWordFinder([
  ...TYPES.map((type) => ({ bits: bitOf(type), words: CUE_WORDS[type] })),
  { bits: HARMLESS | NUMBERED, words: NUMBERED_WORDS },
  { bits: HARMLESS | REFERENCE, words: REFERENCE_WORDS },
  { bits: HARMLESS, words: HARMLESS_WORDS },
]);
const BETWEEN_LABEL_AND_NUMBER =
  /^(?:[ ._-]{1,2}(?:number|no|nr|id|code|is|was)){0,2}[ .:#="'>]{0,4}$/i;
/** What may stand between a label and its value where the value is on the next line. */
const NEXT_LINE =
  /^(?: ?(?:number|no|nr|num|details|information))?[ \t]{0,4}[-:=#.*_|>"]{0,4}\s{1,8}[-*>|"' ]{0,4}(?:(?:number|no|nr|num|is)[ .:#]{1,3})?$/i;
const LINE_END = /[\n\r\u2028\u2029]/;

/** Reads the words around candidates in one normalized text. */
export interface CueReader {
  /**
   * Reads about 40 characters before a candidate and 24 after it. The nearest word before decides;
   * where there is none, the nearest after it. A word for another type speaks against this one.
   */
  around(type: PiiType, start: number, end: number): Cue;
  /** The same for the words before alone. */
  before(type: PiiType, start: number): Cue;
  /**
   * What the candidate is labelled as, unlike a harmless word somewhere before it: the number of a
   * `thing` (`part number 12-3`, `order #12`), or a `reference`, which may be any number at all.
   */
  label(start: number): Label;
}

/** A label right before a number, other than the words for personal data. */
type Label = 'thing' | 'reference' | undefined;

/** Makes the reader of a text; the text is searched for words once, when they are first asked for. */
export function createCueReader(text: string): CueReader {
  let found: readonly FoundWord[] | undefined;
  const words = () => {
    found ??= findWords(text).filter((word) => isOfText(text, word));
    return found;
  };

  function before(type: PiiType, start: number): Cue {
    const known = words();
    for (let at = firstEndingAfter(known, start) - 1; at >= 0; at--) {
      const word = known[at] as FoundWord;
      if (word.start < start - REACH) return undefined;
      const cue = cueOf(type, word);
      if (cue === undefined) continue;
      return isOfLine(text.slice(word.end, start)) ? cue : undefined;
    }
    return undefined;
  }

  function after(type: PiiType, end: number): Cue {
    const known = words();
    for (let at = firstEndingAfter(known, end); at < known.length; at++) {
      const word = known[at] as FoundWord;
      if (word.start >= end + REACH_AFTER) return undefined;
      const cue = word.start < end ? undefined : cueOf(type, word);
      if (cue !== undefined) return LINE_END.test(text.slice(end, word.start)) ? undefined : cue;
    }
    return undefined;
  }

  return {
    around: (type, start, end) => before(type, start) ?? after(type, end),
    before,
    label: (start) => labelBefore(text, words(), start),
  };
}

/** A word says nothing of what is on another line, unless it is a label right above it. */
function isOfLine(between: string): boolean {
  return !LINE_END.test(between) || NEXT_LINE.test(between);
}

/** A part of an e-mail address, or of a placeholder such as `[SSN_1]`, is no word about its neighbours. */
function isOfText(text: string, { start, end }: FoundWord): boolean {
  if (text.charCodeAt(start - 1) === BRACKET && PLACEHOLDER.test(text.slice(start, start + 40))) {
    return false;
  }
  return !isInAddress(text, start, end);
}

const BRACKET = 0x5b;
const PLACEHOLDER = /^[A-Z]+(?:_[A-Z]+){0,3}_[A-Z\d]{1,10}\]/;
const ADDRESS_SIGN = /[\p{L}\d.@+_-]/u;
/** Longest e-mail address (RFC 5321, section 4.5.3.1) is longer; so much decides. */
const ADDRESS_REACH = 48;

function isInAddress(text: string, start: number, end: number): boolean {
  const joined = (at: number) => '.@-_+'.includes(text.charAt(at)) && text.charAt(at) !== '';
  if (!joined(start - 1) && !joined(end)) return false;
  let from = start;
  while (from > start - ADDRESS_REACH && ADDRESS_SIGN.test(text.charAt(from - 1))) from--;
  let to = end;
  while (to < end + ADDRESS_REACH && ADDRESS_SIGN.test(text.charAt(to))) to++;
  return text.slice(from, to).includes('@');
}

function labelBefore(text: string, words: readonly FoundWord[], start: number): Label {
  for (let at = firstEndingAfter(words, start) - 1; at >= 0; at--) {
    const { bits, start: from, end } = words[at] as FoundWord;
    if (from < start - REACH) return undefined;
    if ((bits & (NUMBERED | REFERENCE)) === 0) continue;
    if (!BETWEEN_LABEL_AND_NUMBER.test(text.slice(end, start))) return undefined;
    return (bits & NUMBERED) === 0 ? 'reference' : 'thing';
  }
  return undefined;
}

function cueOf(type: PiiType, { bits }: FoundWord): Cue {
  if ((bits & bitOf(type)) !== 0) return 'for';
  return (bits & (AGAINST.get(type) as number)) !== 0 ? 'against' : undefined;
}

function bitOf(type: PiiType): number {
  return FOR.get(type) as number;
}

// Four numbers with dots between them are no other kind of personal data.
function bitsAgainst(type: PiiType): number {
  if (type === 'ip_address') return HARMLESS;
  const others = TYPES.filter((other) => other !== type && !GENERAL.has(other));
  return others.reduce((bits, other) => bits | bitOf(other), HARMLESS);
}

/** Index of the first word that ends after `position`; words are in order and free of overlaps. */
function firstEndingAfter(words: readonly FoundWord[], position: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] as FoundWord).end <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
