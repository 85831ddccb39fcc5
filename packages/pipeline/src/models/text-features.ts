/** Most tokens of one segment; a longer stretch without an end of sentence is cut. */
const MAX_SEGMENT_TOKENS = 48;
/** A segment with fewer tokens goes on into the next sentence. */
const MIN_SEGMENT_TOKENS = 3;
/** Places to remember the hashes of a segment in; a power of two. */
const SEEN = 1 << 14;
const PRIME = 0x9e3779b1;
const WORD_SALT = 0x51ed270b;
const PAIR_SALT = 0x2545f491;
const SKIP_SALT = 0x68bc21eb;
const TRIPLE_SALT = 0x1b873593;
const GRAM_SALT = 0x02e5be93;
const NEWLINE = 10;
const BOUNDARY = 3;

/** What the characters of a text are to the tokenizer. */
const BLANK = 0;
const LETTER = 1;
const DIGIT = 2;
const MARK = 3;
const IDEOGRAPH = 4;

/**
 * The features of one text: 32-bit hashes of words, pairs, triples and pairs with a gap, and of the
 * groups of three to five characters inside words, in the order of the text and cut into segments of
 * about a sentence; a segment has each hash once. Reused from text to text, so nothing is allocated while reading.
 */
export interface TextFeatures {
  /** Hashes; valid below `count`. */
  hashes: Uint32Array;
  count: number;
  /** Segments; segment i has the hashes from `firstHash[i]` up to `firstHash[i + 1]`. */
  segments: number;
  firstHash: Uint32Array;
  /** UTF-16 offsets of each segment in the text read. */
  starts: Uint32Array;
  ends: Uint32Array;
  /** Tokens per segment. */
  tokens: Uint32Array;
  /** The hashes that the segment being read has already; 0 everywhere between segments. */
  readonly seen: Int32Array;
}

/** An empty buffer for readFeatures; it grows with the longest text read. */
export function createTextFeatures(): TextFeatures {
  return {
    hashes: new Uint32Array(4096),
    count: 0,
    segments: 0,
    firstHash: new Uint32Array(64),
    starts: new Uint32Array(64),
    ends: new Uint32Array(64),
    tokens: new Uint32Array(64),
    seen: new Int32Array(SEEN),
  };
}

/** Reads the features of a folded text into `into`, in time linear in the text. */
export function readFeatures(text: string, into: TextFeatures): void {
  reserve(into, text.length);
  const reader = new FeatureReader(text, into);
  reader.read();
}

// A character makes at most one token (four hashes) or three groups, and a word two groups more.
function reserve(into: TextFeatures, length: number): void {
  const most = length * 5 + 16;
  if (into.hashes.length < most) into.hashes = new Uint32Array(most * 2);
  const segments = (length >>> 1) + 2;
  if (into.starts.length < segments) {
    into.firstHash = new Uint32Array(segments * 2);
    into.starts = new Uint32Array(segments * 2);
    into.ends = new Uint32Array(segments * 2);
    into.tokens = new Uint32Array(segments * 2);
  }
}

/** Words with more letters are no words, or not of a language that has words. */
const MAX_GRAM_WORD = 24;
/** The word at hand with its two boundaries. */
const WORD = new Int32Array(MAX_GRAM_WORD + 2);
WORD[0] = BOUNDARY;

function mixGram(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, PRIME);
  return mixed ^ (mixed >>> 13);
}

