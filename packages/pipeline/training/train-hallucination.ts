import { writeFileSync } from 'node:fs';
import { sumOfClaim } from '../src/hallucination/model.ts';
import { CLAIM_FEATURES } from '../src/hallucination/source-features.ts';
import type { Lexicon } from '../src/language/lexicon.ts';
import { sharedLexicon } from '../src/language/shared-lexicon.ts';
import {
  type BoostedTrees,
  createBoostedTrees,
  type TreeTable,
  writeBoostedTrees,
} from '../src/trees/boosted-trees.ts';
import { splitSentences } from './data/claim-examples.ts';
import { NEWS } from './data/news.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import { type BoostExample, type BoostSettings, fitBoostedTrees } from './lib/boost.ts';
import { compareResponse, indexText, madeExamples, reckoningExamples } from './lib/claim-rows.ts';
import { directionsOf } from './lib/directions.ts';
import { auroc, type Scored, tprAtFpr } from './lib/metrics.ts';
import { type NewsExample, newsExamples } from './lib/news-rows.ts';
import { createRandom, type Random } from './lib/random.ts';
import { type Row, readRows } from './lib/rows.ts';
import { bySource } from './lib/splits.ts';
import { calibrateAt } from './lib/threshold-curve.ts';

const SEED = 20_261_121;
const THRESHOLD = 0.8;
const FALSE_SHARE = 0.016;
const TEXTS_PER_SOURCE = 100;
const RECKONINGS = 900;
/** Enough to say which statement of a response is the false one. */
const FIRST_TREES = 50;
const SETTINGS: BoostSettings = {
  trees: 160,
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

/** Made and written claims of one source. */
interface Material {
  readonly made: readonly BoostExample[];
  readonly news: readonly NewsExample[];
}

/** Scores of what was held out. */
interface Unseen {
  readonly rows: Scored[];
  readonly news: (Scored & Pick<NewsExample, 'kind' | 'novelty'>)[];
}

/** Writes models/hallucination.bin and prints figures for sources held out whole and for dev. */
function main(): void {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const lexicon = sharedLexicon();
  const train = compareRows(lexicon, readRows(data, 'hallucination', 'train'));
  const dev = compareRows(lexicon, readRows(data, 'hallucination', 'dev'));
  const random = createRandom(SEED);
  const material = makeMaterial(lexicon, train, random);
  const unseen: Unseen = { rows: [], news: [] };
  const sources = new Set([...train.map(({ row }) => row.source), ...material.keys()]);
  for (const source of sources) holdOut(source, train, dev, material, unseen);
  const table = fitTable(train, [...material.values()]);
  print('all, each held out', unseen.rows);
  print('dev', scoreRows(createBoostedTrees(table), dev));
  const knots = calibrateAt(unseen.rows, THRESHOLD, FALSE_SHARE);
  printNews(unseen.news, createBoostedTrees({ ...table, knots }));
  const path = out ?? new URL('../../models/hallucination.bin', import.meta.url);
  writeFileSync(path, writeBoostedTrees({ ...table, knots }));
}

function compareRows(lexicon: Lexicon, rows: readonly Row[]): ComparedRow[] {
  return rows.map((row) => {
    const index = indexText(lexicon, row.context ?? row.prompt ?? '');
    return { row, claims: compareResponse(lexicon, row.text, row.prompt, index) };
  });
}

/** Claims made by rule over the contexts of each source, over reckonings, and about made-up news. */
function makeMaterial(
  lexicon: Lexicon,
  train: readonly ComparedRow[],
  random: Random,
): Map<string, Material> {
  const material = new Map<string, Material>();
  const reckonings = reckoningExamples(lexicon, RECKONINGS, random);
  material.set('reckonings', { made: reckonings, news: [] });
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
  source: string,
  train: readonly ComparedRow[],
  dev: readonly ComparedRow[],
  material: ReadonlyMap<string, Material>,
  unseen: Unseen,
): void {
  const isOwn = ({ row }: ComparedRow) => row.source === source;
  const others = [...material].flatMap(([from, held]) => (from === source ? [] : [held]));
  if (source === 'reckonings') return;
  const table = fitTable(
    train.filter((row) => !isOwn(row)),
    others,
  );
  const trees = createBoostedTrees(table);
  const scored = scoreRows(trees, [...train, ...dev].filter(isOwn));
  if (scored.length > 0) print(source, scored);
  unseen.rows.push(...scored);
  for (const { features, label, kind, novelty } of material.get(source)?.news ?? []) {
    const score = sumOfClaim(trees, features);
    unseen.news.push({ score, positive: label === 1, kind, novelty });
  }
}

/**
 * Fits twice: on the made claims alone, then together with the rows. A row says only that some claim
 * of its response is false; the first trees say which one that is most likely.
 */
function fitTable(rows: readonly ComparedRow[], material: readonly Material[]): TreeTable {
  const made = material.flatMap(({ made: own, news }) => [...own, ...news]);
  const first = createBoostedTrees(fitBoostedTrees(made, { ...SETTINGS, trees: FIRST_TREES }));
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
    score: Math.max(-10, ...claims.map((features) => sumOfClaim(trees, features))),
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

/** Statements about news, each with its part held out, beside the share of new word pairs. */
function printNews(news: Unseen['news'], { toScore }: BoostedTrees): void {
  const written = news.filter(({ kind }) => kind === 'written');
  const truths = written.filter(({ positive }) => !positive);
  const invented = news.filter(({ kind, positive }) => positive && kind !== 'written');
  const plain = (scored: Unseen['news']) =>
    scored.map(({ novelty, positive }) => ({ score: novelty, positive }));
  const flagged = (scored: Unseen['news']) =>
    scored.filter(({ score }) => toScore(score) >= THRESHOLD).length / scored.length;
  const groups = { written, 'written true, made false': [...truths, ...invented] };
  for (const [name, group] of Object.entries(groups)) {
    const figures = `AUROC ${auroc(group).toFixed(3)}, of new pairs ${auroc(plain(group)).toFixed(3)}`;
    process.stdout.write(`news, ${name}: ${group.length} statements, ${figures}\n`);
  }
  const shares = [truths, written.filter(({ positive }) => positive), invented].map(flagged);
  const [right, wrong, made] = shares.map((share) => share.toFixed(3));
  process.stdout.write(
    `news at ${THRESHOLD}: of true ${right}, of written false ${wrong}, of made false ${made}\n`,
  );
}

await runScript('train-hallucination', main);
