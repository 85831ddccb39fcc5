import { BLANK, DIGIT, isSentenceEnd, kindOf, LETTER, MARK } from '../tokens/characters.ts';
import { MARKS, ROW } from '../tokens/token-row.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { mixHash, PRIME } from './hashing.ts';

/** Most tokens of one segment; a longer run without an end of sentence is cut. */
const MAX_SEGMENT_TOKENS = 48;
/** A segment with fewer tokens goes on into the next sentence. */
const MIN_SEGMENT_TOKENS = 3;
/** Places to remember the hashes of a segment in; a power of two, above 4 times its tokens. */
const SEEN = 512;
/** Segments to remember while a text is read; a power of two. */
const SEEN_SEGMENTS = 1024;
/** So many words in a row begin a sentence among the cells of a table. */
const RUN = 4;
/** How far to look for them, in characters. */
const MOST_RUN = 64;
/** A letter four times or more in a row: a placeholder, or a stretched word that another form of the text spells. */
const LETTER_RUN = /([^\s\d])\1{3}/;
const BAR = 124;
const SPACE = 32;
const APOSTROPHE = 39;
const PAIR_SALT = 0x2545f491;
const SKIP_SALT = 0x68bc21eb;
const TRIPLE_SALT = 0x1b873593;

/**
 * The features of one text: its words, and 32-bit hashes of pairs, triples and pairs with a gap, in
 * the order of the text and cut into segments of about a sentence; a segment has each once. What a
 * word itself stands for, its letters included, is read by `eachWordHash`. Reused from text to text,
 * so nothing is allocated while reading.
 */
export interface TextFeatures {
  /** The text that was read. */
  text: string;
  /** How many texts were read into it, this one included. */
  readings: number;
  /** Words, numbers and signs in order; of each two hashes and its place in the text. */
  words: Int32Array;
  checks: Int32Array;
  wordStarts: Uint32Array;
  wordEnds: Uint32Array;
  /** Which of them are the first of their kind in their segment. */
  distinct: Uint32Array;
  /** Hashes of what stands side by side; valid below `count`. */
  hashes: Int32Array;
  count: number;
  /** Segments; segment i has the words from `firstWord[i]` up to `firstWord[i + 1]`, likewise the others. */
  segments: number;
  firstWord: Uint32Array;
  firstDistinct: Uint32Array;
  firstHash: Uint32Array;
  /** UTF-16 offsets of each segment in the text read. */
  starts: Uint32Array;
  ends: Uint32Array;
  /** 1 for a segment whose words are those of an earlier one: it says nothing again. */
  repeats: Uint8Array;
  /** How many segments repeat an earlier one. */
  repeated: number;
  /** One more than the index of the latest segment with a hash, by its last bits; 0 everywhere between texts. */
  readonly seenSegments: Int32Array;
  /** The hashes that the segment being read has already; 0 everywhere between segments. */
  readonly seen: Int32Array;
}

/** An empty buffer for readFeatures; it grows with the longest text read. */
export function createTextFeatures(): TextFeatures {
  return {
    text: '',
    readings: 0,
    words: new Int32Array(0),
    checks: new Int32Array(0),
    wordStarts: new Uint32Array(0),
    wordEnds: new Uint32Array(0),
    distinct: new Uint32Array(0),
    hashes: new Int32Array(0),
    count: 0,
    segments: 0,
    firstWord: new Uint32Array(64),
    firstDistinct: new Uint32Array(64),
    firstHash: new Uint32Array(64),
    starts: new Uint32Array(64),
    ends: new Uint32Array(64),
    repeats: new Uint8Array(64),
    repeated: 0,
    seenSegments: new Int32Array(SEEN_SEGMENTS),
    seen: new Int32Array(SEEN),
  };
}

/** Reads the features of a folded text into `into`, in time linear in its tokens. */
export function readFeatures(tokens: Tokens, into: TextFeatures): void {
  reserve(into, tokens.rows.length / tokens.width + 1);
  new FeatureReader(tokens, into).read();
}

// A row makes at most one word, and a word three hashes.
function reserve(into: TextFeatures, length: number): void {
  if (into.words.length < length) {
    const room = Math.max(1024, length * 2);
    into.words = new Int32Array(room);
    into.checks = new Int32Array(room);
    into.wordStarts = new Uint32Array(room);
    into.wordEnds = new Uint32Array(room);
    into.distinct = new Uint32Array(room);
    into.hashes = new Int32Array(room * 3);
  }
  const segments = (length >>> 1) + 2;
  if (into.starts.length < segments) {
    into.firstWord = new Uint32Array(segments * 2);
    into.firstDistinct = new Uint32Array(segments * 2);
    into.firstHash = new Uint32Array(segments * 2);
    into.starts = new Uint32Array(segments * 2);
    into.ends = new Uint32Array(segments * 2);
    into.repeats = new Uint8Array(segments * 2);
  }
}

