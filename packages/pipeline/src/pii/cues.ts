import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { wordsIn } from '../languages/word-list.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { lazyTokens } from '../tokens/tokens.ts';
import { afterLabel, BETWEEN_LABEL_AND_NUMBER, LINE_END, NEXT_LINE } from './label-forms.ts';
import type { PiiTypeDefinition } from './pii-type.ts';
import type { PiiType } from './pii-types.ts';
import { PII_TYPES } from './pii-types.ts';
import { sharedPieces } from './shared-pieces.ts';
import { columnHead } from './table-cells.ts';
import type { FoundWord } from './word-finder.ts';
import { createWordFinder } from './word-finder.ts';

/** What the words around a candidate say: for its type, against it, or nothing. */
export type Cue = 'for' | 'against' | undefined;

/** How far around a candidate words are read, in UTF-16 units. */
const REACH = 40;
const REACH_AFTER = 24;

const TYPES: readonly PiiTypeDefinition<PiiType>[] = PII_TYPES;
const NUMBERED = 1 << TYPES.length;
const REFERENCE = NUMBERED << 1;
const HARMLESS = REFERENCE << 1;
/** Words that name a bank account, on top of the bit for bank accounts. */
const ACCOUNT = HARMLESS << 1;
const FOR = new Map(TYPES.map(({ type }, index) => [type, 1 << index]));
const AGAINST = new Map(TYPES.map((definition) => [definition.type, bitsAgainst(definition)]));
/** Between a word and `id`, `code` or the like that only continues it: `passport/ID`, `account code`. */
const CONTINUING = /^(?:ids?|identifier|code)$/i;
const CONTINUED = /^[\s/._-]{0,2}$/;

