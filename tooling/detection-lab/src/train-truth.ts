import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lexicon, TreeTable, WordSpan } from '@probity/pipeline/internal';
import {
  claimsOf,
  comparePair,
  createBoostedTrees,
  FRAGMENT,
  nearestPair,
  PAIR_FEATURES,
  readWords,
  sharedLexicon,
  similarityOf,
  wordSpanOf,
  writeBoostedTrees,
} from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import { readOptions, runScript } from './lib/arguments.ts';
import type { BoostExample, BoostSettings } from './lib/boost.ts';
import { fitBoostedTrees } from './lib/boost.ts';
import { directionsOf } from './lib/directions.ts';
import type { Scored } from './lib/metrics.ts';
import { auroc } from './lib/metrics.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import { calibrateAt } from './lib/threshold-curve.ts';
import type { Base, Statement } from './lib/truth-bases.ts';
import { elsewhere, madeBases, newsBase, rowsOf, writtenBase } from './lib/truth-bases.ts';

const SEED = 20_261_121;
const THRESHOLD = 0.7;
/** Written statements are few, and the only ones in paraphrase. */
const WRITTEN_WEIGHT = 8;
/** There are more of them, and what they are about is a report of many sentences. */
const NEWS_WEIGHT = 4;
/** Claims that are about no statement contradict none; that they are hard to separate counts little. */
const FOREIGN_WEIGHT = 0.1;
const SETTINGS: BoostSettings = {
  trees: 80,
  depth: 4,
  rate: 0.18,
  minLeaf: 8,
  ridge: 2,
  directions: conflictDirections(),
};

/** Other words than the nugget's are signs of a contradiction or of a paraphrase; conflicts only for the one. */
function conflictDirections(): number[] {
  const open = /unmatched|Coverage|Exact|Runs|inserted/i;
  return directionsOf(PAIR_FEATURES).map((direction, at) =>
    open.test(PAIR_FEATURES[at] as string) ? 0 : direction,
  );
}

type Example = BoostExample & { readonly source: string };

/** Writes models/truth-against.bin and prints figures. */
function main(): void {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const lexicon = sharedLexicon();
  const random = createRandom(SEED);
  const train = rowsOf(data, 'train', lexicon);
  const dev = rowsOf(data, 'dev', lexicon);
  const news = newsBase(train, lexicon);
  const made = madeBases(data, lexicon, random);
  const [first, second] = [
    writtenBase('truth-a', train, lexicon),
    writtenBase('truth-b', train, lexicon),
  ];
  const foreign = [elsewhere(first, second), elsewhere(second, first), elsewhere(news, train)];
  const examples = [train, news, first, second, ...foreign, ...made].flatMap((base) =>
    examplesOf(base, lexicon),
  );
  const sources = [...new Set(examples.map(({ source }) => source))];
  const unseen = pool(
    sources.map((source) =>
      holdOut(source, examples, [train, dev, news, first, second, ...foreign], lexicon),
    ),
  );
  print('all, each held out', unseen);
  const against = fit(examples);
  print('dev', judge(against, dev, lexicon));
  const byRule = unseen.oppositions.filter(({ written }) => !written);
  const knots = calibrateAt(byRule, THRESHOLD, 0.01);
  const path = out ?? join(MODELS_FOLDER, 'truth-against.bin');
  writeFileSync(path, writeBoostedTrees({ ...against, knots }));
}

/** Trees of all other sources, judged on the rows of one; these figures also set the threshold. */
function holdOut(
  source: string,
  all: readonly Example[],
  bases: readonly Base[],
  lexicon: Lexicon,
): Judged {
  const trees = fit(all.filter((example) => example.source !== source));
  const judged = bases.map(({ knowledge, statements }) =>
    judge(
      trees,
      { knowledge, statements: statements.filter((own) => own.source === source) },
      lexicon,
    ),
  );
  const pooled = pool(judged);
  print(source, pooled);
  return pooled;
}

function pool(judged: readonly Judged[]): Judged {
  return {
    first: judged.flatMap(({ first }) => first),
    similarities: judged.flatMap(({ similarities }) => similarities),
    oppositions: judged.flatMap(({ oppositions }) => oppositions),
  };
}