class FeatureReader {
  readonly #tokens: Tokens;
  readonly #into: TextFeatures;
  readonly #hashes: Int32Array;
  readonly #seen: Int32Array;
  #count = 0;
  #words = 0;
  #segments = 0;
  #distinct = 0;
  /** The first word of the segment being read. */
  #first = 0;
  /** Numbers and signs in the segment being read. */
  #cells = 0;
  #previous = 0;
  #beforePrevious = 0;
  readonly #hasLetterRuns: boolean;

  constructor(tokens: Tokens, into: TextFeatures) {
    this.#tokens = tokens;
    this.#into = into;
    this.#hashes = into.hashes;
    this.#seen = into.seen;
    this.#hasLetterRuns = LETTER_RUN.test(tokens.text);
  }

  read(): void {
    const { text, rows, width } = this.#tokens;
    const into = this.#into;
    into.text = text;
    into.readings++;
    into.firstWord[0] = 0;
    into.firstDistinct[0] = 0;
    into.firstHash[0] = 0;
    into.repeated = 0;
    let row = 0;
    while (row < rows.length) {
      const marks = rows[row + ROW.marks] as number;
      const kind = marks & MARKS.kind;
      if (kind === LETTER) {
        if (this.#isAmongCells() && this.#opensRun(row)) this.#close();
        row = this.#readRun(row, kind);
        continue;
      }
      if (kind === DIGIT) {
        row = this.#readRun(row, kind);
        continue;
      }
      row += width;
      if (kind !== BLANK) this.#readSign(row - width, kind);
      else if ((marks & MARKS.lineBreak) !== 0) this.#endLine(row);
    }
    this.#close();
    into.seenSegments.fill(0);
    into.count = this.#count;
    into.segments = this.#segments;
  }

  /** Reads a word or a number, which may be in several rows; returns the row behind it. */
  #readRun(first: number, kind: number): number {
    const { text, rows, width, start, length, lengthShift } = this.#tokens;
    const from = rows[first + start] as number;
    let last = first;
    let end = from + ((rows[first + length] as number) >>> lengthShift);
    let row = first + width;
    for (; row < rows.length; row += width) {
      const size = (rows[row + length] as number) >>> lengthShift;
      if (size === 0) continue;
      if (((rows[row + ROW.marks] as number) & MARKS.goesOn) === 0) break;
      last = row;
      end += size;
    }
    if (kind === LETTER) {
      if (this.#hasLetterRuns && LETTER_RUN.test(text.slice(from, end))) return row;
      this.#addToken(rows[last + ROW.hash] as number, rows[last + ROW.check] as number, from, end);
    } else {
      this.#cells++;
      this.#addToken(lengthClass(end - from), 0, from, end);
    }
    return row;
  }

  #readSign(row: number, kind: number): void {
    const { text, rows, start } = this.#tokens;
    const at = rows[row + start] as number;
    const code = rows[row + ROW.hash] as number;
    const words = this.#words - this.#first - this.#cells;
    if (code === BAR && words >= RUN) this.#close();
    this.#cells++;
    this.#addToken(Math.imul(code + 64, PRIME), 0, at, at + 1);
    if (kind === MARK && isSentenceEnd(code)) {
      const next = text.charCodeAt(at + 1);
      if (Number.isNaN(next) || kindOf(next) === BLANK || code > 127) this.#endSentence();
    }
  }

