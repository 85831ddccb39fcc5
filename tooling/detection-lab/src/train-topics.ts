import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfWord, writeTopics } from '@probity/pipeline/internal';
import { readOptions, runScript } from './lib/arguments.ts';
import { readGlove } from './lib/external-words.ts';
import { rowOf } from './lib/matrix.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import { principalAxes } from './lib/principal-axes.ts';

const WORDS = 16_000;
/** So many of GloVe's words are looked at. */
const READ = 40_000;
const DIMENSIONS = 16;
/** The weight of a word that has a share p of all words is RARE / (RARE + p) (Arora, Liang, Ma 2017). */
const RARE = 1e-4;
/** The share of the word of rank r, by Zipf's law: 1 / (r * HARMONIC). */
const HARMONIC = 12.5;

/** Writes models/injection-topics.bin: short vectors of common English words; `--data` is what node scripts/vectors.mjs fetched. */
function main(): void {
  const { data: folder, out } = readOptions(process.argv.slice(2), ['out']);
  const glove = readGlove(folder, READ);
  const known = glove.words
    .map((word, row) => ({ word, row, rank: (glove.ranks[row] as number) + 1 }))
    .filter(({ word }) => /^[a-z]{2,}$/.test(word))
    .slice(0, WORDS);
  const rows = known.map(({ row }) => Float64Array.from(rowOf(glove.vectors, row)));
  const axes = principalAxes(rows, DIMENSIONS);
  const short = known.flatMap(({ rank }, at) => {
    const weight = RARE / (RARE + 1 / (rank * HARMONIC));
    return toBytes(
      axes.map((axis) => dot(axis, rows[at] as Float64Array)),
      weight,
    );
  });
  const table = {
    dimensions: DIMENSIONS,
    words: Int32Array.from(known, ({ word }) => hashOfWord(word)),
    vectors: Int8Array.from(short),
  };
  const bytes = writeTopics(table);
  const models = MODELS_FOLDER;
  const path = join(out ?? models, 'injection-topics.bin');
  writeFileSync(path, bytes);
  console.log(`${bytes.length} bytes, ${known.length} words: ${path}`);
}

/** A vector of length 127 times `weight`, in whole numbers. */
function toBytes(vector: readonly number[], weight: number): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => Math.round((127 * weight * value) / length));
}

function dot(left: Float64Array, right: Float64Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] as number), 0);
}

await runScript('train-topics', main);