const OWN_NUMBER = /^[ :#=]{1,3}\d+(?![.\d])/;

/** Reads the words around candidates in one normalized text. */
export interface CueReader {
  /** The tokens of the text. */
  readonly tokens: () => Tokens;
  /** Whether the text may have a word for the type; far cheaper than to read its words. */
  mayName(type: PiiType): boolean;
  /**
   * Reads about 40 characters before a candidate and 24 after it. The nearest word before decides;
   * where there is none, the nearest after it, then the head of its column in a table. A word for
   * another type counts against this one.
   */
  around(type: PiiType, start: number, end: number): Cue;
  /** The same for the words before and the head of the column alone. */
  before(type: PiiType, start: number): Cue;
  /** Whether a word for the type stands right before the candidate, as its label. */
  isLabeled(type: PiiType, start: number): boolean;
  /** Whether a word before the candidate or the head of its column names a bank account. */
  namesAccount(start: number): boolean;
  /**
   * What the candidate is labeled as, unlike a harmless word somewhere before it: the number of a
   * `thing` (`part number 12-3`, `order #12`), or a `reference`, which may be any number at all.
   */
  label(start: number): Label;
}

/** The lists of words that belong to no single type of personal data. */
type CueList = 'accountWords' | 'numberedWords' | 'referenceWords' | 'harmlessWords';

/** A label right before a number, other than the words for personal data. */
type Label = 'thing' | 'reference' | undefined;

/** The words of some languages, made ready to be found. */
interface CueWords {
  readonly findWords: (tokens: Tokens) => readonly FoundWord[];
  /** What may stand between a label and its number. */
  readonly afterLabel: RegExp;
  /** What every text with a word for a type has. */
  piecesOf(type: PiiType): RegExp;
}

function compileWords(languages: readonly LanguageData[]): CueWords {
  const wordsByType = new Map(
    TYPES.map(({ type }) => [type, wordsIn(languages, ({ pii }) => pii?.cues?.[type])]),
  );
  const pieces = new Map<PiiType, RegExp>();
  const listed = (bits: number, list: CueList) => ({
    bits,
    words: wordsIn(languages, ({ pii }) => pii?.[list]),
  });
  return {
    findWords: createWordFinder([
      ...[...wordsByType].map(([type, words]) => ({ bits: bitOf(type), words })),
      listed(ACCOUNT | bitOf('bank_account'), 'accountWords'),
      listed(HARMLESS | NUMBERED, 'numberedWords'),
      listed(HARMLESS | REFERENCE, 'referenceWords'),
      listed(HARMLESS, 'harmlessWords'),
    ]),
    afterLabel: afterLabel(languages),
    piecesOf(type) {
      const known = pieces.get(type) ?? sharedPieces(wordsByType.get(type) ?? []);
      pieces.set(type, known);
      return known;
    },
  };
}

/**
 * Makes what makes the readers of texts, with the words of some languages. A reader searches its text
 * for words once, at the first question; only then are its tokens asked for.
 */
export function createCueReaders(
  languages: readonly LanguageData[],
): (text: string, tokens?: () => Tokens) => CueReader {
  const words = compileWords(languages);
  return (text, tokens = lazyTokens(text)) => new WordReader(text, tokens, words);
}

class WordReader implements CueReader {
  readonly #text: string;
  readonly tokens: () => Tokens;
  readonly #known: CueWords;
  #found: readonly FoundWord[] | undefined;

  constructor(text: string, tokens: () => Tokens, known: CueWords) {
    this.#text = text;
    this.tokens = tokens;
    this.#known = known;
  }

  mayName(type: PiiType): boolean {
    return this.#known.piecesOf(type).test(this.#text);
  }

  around(type: PiiType, start: number, end: number): Cue {
    return this.#inLine(type, start) ?? this.#after(type, end) ?? this.#inHead(bitOf(type), start);
  }

  before(type: PiiType, start: number): Cue {
    return this.#inLine(type, start) ?? this.#inHead(bitOf(type), start);
  }

  isLabeled(type: PiiType, start: number): boolean {
    const word = this.#nearest(start, (bits) => (bits & bitOf(type)) !== 0);
    const between = word === undefined ? '' : this.#text.slice(word.end, start);
    const isNext = this.#known.afterLabel.test(between) || NEXT_LINE.test(between);
    return (word !== undefined && isNext) || this.#inHead(bitOf(type), start) === 'for';
  }

  namesAccount(start: number): boolean {
    const word = this.#nearest(start, (bits) => (bits & ACCOUNT) !== 0);
    return word !== undefined || this.#inHead(ACCOUNT, start) === 'for';
  }

  label(start: number): Label {
    const word = this.#nearest(start, (bits) => (bits & (NUMBERED | REFERENCE)) !== 0);
    if (word === undefined) return undefined;
    if (!BETWEEN_LABEL_AND_NUMBER.test(this.#text.slice(word.end, start))) return undefined;
    return (word.bits & NUMBERED) === 0 ? 'reference' : 'thing';
  }

  #words(): readonly FoundWord[] {
    const text = this.#text;
    this.#found ??= this.#known.findWords(this.tokens()).filter((word) => isOfText(text, word));
    return this.#found;
  }

  #inLine(type: PiiType, start: number): Cue {
    const known = this.#words();
    for (let at = firstEndingAfter(known, start) - 1; at >= 0; at--) {
      const word = known[at] as FoundWord;
      if (word.start < start - REACH) return undefined;
      const cue = cueOf(type, word);
      if (cue === undefined) continue;
      if (cue === 'against' && this.#continues(type, known[at - 1], word)) continue;
      if (cue === 'against' && this.#isSpent(type, word, start)) continue;
      return isOfLine(this.#text.slice(word.end, start)) ? cue : undefined;
    }
    return undefined;
  }

  /** Whether a word such as `id` only continues the word for the type right before it. */
  #continues(type: PiiType, previous: FoundWord | undefined, { start, end }: FoundWord): boolean {
    if (previous === undefined || (previous.bits & bitOf(type)) === 0) return false;
    const between = this.#text.slice(previous.end, start);
    if (between === '/') return true;
    return CONTINUED.test(between) && CONTINUING.test(this.#text.slice(start, end));
  }

  /** Whether a word before an address has had its number: `port 443 reset by 192.0.2.1`. */
  #isSpent(type: PiiType, { end }: FoundWord, start: number): boolean {
    return type === 'ip_address' && OWN_NUMBER.test(this.#text.slice(end, start));
  }

  #after(type: PiiType, end: number): Cue {
    const known = this.#words();
    for (let at = firstEndingAfter(known, end); at < known.length; at++) {
      const word = known[at] as FoundWord;
      if (word.start >= end + REACH_AFTER) return undefined;
      const cue = word.start < end ? undefined : cueOf(type, word);
      if (cue !== undefined)
        return LINE_END.test(this.#text.slice(end, word.start)) ? undefined : cue;
    }
    return undefined;
  }

  #inHead(bits: number, start: number): Cue {
    const head = columnHead(this.#text, start);
    if (head === undefined) return undefined;
    const known = this.#words();
    for (let at = firstEndingAfter(known, head.start); at < known.length; at++) {
      const word = known[at] as FoundWord;
      if (word.end > head.end) return undefined;
      if ((word.bits & bits) === bits) return 'for';
    }
    return undefined;
  }

  /** The nearest word before `start` within reach that has the bits wanted. */
  #nearest(start: number, isWanted: (bits: number) => boolean): FoundWord | undefined {
    const known = this.#words();
    for (let at = firstEndingAfter(known, start) - 1; at >= 0; at--) {
      const word = known[at] as FoundWord;
      if (word.start < start - REACH) return undefined;
      if (isWanted(word.bits)) return word;
    }
    return undefined;
  }
}

/** A word says nothing of what is on another line, unless it is a label right above it. */
function isOfLine(between: string): boolean {
  return !LINE_END.test(between) || NEXT_LINE.test(between);
}

/** A part of an e-mail address, or of a placeholder such as `[SSN_1]`, is no word about its neighbors. */
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

function cueOf(type: PiiType, { bits }: FoundWord): Cue {
  if ((bits & bitOf(type)) !== 0) return 'for';
  return (bits & (AGAINST.get(type) as number)) !== 0 ? 'against' : undefined;
}

function bitOf(type: PiiType): number {
  return FOR.get(type) as number;
}

function bitsAgainst({ type, isContradicted = true }: PiiTypeDefinition<PiiType>): number {
  if (!isContradicted) return HARMLESS;
  const others = TYPES.filter((other) => other.type !== type && !other.isGeneral);
  return others.reduce((bits, other) => bits | bitOf(other.type), HARMLESS);
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

/** {@link createCueReaders} with all languages. */
export const createCueReader = createCueReaders(LANGUAGES);