  /** Whether so many words follow each other from a row on, one blank between two, as in a sentence. */
  #opensRun(first: number): boolean {
    const { text, rows, width, start, length, lengthShift } = this.#tokens;
    const last = (rows[first + start] as number) + MOST_RUN;
    let at = rows[first + start] as number;
    let words = 0;
    for (let row = first; row < rows.length; row += width) {
      const size = (rows[row + length] as number) >>> lengthShift;
      if (size === 0) continue;
      // Text without blanks is not read to its end for each of its letters.
      if (at >= last) return false;
      const from = rows[row + start] as number;
      const kind = (rows[row + ROW.marks] as number) & MARKS.kind;
      if (from > at) {
        if (text.charCodeAt(at) !== SPACE) return false;
        if (++words === RUN) return true;
        if (from > at + 1 || kind !== LETTER) return false;
      } else if (kind !== LETTER && rows[row + ROW.hash] !== APOSTROPHE) return false;
      at = from + size;
    }
    return words === RUN - 1 && at < last && text.charCodeAt(at) === SPACE;
  }

  /** Whether the line from a row on is no short one that goes together with its neighbors. */
  #opensLongLine(next: number, at: number): boolean {
    const { text, rows, width, start, length, lengthShift } = this.#tokens;
    const last = Math.min(text.length, at + MOST_RUN);
    let tokens = 0;
    for (let row = next; row < rows.length; row += width) {
      if ((rows[row + length] as number) >>> lengthShift === 0) continue;
      if ((rows[row + start] as number) >= last) break;
      const marks = rows[row + ROW.marks] as number;
      if ((marks & MARKS.lineBreak) !== 0) {
        if (tokens > 0) return false;
      } else if ((marks & MARKS.goesOn) === 0 && ++tokens === MIN_SEGMENT_TOKENS) return true;
    }
    return tokens > 0 && last < text.length;
  }

  #addToken(word: number, check: number, start: number, end: number): void {
    const into = this.#into;
    const at = this.#words++;
    into.words[at] = word;
    into.checks[at] = check;
    into.wordStarts[at] = start;
    into.wordEnds[at] = end;
    const place = word & (SEEN - 1);
    if (this.#seen[place] !== word) {
      this.#seen[place] = word;
      into.distinct[this.#distinct++] = at;
    }
    this.#addNeighbors(word);
    if (this.#words - this.#first >= MAX_SEGMENT_TOKENS) this.#close();
  }

  // Once for each segment: what is repeated a hundred times says no more than what is said once.
  #addNeighbors(word: number): void {
    const seen = this.#seen;
    const hashes = this.#hashes;
    const before = this.#previous;
    const beforeThat = this.#beforePrevious;
    let count = this.#count;
    const pair = mixHash(word, Math.imul(before, PRIME) ^ PAIR_SALT);
    if (seen[pair & (SEEN - 1)] !== pair) {
      seen[pair & (SEEN - 1)] = pair;
      hashes[count++] = pair;
    }
    const skip = mixHash(word, Math.imul(beforeThat, PRIME) ^ SKIP_SALT);
    if (seen[skip & (SEEN - 1)] !== skip) {
      seen[skip & (SEEN - 1)] = skip;
      hashes[count++] = skip;
    }
    const both = Math.imul(beforeThat, PAIR_SALT) ^ before;
    const triple = mixHash(word, Math.imul(both, PRIME) ^ TRIPLE_SALT);
    if (seen[triple & (SEEN - 1)] !== triple) {
      seen[triple & (SEEN - 1)] = triple;
      hashes[count++] = triple;
    }
    this.#count = count;
    this.#beforePrevious = before;
    this.#previous = word;
  }

  /** Whether what has been read of the segment looks like the cells of a table. */
  #isAmongCells(): boolean {
    const tokens = this.#words - this.#first;
    return tokens >= MIN_SEGMENT_TOKENS && 2 * this.#cells >= tokens;
  }

  // What a short last line says is not said together with a text that is joined to it.
  #endLine(next: number): void {
    if (this.#words === this.#first) return;
    const isShort = this.#words - this.#first < MIN_SEGMENT_TOKENS;
    const { rows, width, start } = this.#tokens;
    const behind = (rows[next - width + start] as number) + 1;
    if (!isShort || this.#opensLongLine(next, behind)) this.#close();
  }

  #endSentence(): void {
    if (this.#words - this.#first >= MIN_SEGMENT_TOKENS) this.#close();
  }

  #close(): void {
    if (this.#words === this.#first) return;
    const into = this.#into;
    into.starts[this.#segments] = into.wordStarts[this.#first] as number;
    into.ends[this.#segments] = into.wordEnds[this.#words - 1] as number;
    this.#markRepeat();
    this.#segments++;
    into.firstWord[this.#segments] = this.#words;
    into.firstDistinct[this.#segments] = this.#distinct;
    into.firstHash[this.#segments] = this.#count;
    this.#seen.fill(0);
    this.#first = this.#words;
    this.#cells = 0;
    this.#previous = 0;
    this.#beforePrevious = 0;
  }

  /** Marks the segment where an earlier one has the same words. */
  #markRepeat(): void {
    const into = this.#into;
    let hash = 1;
    for (let at = this.#first; at < this.#words; at++) {
      hash = mixHash(hash, into.words[at] as number);
    }
    const place = hash & (SEEN_SEGMENTS - 1);
    const repeats = this.#hasWordsOf((into.seenSegments[place] as number) - 1);
    into.seenSegments[place] = this.#segments + 1;
    into.repeats[this.#segments] = repeats ? 1 : 0;
    if (repeats) into.repeated++;
  }

  /** Compares each word: a hash of all can be met by another sentence, which would hide this one. */
  #hasWordsOf(segment: number): boolean {
    if (segment < 0) return false;
    const { words, checks, firstWord } = this.#into;
    const from = firstWord[segment] as number;
    const count = this.#words - this.#first;
    if ((firstWord[segment + 1] as number) - from !== count) return false;
    for (let at = 0; at < count; at++) {
      const [other, own] = [from + at, this.#first + at];
      if (words[other] !== words[own] || checks[other] !== checks[own]) return false;
    }
    return true;
  }
}

/** Numbers count by their length, not by their value. */
function lengthClass(length: number): number {
  return length < 3 ? length : length < 5 ? 3 : 5;
}
