import { writeFileSync } from 'node:fs';
import { CLAIM_FEATURES } from '../src/hallucination/claim-features.ts';
import type { Lexicon } from '../src/language/lexicon.ts';
import { sharedLexicon } from '../src/language/shared-lexicon.ts';
import {
  type BoostedTrees,
  createBoostedTrees,
  writeBoostedTrees,
} from '../src/trees/boosted-trees.ts';
import { splitSentences } from './data/claim-examples.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import { type BoostExample, type BoostSettings, fitBoostedTrees } from './lib/boost.ts';
import { compareResponse, indexText, madeExamples, reckoningExamples } from './lib/claim-rows.ts';
import { directionsOf } from './lib/directions.ts';
import { auroc, type Scored, tprAtFpr } from './lib/metrics.ts';
import { createRandom, type Random } from './lib/random.ts';
import { type Row, readRows } from './lib/rows.ts';
import { bySource } from './lib/splits.ts';
import { calibrateAt } from './lib/threshold-curve.ts';

const SEED = 20_261_121;
const THRESHOLD = 0.8;
const FALSE_SHARE = 0.01;
const TEXTS_PER_SOURCE = 100;
const RECKONINGS = 900;
const SETTINGS: BoostSettings = {
  trees: 140,
  depth: 4,
  rate: 0.12,
  minLeaf: 8,
  ridge: 2,
  directions: directionsOf(CLAIM_FEATURES),
};

/** A row with the features of each of its claims. */
interface ComparedRow {
  readonly row: Row;
  readonly claims: readonly Float32Array[];
}

/** Writes models/hallucination.bin and prints figures for sources held out whole and for dev. */
function main(): void {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const lexicon = sharedLexicon();
  const train = compareRows(lexicon, readRows(data, 'hallucination', 'train'));
  const dev = compareRows(lexicon, readRows(data, 'hallucination', 'dev'));
  const made = makeExamples(lexicon, train, createRandom(SEED));
  const unseen: Scored[] = [];
  for (const source of bySource(train.map(({ row }) => row)).keys()) {
    const trees = fit(
      train.filter(({ row }) => row.source !== source),
      [...made].flatMap(([from, examples]) => (from === source ? [] : examples)),
    );
    const scored = scoreRows(
      trees,
      [...train, ...dev].filter(({ row }) => row.source === source),
    );
    print(source, scored);
    unseen.push(...scored);
  }
  const table = fitTable(train, [...made.values()].flat());
  print('all, each held out', unseen);
  print('dev', scoreRows(createBoostedTrees(table), dev));
  const knots = calibrateAt(unseen, THRESHOLD, FALSE_SHARE);
  const path = out ?? new URL('../../models/hallucination.bin', import.meta.url);
  writeFileSync(path, writeBoostedTrees({ ...table, knots }));
}

function compareRows(lexicon: Lexicon, rows: readonly Row[]): ComparedRow[] {
  return rows.map((row) => {
    const index = indexText(lexicon, row.context ?? row.prompt ?? '');
    const compared = compareResponse(lexicon, row.text, row.prompt, index);
    return { row, claims: compared.map(({ features }) => features) };
  });
}

/** Claims made by rule over the contexts of each source, and over reckonings. */
function makeExamples(
  lexicon: Lexicon,
  train: readonly ComparedRow[],
  random: Random,
): Map<string, BoostExample[]> {
  const made = new Map<string, BoostExample[]>();
  made.set('reckonings', reckoningExamples(lexicon, RECKONINGS, random));
  for (const [source, rows] of bySource(train.map(({ row }) => row))) {
    const texts = random.shuffle([...new Set(rows.flatMap(({ context }) => context ?? []))]);
    const sentences = texts.flatMap(splitSentences);
    if (source.endsWith('gsm8k') || sentences.length === 0) continue;
    const examples: BoostExample[] = [];
    for (let at = 0; at < Math.min(texts.length, TEXTS_PER_SOURCE); ) {
      const length = 1 + random.below(4);
      const text = texts.slice(at, at + length).join('\n');
      examples.push(...madeExamples(lexicon, text, sentences, random));
      at += length;
    }
    made.set(source, examples);
  }
  return made;
}

function fit(rows: readonly ComparedRow[], made: readonly BoostExample[]): BoostedTrees {
  return createBoostedTrees(fitTable(rows, made));
}

/**
 * Fits twice: on the made claims alone, then together with the rows. A row says only that some claim
 * of its response is false; the first trees say which one that is most likely.
 */
function fitTable(rows: readonly ComparedRow[], made: readonly BoostExample[]) {
  const first = createBoostedTrees(fitBoostedTrees(made, SETTINGS));
  const examples = rows.flatMap(({ row, claims }) => {
    if (row.label === 0) return claims.map((features) => ({ features, label: 0, weight: 1 }));
    const worst = claims.reduce<Float32Array | undefined>(
      (held, next) => (held === undefined || first.sum(next) > first.sum(held) ? next : held),
      undefined,
    );
    return worst === undefined ? [] : [{ features: worst, label: 1, weight: 1 }];
  });
  return fitBoostedTrees([...made, ...examples], SETTINGS);
}

function scoreRows(trees: BoostedTrees, rows: readonly ComparedRow[]): Scored[] {
  return rows.map(({ row, claims }) => ({
    score: Math.max(-10, ...claims.map((features) => trees.sum(features))),
    positive: row.label === 1,
  }));
}

function print(name: string, scored: readonly Scored[]): void {
  const figures = [
    `AUROC ${auroc(scored).toFixed(3)}`,
    `TPR at 2 % FPR ${tprAtFpr(scored, 0.02).toFixed(3)}`,
  ];
  process.stdout.write(`${name}: ${scored.length} rows, ${figures.join(', ')}\n`);
}

await runScript('train-hallucination', main);
