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
    found ??= findWords(text);
    return found;
  };

  function before(type: PiiType, start: number): Cue {
    const known = words();
    for (let at = firstEndingAfter(known, start) - 1; at >= 0; at--) {
      const word = known[at] as FoundWord;
      if (word.start < start - REACH) return undefined;
      const cue = cueOf(type, word);
      if (cue !== undefined) return cue;
    }
    return undefined;
  }

  function after(type: PiiType, end: number): Cue {
    const known = words();
    for (let at = firstEndingAfter(known, end); at < known.length; at++) {
      const word = known[at] as FoundWord;
      if (word.start >= end + REACH_AFTER) return undefined;
      const cue = word.start < end ? undefined : cueOf(type, word);
      if (cue !== undefined) return cue;
    }
    return undefined;
  }

  return {
    around: (type, start, end) => before(type, start) ?? after(type, end),
    before,
    label: (start) => labelBefore(text, words(), start),
  };
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

function bitsAgainst(type: PiiType): number {
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
