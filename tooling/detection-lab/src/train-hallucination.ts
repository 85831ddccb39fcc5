import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lexicon, TreeTable } from '@probity/pipeline/internal';
import {
  claimRange,
  createBoostedTrees,
  isCovered,
  sharedLexicon,
  writeBoostedTrees,
} from '@probity/pipeline/internal';
import type { Random } from '@probity/test-support/random';
import { createRandom } from '@probity/test-support/random';
import { splitSentences } from './generators/claim-examples.ts';
import { NEWS } from './generators/news.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import type { BoostExample } from './lib/boost.ts';
import type { UnseenRow } from './lib/claim-limits.ts';
import { claimLimits, flaggedShares } from './lib/claim-limits.ts';
import { calculationExamples, compareResponse, indexText, madeExamples } from './lib/claim-rows.ts';
import type { ComparedRow } from './lib/claim-trees.ts';
import { fitClaimTrees } from './lib/claim-trees.ts';
import { readGroundedRows } from './lib/grounded-rows.ts';
import { auroc } from './lib/metrics.ts';
import { newsExamples } from './lib/news-rows.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import type { Row } from './lib/rows.ts';
import { readRows } from './lib/rows.ts';
import { bySource } from './lib/splits.ts';
import { listWritten, readWritten } from './lib/written-rows.ts';

const SEED = 20_261_129;
/** Of the faithful rows of sources held out so many may have a claim at 0.8 or more, on average over the sources. */
const FALSE_SHARE = 0.056;
const TEXTS_PER_SOURCE = 100;
const CALCULATIONS = 900;
/** What is held out together; one after the other, all sources and parts. */
const FOLDS = [
  /rules_docs|news_(?:one|five)|mnli|attributed|opensource|digitalgov/,
  /lincoln|news_(?:two|six)|expertqa|fib_|pubmedqa/,
  /handbook|news_(?:three|seven)|own_policies|gensearch/,
  /gsm8k|promptbook|news_(?:four|eight)|summedits|written_claims/,
];

/** Writes the trees and their limits, and prints figures for sources held out whole. */
function main(): void {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const lexicon = sharedLexicon();
  const random = createRandom(SEED);
  const ruled = compareRows(lexicon, readRows(data, 'hallucination', 'train'));
  const written = listWritten('claims-').flatMap(readWritten);
  const rows = [...ruled, ...compareRows(lexicon, [...readGroundedRows(data), ...written])];
  const made = makeClaims(lexicon, ruled, random);
  for (const [source, reports] of Object.entries(NEWS)) {
    const news = newsExamples(lexicon, source, reports, random);
    rows.push(...news.rows);
    made.set(source, news.made);
  }
  const unseen = FOLDS.flatMap((fold) => holdOut(fold, rows, made));
  const knots = claimLimits(unseen, FALSE_SHARE);
  print(unseen, knots);
  const trees: TreeTable = { ...fitClaimTrees(rows, [...made.values()].flat()), knots };
  writeFileSync(out ?? join(MODELS_FOLDER, 'hallucination.bin'), writeBoostedTrees(trees));
}

function compareRows(lexicon: Lexicon, rows: readonly Row[]): ComparedRow[] {
  return rows.flatMap((row) => {
    const index = indexText(lexicon, row.context ?? row.prompt ?? '');
    if (index.words === undefined || !isCovered(index.words)) return [];
    return [{ row, claims: compareResponse(lexicon, row.text, row.prompt, index) }];
  });
}

/** Claims made by rule over the contexts of each source, and over calculations. */
function makeClaims(
  lexicon: Lexicon,
  train: readonly ComparedRow[],
  random: Random,
): Map<string, BoostExample[]> {
  const material = new Map<string, BoostExample[]>();
  material.set('calculations', calculationExamples(lexicon, CALCULATIONS, random));
  for (const [source, rows] of bySource(train.map(({ row }) => row))) {
    const texts = random.shuffle([...new Set(rows.flatMap(({ context }) => context ?? []))]);
    const sentences = texts.flatMap(splitSentences);
    if (source.endsWith('gsm8k') || sentences.length === 0) continue;
    const made: BoostExample[] = [];
    for (let at = 0; at < Math.min(texts.length, TEXTS_PER_SOURCE); ) {
      const length = 1 + random.below(4);
      const text = texts.slice(at, at + length).join('\n');
      made.push(...madeExamples(lexicon, text, sentences, random));
      at += length;
    }
    material.set(source, made);
  }
  return material;
}

/** The rows of the sources of a fold, judged by trees that have seen none of these. */
function holdOut(
  fold: RegExp,
  rows: readonly ComparedRow[],
  made: ReadonlyMap<string, readonly BoostExample[]>,
): UnseenRow[] {
  const others = [...made].flatMap(([source, examples]) => (fold.test(source) ? [] : examples));
  const seen = rows.filter(({ row }) => !fold.test(row.source));
  const trees = createBoostedTrees(fitClaimTrees(seen, others));
  return rows
    .filter(({ row }) => fold.test(row.source))
    .map(({ row, claims }) => ({
      source: row.source,
      positive: row.label === 1,
      claims: claims.map((features) => ({
        sum: trees.sum(features),
        range: claimRange(features),
      })),
    }));
}

function print(unseen: readonly UnseenRow[], limits: ReturnType<typeof claimLimits>): void {
  process.stdout.write(`limits: ${limits.map(([, sum]) => sum.toFixed(2)).join(', ')}\n`);
  const kinds = [false, true].map((kind) =>
    flaggedShares(
      unseen.filter(({ positive }) => positive === kind),
      limits,
    ),
  );
  for (const source of [...new Set(unseen.map((row) => row.source))].sort()) {
    const scored = unseen
      .filter((row) => row.source === source)
      .map(({ positive, claims }) => ({
        positive,
        score: Math.max(-10, ...claims.map(({ sum }) => sum)),
      }));
    const [faithful, unfaithful] = kinds.map((shares) => (shares.get(source) ?? 0).toFixed(3));
    const figures = `AUROC ${auroc(scored).toFixed(3)}, flagged ${faithful} of faithful, ${unfaithful} of unfaithful`;
    process.stdout.write(`${source}: ${scored.length} rows, ${figures}\n`);
  }
}

await runScript('train-hallucination', main);