class FeatureReader {
  readonly #text: string;
  readonly #into: TextFeatures;
  readonly #hashes: Uint32Array;
  readonly #seen: Int32Array;
  #count = 0;
  #segments = 0;
  #tokens = 0;
  #start = 0;
  #end = 0;
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
    this.#into.firstHash[0] = 0;
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      const kind = kindOf(code);
      if (kind === BLANK) {
        if (code === NEWLINE) this.#endSentence();
        at++;
      } else if (kind === LETTER) at = this.#readWord(at);
      else if (kind === DIGIT) at = this.#readNumber(at);
      else at = this.#readSign(at, code);
    }
    this.#close();
    this.#forget(this.#segments);
    this.#into.count = this.#count;
    this.#into.segments = this.#segments;
  }

  #readWord(start: number): number {
    const text = this.#text;
    let hash = WORD_SALT;
    let end = start;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (kindOf(code) !== LETTER) break;
      hash = Math.imul(hash ^ code, PRIME);
      hash ^= hash >>> 15;
      end++;
    }
    this.#addToken(hash, start, end);
    if (end - start > 3 && end - start <= MAX_GRAM_WORD) this.#addGrams(start, end);
    return end;
  }

  /** Groups of 3 to 5 characters of a word with its two boundaries. */
  #addGrams(start: number, end: number): void {
    const text = this.#text;
    const last = end - start + 1;
    for (let at = 1; at < last; at++) WORD[at] = text.charCodeAt(start + at - 1);
    WORD[last] = BOUNDARY;
    for (let from = 0; from < last - 1; from++) {
      let hash = mixGram(GRAM_SALT, WORD[from] as number);
      hash = mixGram(hash, WORD[from + 1] as number);
      const most = Math.min(from + 4, last);
      for (let at = from + 2; at <= most; at++) {
        hash = mixGram(hash, WORD[at] as number);
        this.#emit(hash);
      }
    }
  }

  // Once for each segment: what is repeated a hundred times says no more than what is said once.
  #emit(hash: number): void {
    const place = hash & (SEEN - 1);
    if (this.#seen[place] === hash) return;
    this.#seen[place] = hash;
    this.#hashes[this.#count++] = hash;
  }

  // Numbers count by their length, not by their value.
  #readNumber(start: number): number {
    let end = start;
    while (end < this.#text.length && kindOf(this.#text.charCodeAt(end)) === DIGIT) end++;
    const length = end - start;
    this.#addToken(length < 3 ? length : length < 5 ? 3 : 5, start, end);
    return end;
  }

  #readSign(at: number, code: number): number {
    this.#addToken(Math.imul(code + 64, PRIME), at, at + 1);
    if (isSentenceEnd(code) && this.#endsHere(at, code)) this.#endSentence();
    return at + 1;
  }

  // A full stop inside a number, an address or a name of code ends nothing.
  #endsHere(at: number, code: number): boolean {
    return (
      code > 127 || at + 1 >= this.#text.length || kindOf(this.#text.charCodeAt(at + 1)) === BLANK
    );
  }

  #addToken(word: number, start: number, end: number): void {
    if (this.#tokens === 0) this.#start = start;
    this.#tokens++;
    this.#end = end;
    this.#emit(mix(word, 0));
    this.#emit(mix(word, Math.imul(this.#previous, PRIME) ^ PAIR_SALT));
    this.#emit(mix(word, Math.imul(this.#beforePrevious, PRIME) ^ SKIP_SALT));
    const pair = Math.imul(this.#beforePrevious, PAIR_SALT) ^ this.#previous;
    this.#emit(mix(word, Math.imul(pair, PRIME) ^ TRIPLE_SALT));
    this.#beforePrevious = this.#previous;
    this.#previous = word;
    if (this.#tokens >= MAX_SEGMENT_TOKENS) this.#close();
  }

  #endSentence(): void {
    if (this.#tokens >= MIN_SEGMENT_TOKENS) this.#close();
  }

  /** Makes the memory of hashes empty again; it holds those from the given segment on. */
  #forget(segment: number): void {
    const first = this.#into.firstHash[segment] as number;
    for (let at = first; at < this.#count; at++) {
      this.#seen[(this.#hashes[at] as number) & (SEEN - 1)] = 0;
    }
  }

  #close(): void {
    if (this.#tokens === 0) return;
    const into = this.#into;
    into.starts[this.#segments] = this.#start;
    into.ends[this.#segments] = this.#end;
    into.tokens[this.#segments] = this.#tokens;
    this.#segments++;
    into.firstHash[this.#segments] = this.#count;
    this.#forget(this.#segments - 1);
    this.#tokens = 0;
    this.#previous = 0;
    this.#beforePrevious = 0;
  }
}

function mix(word: number, salt: number): number {
  let hash = Math.imul(word ^ salt, PRIME);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, TRIPLE_SALT);
  return hash ^ (hash >>> 13);
}

function isSentenceEnd(code: number): boolean {
  return (
    code === 46 ||
    code === 33 ||
    code === 63 ||
    (code > 127 && (code === 0x3002 || code === 0xff01 || code === 0xff1f))
  );
}

const ASCII_KIND = new Uint8Array(128).map((_, code) => {
  const lower = code | 32;
  if (lower >= 97 && lower <= 122) return LETTER;
  if (code <= 32) return BLANK;
  return code >= 48 && code <= 57 ? DIGIT : MARK;
});

function kindOf(code: number): number {
  if (code < 128) return ASCII_KIND[code] as number;
  if (code >= 0x2e80 && code <= 0xd7ff) return code >= 0xac00 ? LETTER : IDEOGRAPH;
  if (code < 0xc0 || (code >= 0x2000 && code <= 0x2bff) || code === 0xd7 || code === 0xf7) {
    return code === 0xa0 || code === 0xad || (code >= 0x2000 && code <= 0x200f) ? BLANK : MARK;
  }
  return code >= 0xd800 ? MARK : LETTER;
}
