import { writeFileSync } from 'node:fs';
import { writeWordVectors } from '../src/language/word-vectors.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import { type Row, readCompanion, readRows, TASKS } from './lib/rows.ts';
import { countWords } from './lib/word-counts.ts';
import { wordSpace } from './lib/word-space.ts';

const MIN_TEXTS = 4;
const MAX_WORDS = 24_000;
const DIMENSIONS = 64;
const SEED = 20_261_121;
const MAX_WEIGHT = 255;
const WEIGHT_SCALE = 20;

/** Writes models/words.bin: weights and vectors of the words of all training texts. */
function main(): void {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const texts = collectTexts(data);
  const counts = countWords(texts, MIN_TEXTS, MAX_WORDS);
  const vectors = wordSpace(counts, DIMENSIONS, SEED);
  const order = [...counts.stems.keys()].sort(
    (a, b) => (counts.stems[a] as number) - (counts.stems[b] as number),
  );
  const table = {
    stems: Int32Array.from(order, (row) => counts.stems[row] as number),
    weights: Uint8Array.from(order, (row) => toWeight(counts.texts[row] as number, texts.length)),
    vectors: Int8Array.from(order.flatMap((row) => [...toBytes(vectors[row] as Float64Array)])),
  };
  const path = out ?? new URL('../../models/words.bin', import.meta.url);
  writeFileSync(path, writeWordVectors(table, DIMENSIONS));
  process.stdout.write(`${texts.length} texts, ${order.length} words, ${DIMENSIONS} dimensions\n`);
}

function collectTexts(data: string): string[] {
  const texts = new Set<string>();
  for (const task of TASKS) {
    for (const row of readRows(data, task, 'train')) {
      if (!row.source.startsWith('httpparams')) for (const text of textsOf(row)) texts.add(text);
    }
  }
  for (const text of readCompanion(data, 'truth', 'train')) texts.add(text);
  for (const text of readCompanion(data, 'contamination', 'train')) texts.add(text);
  return [...texts];
}

function textsOf({ text, prompt, context }: Row): string[] {
  return [text, prompt, context].filter(
    (part) => part !== undefined && part.length > 20,
  ) as string[];
}

function toWeight(texts: number, all: number): number {
  return Math.min(MAX_WEIGHT, Math.round(Math.log(all / texts) * WEIGHT_SCALE));
}

/** Vectors of one length, in steps of 1/127 of the largest part. */
function toBytes(vector: Float64Array): Int8Array {
  const largest = vector.reduce((held, value) => Math.max(held, Math.abs(value)), 1e-9);
  return Int8Array.from(vector, (value) => Math.round((value / largest) * 127));
}

await runScript('train-words', main);
