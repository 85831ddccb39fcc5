import type { TextView } from '../text/text-view.ts';
import { identityView } from '../text/text-view.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { tokensOfText } from '../tokens/tokens.ts';
import wordKinds from './data/word-kinds.json' with { type: 'json' };
import { GAP, SHAPE } from './join-words.ts';
import type { Entry, Lexicon } from './lexicon.ts';
import { KIND } from './lexicon.ts';
import type { ScannedWords } from './scanned-words.ts';
import { scannedWords } from './scanned-words.ts';
import type { Words } from './words.ts';
import { packWords, WordColumns } from './words.ts';

const SHORT_FORMS: ReadonlySet<string> = new Set(wordKinds.abbreviations);
const HAVE: ReadonlySet<string> = new Set(['have', 'has', 'had']);
const NEVER_NAMES = KIND.function | KIND.number | KIND.calendar | KIND.unit;
/** A date in digits: 13.02.2025. */
const DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
/** Rows of words without any mark are cut here, so that no sentence takes long to compare. */
const MAX_SENTENCE = 80;
/** Readers that hold more words than this are not kept. */
const MAX_KEPT = 1 << 14;
const MAX_SPARE = 4;
const spare: WordReader[] = [];

/** Collects words, block by block, and cuts them into sentences. */
export class WordReader {
  readonly #lexicon: Lexicon;
  readonly #words = new WordColumns();
  #lastGap = 0;
  /** The last word with a capital, where that tells names by itself. */
  #capital = -2;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  get lexicon(): Lexicon {
    return this.#lexicon;
  }

  /** Adds the words of a view that begin in [ownedStart, ownedEnd) of the original; `tokens` are those of the view. */
  add(view: TextView, tokens: Tokens, ownedStart: number, ownedEnd: number): void {
    const { text, shift } = view;
    const scanned = scannedWords(tokens);
    const { count, start, end } = scanned;
    for (let word = 0; word < count; word++) {
      const from = start[word] as number;
      const to = end[word] as number;
      if (shift !== undefined) {
        const first = from + shift;
        if (first >= ownedStart && first < ownedEnd)
          this.#take(text, scanned, word, first, to + shift);
        continue;
      }
      const place = view.range(from, to);
      if (place.start < ownedStart || place.start >= ownedEnd) continue;
      this.#take(text, scanned, word, place.start, place.end);
    }
    this.#lastGap = scanned.lastGap;
  }

  /** Adds the words of a text as it is. */
  addText(text: string): void {
    this.add(identityView(text), tokensOfText(text), 0, text.length);
  }

  #take(text: string, scanned: ScannedWords, word: number, start: number, end: number): void {
    const words = this.#words;
    const from = scanned.start[word] as number;
    const marks = scanned.marks[word] as number;
    const shape = marks & 0xff;
    const gap = marks >>> 8;
    const entry = this.#lexicon.entry(
      scanned.hash[word] as number,
      text,
      from,
      scanned.end[word] as number,
    );
    const date = this.#lexicon.grammar.isEnglish ? null : DATE.exec(entry.word);
    if (date !== null) {
      if (words.count === 0) words.sentences.push(0);
      const [, day = '', month = '', year = ''] = date;
      this.#push(this.#lexicon.number(Number(day)), start, end, shape, gap);
      this.#push(this.#lexicon.month(Number(month)), start, end, 0, 0);
      this.#push(this.#lexicon.number(Number(year)), start, end, 0, 0);
      return;
    }
    const at = words.count;
    if (at === 0) words.sentences.push(0);
    else {
      const before = words.entries[at - 1] as Entry;
      if ((entry.kinds & KIND.number) !== 0 && this.#joinNumber(entry, gap, text, from, end))
        return;
      if (gap === 0) {
        if (entry.word === 'to' && HAVE.has(before.word)) {
          words.set(at - 1, this.#lexicon.must, end);
          return;
        }
        if (at - (words.sentences.at(-1) as number) >= MAX_SENTENCE) words.sentences.push(at);
      } else if (
        at - (words.sentences.at(-1) as number) >= MAX_SENTENCE ||
        beginsSentence(gap, shape, before, words.shape[at - 1] as number, entry)
      ) {
        words.sentences.push(at);
      }
    }
    this.#push(entry, start, end, shape, gap);
  }

  /** Adds a word; where nouns have capitals as well, only two in a row behind the first word of a sentence are a name. */
  #push(entry: Entry, start: number, end: number, shape: number, gap: number): void {
    const words = this.#words;
    const at = words.count;
    const { isEnglish, hasCapitalNouns } = this.#lexicon.grammar;
    const isDate = (entry.kinds & KIND.calendar) !== 0;
    // English gives months and days capitals, as names.
    words.push(entry, start, end, isDate && !isEnglish ? shape | SHAPE.capital : shape, gap);
    if (!hasCapitalNouns || isDate) return;
    const isCapital = (shape & SHAPE.capital) !== 0 && (entry.kinds & NEVER_NAMES) === 0;
    const isInside = at > (words.sentences.at(-1) as number);
    if (isCapital && isInside && gap === 0 && this.#capital === at - 1) {
      words.shape[at - 1] = (words.shape[at - 1] as number) | SHAPE.capital;
    } else words.shape[at] = shape & ~SHAPE.capital;
    if (isCapital && isInside) this.#capital = at;
  }

  /** Makes one number of this word and the ones before it, such as "two hundred" and "six". */
  #joinNumber(entry: Entry, gap: number, text: string, from: number, end: number): boolean {
    const words = this.#words;
    const at = words.count;
    if (gap === 0 && !this.#lexicon.grammar.isEnglish && this.#joinDigits(entry, end)) return true;
    const isAnd = at > 1 && (words.entries[at - 1] as Entry).word === this.#lexicon.grammar.and;
    const head = isAnd ? at - 2 : at - 1;
    const sum = joinNumbers(words.entries[head] as Entry, entry, gap, text, from);
    if (sum === undefined || (isAnd && sum % 100 === 0)) return false;
    words.count = head + 1;
    words.set(head, this.#lexicon.number(sum), end);
    return true;
  }

  /** Makes one number of groups of digits, "2 530,47", and of an hour and its minutes, "17 h 04". */
  #joinDigits(entry: Entry, end: number): boolean {
    const words = this.#words;
    const last = words.count - 1;
    const before = words.entries[last] as Entry;
    const isHour = before.word === 'h' && last > 0 && /^\d\d$/.test(entry.word);
    const head = isHour ? last - 1 : last;
    const { kinds, value, word } = words.entries[head] as Entry;
    if ((kinds & KIND.number) === 0 || !/^\d+$/.test(word)) return false;
    if (!isHour && (!/^\d{3}(?:,\d+)?$/.test(entry.word) || value > 999_999)) return false;
    words.count = head + 1;
    const sum = isHour ? value + entry.value / 100 : value * 1000 + entry.value;
    words.set(head, this.#lexicon.number(Math.round(sum * 1e6) / 1e6), end);
    return true;
  }

  /** The words so far; they stay as they are until the reader is filled anew. */
  finish(): Words {
    this.#words.sentences.push(this.#words.count);
    this.#words.endsAsking = (this.#lastGap & GAP.question) !== 0;
    return this.#words;
  }

  /** Ends the use of the reader and of its words: both are used again. */
  giveBack(): void {
    if (spare.length >= MAX_SPARE || this.#words.capacity > MAX_KEPT) return;
    this.#words.clear();
    this.#lastGap = 0;
    this.#capital = -2;
    spare.push(this);
  }
}

/** An empty reader over a lexicon: one that was given back, where there is one. */
export function takeWordReader(lexicon: Lexicon): WordReader {
  const last = spare.pop();
  return last?.lexicon === lexicon ? last : new WordReader(lexicon);
}

/** The words of a text as it is, without preparation. */
export function readWords(lexicon: Lexicon, text: string): Words {
  const reader = takeWordReader(lexicon);
  reader.addText(text);
  const words = packWords(reader.finish());
  reader.giveBack();
  return words;
}

/** The value of a number in several words, such as "two hundred" or "3.5 million", so far. */
function joinNumbers(
  before: Entry,
  entry: Entry,
  gap: number,
  text: string,
  from: number,
): number | undefined {
  if ((before.kinds & KIND.number) === 0) return undefined;
  const hyphen = text[from - 1] === '-';
  if ((gap !== 0 && !hyphen) || /^\d/.test(entry.word)) return undefined;
  const { value } = entry;
  if (value >= 100 && value % 10 === 0)
    return before.value < value || before.value % 1000 !== 0
      ? scaled(before.value, value)
      : undefined;
  const room = before.value % 100 === 0 ? 100 : before.value % 10 === 0 ? 10 : 1;
  return before.value >= 20 && value < room ? before.value + value : undefined;
}

function scaled(before: number, scale: number): number {
  const small = scale === 100 ? before % 1000 : before;
  return before - small + small * scale;
}

function beginsSentence(
  gap: number,
  shape: number,
  before: Entry,
  shapeBefore: number,
  { kinds }: Entry,
): boolean {
  if ((gap & GAP.paragraph) !== 0) return true;
  const high = (shape & (SHAPE.capital | SHAPE.digit)) !== 0;
  if ((gap & GAP.line) !== 0 && ((gap & (GAP.bullet | GAP.stop)) !== 0 || high)) return true;
  if ((gap & GAP.stop) === 0 || !high) return (gap & GAP.question) !== 0;
  // The day of a date: "12. Oktober".
  if ((before.kinds & KIND.number) !== 0 && (kinds & KIND.calendar) !== 0) return false;
  const initial = before.word.length === 1 && (shapeBefore & SHAPE.capital) !== 0;
  return !(initial || SHORT_FORMS.has(before.word));
}

/** Whether the sentence that ends before word `to` is a question. */
export function isQuestion(words: Words, to: number): boolean {
  return to < words.count ? ((words.gap[to] as number) & GAP.question) !== 0 : words.endsAsking;
}
