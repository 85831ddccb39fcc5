import { isFunctionWord } from '../language/function-words.ts';
import { createHashTable } from '../language/hash-table.ts';
import { eachWord } from '../language/join-words.ts';
import type { Postings } from '../language/postings.ts';
import { createPostings } from '../language/postings.ts';
import { prepareText } from '../text/prepared-text.ts';
import { tokensOfText } from '../tokens/tokens.ts';
import type { CipherWords } from './ciphers.ts';
import { createCipherWords } from './ciphers.ts';
import { createWordBuffer } from './word-buffer.ts';
import { lettersOf } from './word-letters.ts';

/** Words of all protected texts in a row, with an index over every three and every two neighbors. */
export interface ProtectedIndex extends CipherWords {
  readonly words: Int32Array;
  /** The weight of a matched word: 1 for a content word, less for a function word. */
  readonly weights: Float32Array;
  /** The letters of each word, packed. */
  readonly letters: Int32Array;
  /** Number of the protected text each word belongs to. */
  readonly documents: Int32Array;
  /** How many words each protected text has. */
  readonly sizes: Int32Array;
  readonly triples: Postings;
  readonly pairs: Postings;
}

/** 2^24 words, some 100 MB of text: what a place in the index can name. */
const MAX_WORDS = 2 ** 24 - 1;
const FUNCTION_WEIGHT = 0.25;
/** So much of a protected text is read at once, in UTF-16 units. */
const PIECE = 65_536;

/**
 * The key of three neighboring words. Their order does not matter, so that two words that changed
 * places are found as well.
 */
export function tripleKey(a: number, b: number, c: number): number {
  const sum = (a + b + c) | 0;
  const mixed = Math.imul(sum ^ (sum >>> 13), 0x5bd1e995) ^ Math.imul(a ^ b ^ c, 0x2545f491);
  return mixed || 1;
}

/** The key of two neighboring words, whatever their order. */
export function pairKey(a: number, b: number): number {
  const sum = (a + b) | 0;
  return Math.imul(sum ^ (sum >>> 11), 0x27d4eb2d) ^ Math.imul(a ^ b, 0x165667b1) || 1;
}

/** A text in pieces that end at a blank, so that the tokens of a long one need not be there all at once. */
function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > PIECE) {
    const blank = text.indexOf(' ', start + PIECE);
    if (blank < 0) break;
    yield text.slice(start, blank);
    start = blank;
  }
  yield text.slice(start);
}

/**
 * Reads the protected texts once and makes the index.
 *
 * @param texts protected texts; about 100 MB in all at most
 * @throws RangeError when there are more words than the index can name
 */
export function createProtectedIndex(texts: readonly string[]): ProtectedIndex {
  const steps = buildProtectedIndex(texts);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of a few milliseconds. */
export function* buildProtectedIndex(
  texts: readonly string[],
): Generator<undefined, ProtectedIndex> {
  const buffer = createWordBuffer(1024);
  const sizes = new Int32Array(texts.length);
  const known = createHashTable(1024);
  const ciphers = createCipherWords();
  for (const [document, text] of texts.entries()) {
    const { text: folded } = prepareText(text).folded;
    const first = buffer.count;
    for (const piece of piecesOf(folded)) {
      eachWord(tokensOfText(piece), (hash, start, end) => {
        if (known.get(hash) < 0) {
          known.set(hash, buffer.count);
          ciphers.add(piece.slice(start, end), buffer.count);
        }
        buffer.push(hash, document, lettersOf(piece, start, end));
      });
      yield;
    }
    sizes[document] = buffer.count - first;
  }
  if (buffer.count > MAX_WORDS) throw new RangeError('the protected texts have too many words');
  const words = buffer.hash.slice(0, buffer.count);
  const documents = buffer.start.slice(0, buffer.count);
  const letters = buffer.end.slice(0, buffer.count);
  const triples = new Int32Array(words.length);
  const pairs = new Int32Array(words.length);
  for (let at = 0; at + 1 < words.length; at++) {
    const [a, b, c] = [words[at], words[at + 1], words[at + 2]] as [number, number, number];
    if (documents[at] !== documents[at + 1]) continue;
    if (!(isFunctionWord(a) || isFunctionWord(b))) pairs[at] = pairKey(a, b);
    if (documents[at] === documents[at + 2]) triples[at] = tripleKey(a, b, c);
  }
  const weights = Float32Array.from(words, (hash) => (isFunctionWord(hash) ? FUNCTION_WEIGHT : 1));
  return {
    words,
    weights,
    letters,
    documents,
    sizes,
    turned: ciphers.turned,
    reversed: ciphers.reversed,
    filter: ciphers.filter,
    triples: createPostings(triples),
    pairs: createPostings(pairs),
  };
}