function claimOf({ text, prompt }: Statement, lexicon: Lexicon): WordSpan | undefined {
  const question = prompt === undefined ? undefined : readWords(lexicon, prompt);
  const claims = claimsOf(readWords(lexicon, text), question, FRAGMENT);
  return claims.reduce<WordSpan | undefined>(
    (held, { span }) =>
      held !== undefined && held.to - held.from >= span.to - span.from ? held : span,
    undefined,
  );
}

/** Whether a nugget is the one that a statement is about. */
function isRight({ nugget, among }: Statement, found: number | undefined): boolean {
  if (found === undefined || nugget < 0) return false;
  return among === undefined ? found === nugget : found >= among[0] && found < among[1];
}

function examplesOf({ knowledge, statements }: Base, lexicon: Lexicon): Example[] {
  return statements.flatMap((statement) => {
    const { nugget, among, contradicts, source, written } = statement;
    const claim = claimOf(statement, lexicon);
    if (claim === undefined || (nugget >= 0 && contradicts === undefined)) return [];
    const label = contradicts && nugget >= 0 ? 1 : 0;
    if (nugget >= 0 && among === undefined && written !== true) {
      const words = readWords(lexicon, knowledge.nuggets[nugget]?.claim ?? '');
      const { features } = comparePair(claim, wordSpanOf(words, 0, words.count), lexicon);
      return [{ features, label, weight: 1, source }];
    }
    const nearest = nearestPair(claim, knowledge, lexicon);
    if (nearest === undefined || (nugget >= 0 && !isRight(statement, nearest.nugget))) return [];
    const weight = weightOf(statement);
    return [{ features: nearest.pair.features.slice(), label, weight, source }];
  });
}

function weightOf({ nugget, contradicts, written }: Statement): number {
  if (nugget >= 0) return written === true ? WRITTEN_WEIGHT : NEWS_WEIGHT;
  // What shares the topic and the words of a statement was written so; what was moved is beside it.
  if (written !== true) return FOREIGN_WEIGHT;
  return contradicts === undefined ? 2 * FOREIGN_WEIGHT : WRITTEN_WEIGHT * FOREIGN_WEIGHT;
}

function fit(examples: readonly BoostExample[]): TreeTable {
  return fitBoostedTrees(examples, SETTINGS);
}

/** How far a statement seems to be against its nugget; `written`: by hand, not by rule. */
interface Opposition extends Scored {
  readonly written: boolean;
}

interface Judged {
  /** For each statement about a nugget whether that one came first, with enough similarity. */
  readonly first: readonly boolean[];
  readonly similarities: readonly Scored[];
  readonly oppositions: readonly Opposition[];
}

function judge(against: TreeTable, base: Base, lexicon: Lexicon): Judged {
  const trees = createBoostedTrees(against);
  const first: boolean[] = [];
  const similarities: Scored[] = [];
  const oppositions: Opposition[] = [];
  for (const statement of base.statements) {
    const claim = claimOf(statement, lexicon);
    if (claim === undefined) continue;
    const nearest = nearestPair(claim, base.knowledge, lexicon);
    const similarity = nearest === undefined ? 0 : similarityOf(nearest.pair);
    const about = statement.nugget >= 0;
    if (about) first.push(isRight(statement, nearest?.nugget) && similarity >= THRESHOLD);
    similarities.push({ score: similarity, positive: about });
    if (!about || statement.contradicts === undefined) continue;
    const score = nearest === undefined ? -10 : trees.sum(nearest.pair.features);
    const written = statement.among !== undefined || statement.written === true;
    oppositions.push({ score, positive: statement.contradicts, written });
  }
  return { first, similarities, oppositions };
}

function print(name: string, { first, similarities, oppositions }: Judged): void {
  const right = first.filter(Boolean).length / Math.max(1, first.length);
  const figures = [
    `right nugget first, similarity of at least ${THRESHOLD}: ${right.toFixed(3)}`,
    `about AUROC ${auroc(similarities).toFixed(3)}`,
    `contradiction AUROC ${auroc(oppositions).toFixed(3)}`,
  ];
  process.stdout.write(`${name}: ${first.length} claims, ${figures.join(', ')}\n`);
}

await runScript('train-truth', main);
