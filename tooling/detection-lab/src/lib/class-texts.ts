import type { ClassTable, WordVectors } from '@probity/pipeline/internal';
import {
  createClassFeatures,
  createTextFeatures,
  createWordClasses,
  readClassFeatures,
  readFeatures,
  rowsOfWords,
  tokensOfText,
} from '@probity/pipeline/internal';
import type { PackedWords } from './heads.ts';
import type { PackedText } from './linear.ts';
import { tokensOf } from './linear.ts';

/** Reads the class features of texts once; a segment that repeats an earlier one has none. */
export function packClasses(
  texts: readonly string[],
  { entries, content }: ClassTable,
  bits: number,
): PackedText[] {
  const features = createTextFeatures();
  const read = createClassFeatures();
  const classes = createWordClasses(entries);
  const mask = 2 ** bits - 1;
  return texts.map((text) => {
    readFeatures(tokensOfText(text), features);
    readClassFeatures(features, classes, content, read);
    const { segments, repeats } = features;
    const hashes: number[] = [];
    const firstHash = new Uint32Array(segments + 1);
    for (let segment = 0; segment < segments; segment++) {
      const [from, to] = [read.firstHash[segment] as number, read.firstHash[segment + 1] as number];
      if (repeats[segment] !== 1) {
        for (const hash of read.hashes.subarray(from, to)) hashes.push(hash & mask);
      }
      firstHash[segment + 1] = hashes.length;
    }
    return {
      hashes: Uint32Array.from(hashes),
      firstHash,
      tokens: tokensOf(features, true),
      segments,
    };
  });
}

/** Two readings of a text as one: each segment has the features of both. */
export function joinText(one: PackedText, other: PackedText): PackedText {
  const hashes = new Uint32Array(one.hashes.length + other.hashes.length);
  const firstHash = new Uint32Array(one.segments + 1);
  let count = 0;
  for (let segment = 0; segment < one.segments; segment++) {
    for (const { hashes: read, firstHash: first } of [one, other]) {
      const part = read.subarray(first[segment], first[segment + 1]);
      hashes.set(part, count);
      count += part.length;
    }
    firstHash[segment + 1] = count;
  }
  return { ...one, hashes, firstHash };
}

/** The rows of texts' words in the table of vectors. */
export function packWords(texts: readonly string[], vectors: WordVectors): PackedWords[] {
  const features = createTextFeatures();
  return texts.map((text) => {
    readFeatures(tokensOfText(text), features);
    const { segments, firstWord } = features;
    return {
      rows: rowsOfWords(features, vectors, 0, firstWord[segments] as number),
      firstWord: Uint32Array.from(firstWord.subarray(0, segments + 1)),
    };
  });
}
