import type { Embedder } from '../backends/types.ts';
import type { Entry } from './lexicon.ts';
import { KIND } from './lexicon.ts';
import { meanVector } from './sentence-vector.ts';
import { readWords } from './sentences.ts';
import { sharedLexicon } from './shared-lexicon.ts';

/** Places for the words themselves, behind those of their meaning. */
const WORD_PLACES = 192;
/** Of a vector's length, in square: what two texts of one meaning and other words have in common. */
const MEANING_SHARE = 0.5;
/** Of longer texts the first words count. */
const MAX_WORDS = 400;
/** Milliseconds of work between two turns of the event loop. */
const TURN_MS = 6;

/**
 * Makes the embedder that needs no model beside the shipped words: the mean of the vectors of a text's words, and
 * behind it the words themselves, hashed to 192 signed places, both weighted by the information of each word. The
 * second part tells names and numbers apart, of which the first knows nothing. Vectors have length 1, or 0 for a text
 * without a word of substance. It computes within the process, some microseconds a
 * sentence, and gives up the event loop every few milliseconds.
 */
export function createSentenceEmbedder(): Embedder {
  return Object.freeze({
    async embed(texts: readonly string[], signal: AbortSignal) {
      signal.throwIfAborted();
      const vectors: Float32Array[] = [];
      let begunAt = performance.now();
      for (const text of texts) {
        vectors.push(vectorOf(text));
        if (performance.now() - begunAt <= TURN_MS) continue;
        await new Promise<void>((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        begunAt = performance.now();
      }
      return vectors;
    },
  });
}

function vectorOf(text: string): Float32Array {
  const lexicon = sharedLexicon();
  const entries = readWords(lexicon, text.normalize('NFKC')).entries.slice(0, MAX_WORDS);
  const meaning = meanVector(entries, lexicon.vectors);
  const vector = new Float32Array(meaning.length + WORD_PLACES);
  const words = hashedWords(entries);
  const hasMeaning = lengthOf(meaning) > 0;
  place(vector, 0, meaning, Math.sqrt(MEANING_SHARE));
  place(vector, meaning.length, words, hasMeaning ? Math.sqrt(1 - MEANING_SHARE) : 1);
  return vector;
}

function hashedWords(entries: readonly Entry[]): Float32Array {
  const words = new Float32Array(WORD_PLACES);
  for (const { stem, kinds, weight } of entries) {
    if ((kinds & KIND.function) !== 0) continue;
    const mixed = Math.imul(stem ^ (stem >>> 15), 0x2c1b3c6d) >>> 0;
    const at = mixed % WORD_PLACES;
    words[at] = (words[at] as number) + ((mixed & 0x80000000) === 0 ? weight : -weight);
  }
  return words;
}

/** Writes `part`, scaled to `length`, to the places from `from` on. */
function place(vector: Float32Array, from: number, part: Float32Array, length: number): void {
  const scale = length / (lengthOf(part) || 1);
  for (let at = 0; at < part.length; at++) vector[from + at] = (part[at] as number) * scale;
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
