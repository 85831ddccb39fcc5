import { BLANK, DIGIT, isSentenceEnd, kindOf, LETTER, MARK, NEWLINE } from './characters.ts';
import { mixHash, mixLetter, PRIME, SECOND_SALT, WORD_SALT } from './hashing.ts';

/** Most tokens of one segment; a longer run without an end of sentence is cut. */
const MAX_SEGMENT_TOKENS = 48;
/** A segment with fewer tokens goes on into the next sentence. */
const MIN_SEGMENT_TOKENS = 3;
/** Places to remember the hashes of a segment in; a power of two, above 4 times its tokens. */
const SEEN = 512;
/** So many words in a row begin a sentence among the cells of a table. */
const RUN = 4;
/** How far to look for them, in characters. */
const MOST_RUN = 64;
const BAR = 124;
const SPACE = 32;
const APOSTROPHE = 39;
/** The bit in which small letters of ASCII differ from capitals. */
const SMALL = 0x20;
const PAIR_SALT = 0x2545f491;
const SKIP_SALT = 0x68bc21eb;
const TRIPLE_SALT = 0x1b873593;

/** What a word is wholly made of. */
export const WORD_KIND = Object.freeze({
  /** Capitals, or characters beyond ASCII. */
  other: 0,
  /** From a to z. */
  letters: 1,
  digits: 2,
  /** One sign of ASCII. */
  sign: 3,
});

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
  /** Of each word what it is made of, see {@link WORD_KIND}. */
  wordKinds: Uint8Array;
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
    wordKinds: new Uint8Array(0),
    distinct: new Uint32Array(0),
    hashes: new Int32Array(0),
    count: 0,
    segments: 0,
    firstWord: new Uint32Array(64),
    firstDistinct: new Uint32Array(64),
    firstHash: new Uint32Array(64),
    starts: new Uint32Array(64),
    ends: new Uint32Array(64),
    seen: new Int32Array(SEEN),
  };
}

/** Reads the features of a folded text into `into`, in time linear in the text. */
export function readFeatures(text: string, into: TextFeatures): void {
  reserve(into, text.length + 1);
  new FeatureReader(text, into).read();
}

// A character makes at most one token, and a token three hashes.
function reserve(into: TextFeatures, length: number): void {
  if (into.words.length < length) {
    const room = Math.max(1024, length * 2);
    into.words = new Int32Array(room);
    into.checks = new Int32Array(room);
    into.wordStarts = new Uint32Array(room);
    into.wordEnds = new Uint32Array(room);
    into.wordKinds = new Uint8Array(room);
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
  }
}

/** Whether so many words follow each other, one blank between two, as in a sentence. */
function opensRun(text: string, start: number): boolean {
  const last = Math.min(text.length, start + MOST_RUN);
  let words = 0;
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at);
    if (kindOf(code) === LETTER || code === APOSTROPHE) continue;
    if (code !== SPACE || ++words === RUN) return words === RUN;
    if (at + 1 < text.length && kindOf(text.charCodeAt(at + 1)) !== LETTER) return false;
  }
  return false;
}

/** Whether the line from `start` on is no short one that goes together with its neighbors. */
function opensLongLine(text: string, start: number): boolean {
  const last = Math.min(text.length, start + MOST_RUN);
  let tokens = 0;
  let before = BLANK;
  for (let at = start; at < last; at++) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === BLANK && text.charCodeAt(at) === NEWLINE && tokens > 0) return false;
    const goesOn = kind === before && (kind === LETTER || kind === DIGIT);
    if (kind !== BLANK && !goesOn && ++tokens === MIN_SEGMENT_TOKENS) return true;
    before = kind;
  }
  return tokens > 0 && last < text.length;
}

class FeatureReader {
  readonly #text: string;
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

  constructor(text: string, into: TextFeatures) {
    this.#text = text;
    this.#into = into;
    this.#hashes = into.hashes;
    this.#seen = into.seen;
  }

  read(): void {
    const text = this.#text;
    const into = this.#into;
    into.text = text;
    into.readings++;
    into.firstWord[0] = 0;
    into.firstDistinct[0] = 0;
    into.firstHash[0] = 0;
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      const kind = kindOf(code);
      if (kind === BLANK) {
        if (code === NEWLINE) this.#endLine(at + 1);
        at++;
      } else if (kind === LETTER) {
        if (this.#isAmongCells() && opensRun(text, at)) this.#close();
        at = this.#readWord(at);
      } else if (kind === DIGIT) at = this.#readNumber(at);
      else at = this.#readSign(at, code, kind);
    }
    this.#close();
    into.count = this.#count;
    into.segments = this.#segments;
  }

  #readWord(start: number): number {
    const text = this.#text;
    let hash = WORD_SALT;
    let check = SECOND_SALT;
    let anyBits = 0;
    let allBits = SMALL;
    let end = start;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (kindOf(code) !== LETTER) break;
      hash = mixLetter(hash, code);
      check = Math.imul(check ^ code, PRIME);
      check ^= check >>> 13;
      anyBits |= code;
      allBits &= code;
      end++;
    }
    const isSmall = anyBits < 128 && allBits === SMALL;
    this.#into.wordKinds[this.#words] = isSmall ? WORD_KIND.letters : WORD_KIND.other;
    this.#addToken(hash, check, start, end);
    return end;
  }

  // Numbers count by their length, not by their value.
  #readNumber(start: number): number {
    let end = start;
    while (end < this.#text.length && kindOf(this.#text.charCodeAt(end)) === DIGIT) end++;
    const length = end - start;
    this.#cells++;
    this.#into.wordKinds[this.#words] = WORD_KIND.digits;
    this.#addToken(length < 3 ? length : length < 5 ? 3 : 5, 0, start, end);
    return end;
  }

  #readSign(at: number, code: number, kind: number): number {
    const words = this.#words - this.#first - this.#cells;
    if (code === BAR && words >= RUN) this.#close();
    this.#cells++;
    this.#into.wordKinds[this.#words] = code < 128 ? WORD_KIND.sign : WORD_KIND.other;
    this.#addToken(Math.imul(code + 64, PRIME), 0, at, at + 1);
    if (kind === MARK && isSentenceEnd(code)) {
      const next = this.#text.charCodeAt(at + 1);
      if (Number.isNaN(next) || kindOf(next) === BLANK || code > 127) this.#endSentence();
    }
    return at + 1;
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
    if (!isShort || opensLongLine(this.#text, next)) this.#close();
  }

  #endSentence(): void {
    if (this.#words - this.#first >= MIN_SEGMENT_TOKENS) this.#close();
  }

  #close(): void {
    if (this.#words === this.#first) return;
    const into = this.#into;
    into.starts[this.#segments] = into.wordStarts[this.#first] as number;
    into.ends[this.#segments] = into.wordEnds[this.#words - 1] as number;
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
}
