import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaimModel, Lexicon } from '@probity/pipeline/internal';
import { sharedLexicon, writeBoostedTrees } from '@probity/pipeline/internal';
import type { Random } from '@probity/test-support/random';
import { createRandom } from '@probity/test-support/random';
import { splitSentences } from './generators/claim-examples.ts';
import { NEWS } from './generators/news.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import type { BoostExample } from './lib/boost.ts';
import { calculationExamples, compareResponse, indexText, madeExamples } from './lib/claim-rows.ts';
import type { ComparedRow, Material } from './lib/claim-trees.ts';
import { fitClaimTrees, toClaimModel } from './lib/claim-trees.ts';
import type { Scored } from './lib/metrics.ts';
import { auroc, tprAtFpr } from './lib/metrics.ts';
import type { NewsExample } from './lib/news-rows.ts';
import { newsExamples } from './lib/news-rows.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import type { Row } from './lib/rows.ts';
import { readRows } from './lib/rows.ts';
import { bySource } from './lib/splits.ts';
import { calibrateAt } from './lib/threshold-curve.ts';

const SEED = 20_261_121;
const THRESHOLD = 0.8;
const FALSE_SHARE = 0.016;
const TEXTS_PER_SOURCE = 100;
const CALCULATIONS = 900;
/** What is held out together; one after the other, all sources and parts. */
const FOLDS = [
  /docs|news_(?:one|five)/,
  /lincoln|news_(?:two|six)/,
  /handbook|news_(?:three|seven)/,
  /gsm8k|promptbook|news_(?:four|eight)/,
];

/** A statement about news with its sum, from trees that have not seen its part. */
type ScoredNews = Scored &
  Pick<NewsExample, 'kind' | 'plain' | 'novelty'> & { readonly part: string };

/** Scores of what was held out. */
interface Unseen {
  readonly rows: Scored[];
  readonly news: ScoredNews[];
}

/** Writes both files of trees and prints figures for sources held out whole and for dev. */
function main(): void {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const lexicon = sharedLexicon();
  const train = compareRows(lexicon, readRows(data, 'hallucination', 'train'));
  const dev = compareRows(lexicon, readRows(data, 'hallucination', 'dev'));
  const material = makeMaterial(lexicon, train, createRandom(SEED));
  const unseen: Unseen = { rows: [], news: [] };
  for (const fold of FOLDS) holdOut(fold, train, dev, material, unseen);
  const { near, free } = fitClaimTrees(train, [...material.values()]);
  print('all, each held out', unseen.rows);
  const knots = calibrateAt(unseen.rows, THRESHOLD, FALSE_SHARE);
  const trees = { near: { ...near, knots }, free };
  const model = toClaimModel(trees);
  print('dev', scoreRows(model, dev));
  printNews(unseen.news, model);
  const folder = out ?? MODELS_FOLDER;
  writeFileSync(join(folder, 'hallucination.bin'), writeBoostedTrees(trees.near));
  writeFileSync(join(folder, 'hallucination-free.bin'), writeBoostedTrees(free));
}

function compareRows(lexicon: Lexicon, rows: readonly Row[]): ComparedRow[] {
  return rows.map((row) => {
    const index = indexText(lexicon, row.context ?? row.prompt ?? '');
    return { row, claims: compareResponse(lexicon, row.text, row.prompt, index) };
  });
}

/** Claims made by rule over the contexts of each source, over calculations, and about made-up news. */
function makeMaterial(
  lexicon: Lexicon,
  train: readonly ComparedRow[],
  random: Random,
): Map<string, Material> {
  const material = new Map<string, Material>();
  const calculations = calculationExamples(lexicon, CALCULATIONS, random);
  material.set('calculations', { made: calculations, news: [] });
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
    material.set(source, { made, news: [] });
  }
  for (const [source, reports] of Object.entries(NEWS)) {
    material.set(source, newsExamples(lexicon, reports, random));
  }
  return material;
}

function holdOut(
  fold: RegExp,
  train: readonly ComparedRow[],
  dev: readonly ComparedRow[],
  material: ReadonlyMap<string, Material>,
  unseen: Unseen,
): void {
  const others = [...material].flatMap(([from, held]) => (fold.test(from) ? [] : [held]));
  const seen = train.filter(({ row }) => !fold.test(row.source));
  const model = toClaimModel(fitClaimTrees(seen, others));
  for (const [source, rows] of bySource([...train, ...dev].map(({ row }) => row))) {
    if (!fold.test(source)) continue;
    const own = new Set(rows);
    const scored = scoreRows(
      model,
      [...train, ...dev].filter(({ row }) => own.has(row)),
    );
    print(source, scored);
    unseen.rows.push(...scored);
  }
  for (const [part, { news }] of material) {
    if (!fold.test(part)) continue;
    for (const { features, label, kind, plain, novelty } of news) {
      const score = model.sum(features);
      unseen.news.push({ score, positive: label === 1, kind, plain, novelty, part });
    }
  }
}

function scoreRows(model: ClaimModel, rows: readonly ComparedRow[]): Scored[] {
  return rows.map(({ row, claims }) => ({
    score: Math.max(-10, ...claims.map((features) => model.sum(features))),
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

/** Wording that is near the report's, and wording that is free, by the share of new word pairs. */
const NEAR = 0.45;

/** Statements about news, each with its part held out, beside the share of new word pairs. */
function printNews(news: readonly ScoredNews[], { toScore }: ClaimModel): void {
  const early = /one|two|three/;
  const late = news.filter(({ part }) => !early.test(part));
  const written = late.filter(({ kind }) => kind === 'written');
  const groups = {
    'close wording': written.filter(({ novelty }) => novelty < NEAR),
    paraphrase: written.filter(({ novelty }) => novelty >= NEAR),
    summaries: late.filter(({ kind }) => kind === 'summary'),
    'last part': late.filter(
      ({ part, kind }) => /eight/.test(part) && /written|summary/.test(kind),
    ),
    'first three parts': news.filter(({ kind, part }) => kind === 'written' && early.test(part)),
  };
  for (const [name, group] of Object.entries(groups)) {
    for (const plain of [false, true]) {
      const own = group.filter((statement) => statement.plain === plain);
      const form = plain ? 'lower case, long source' : 'as written';
      process.stdout.write(`news, ${name}, ${form}: ${describe(own, toScore)}\n`);
    }
  }
}

function describe(news: readonly ScoredNews[], toScore: (sum: number) => number): string {
  const pairs = news.map(({ novelty, positive }) => ({ score: novelty, positive }));
  const above = (wanted: boolean) => {
    const own = news.filter(({ positive }) => positive === wanted);
    const flagged = own.filter(({ score }) => toScore(score) >= THRESHOLD);
    return (flagged.length / Math.max(1, own.length)).toFixed(3);
  };
  return [
    `${news.length} statements`,
    `AUROC ${auroc(news).toFixed(3)}`,
    `of new pairs ${auroc(pairs).toFixed(3)}`,
    `at ${THRESHOLD} of true ${above(false)}, of false ${above(true)}`,
  ].join(', ');
}

await runScript('train-hallucination', main);
