import type { Embedder } from '@probity/pipeline';
import { createSentenceEmbedder } from '@probity/pipeline/claims';

/** The share, in square, of what words mean; the rest is how they are written. */
const MEANING_SHARE = 0.5;
const GRAM = 3;
/** Of longer texts the first units count. */
const MAX_UNITS = 8_192;

/**
 * The model `local-hash-<length>`: what the words of a text mean, and behind it words and runs of three letters, hashed
 * to the remaining signed places. It needs no server and computes within the process.
 */
export function createHashEmbedder(length: number): Embedder {
  const sentences = createSentenceEmbedder();
  return {
    async embed(texts, signal) {
      const meanings = await sentences.embed(texts, signal);
      return texts.map((text, at) => join(meanings[at] ?? new Float32Array(0), text, length));
    },
  };
}

function join(whole: Float32Array, text: string, length: number): Float32Array {
  const vector = new Float32Array(length);
  // At least half of a short vector is for how the words are written.
  const meaning = whole.subarray(0, Math.min(whole.length, length >> 1));
  const places = length - meaning.length;
  const written = new Float32Array(places);
  for (const word of text
    .slice(0, MAX_UNITS)
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(written, word, 1);
    for (let at = 0; at + GRAM <= word.length; at++) add(written, word.slice(at, at + GRAM), 0.3);
  }
  const size = Math.hypot(...written) || 1;
  for (const [at, value] of meaning.entries()) vector[at] = value * Math.sqrt(MEANING_SHARE);
  for (const [at, value] of written.entries()) {
    vector[meaning.length + at] = (value / size) * Math.sqrt(1 - MEANING_SHARE);
  }
  return vector;
}

/** FNV-1a of the text says which place, and with which sign. */
function add(places: Float32Array, text: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  const at = (hash >>> 1) % places.length;
  places[at] = (places[at] ?? 0) + ((hash & 1) === 0 ? weight : -weight);
}
