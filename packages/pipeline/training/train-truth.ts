import { writeFileSync } from 'node:fs';
import { claimsOf } from '../src/language/claims.ts';
import type { Lexicon } from '../src/language/lexicon.ts';
import { PAIR_FEATURES } from '../src/language/pair.ts';
import { comparePair } from '../src/language/pair-features.ts';
import { readWords } from '../src/language/sentences.ts';
import { sharedLexicon } from '../src/language/shared-lexicon.ts';
import { type Stretch, stretchOf } from '../src/language/words.ts';
import {
  createBoostedTrees,
  type TreeTable,
  writeBoostedTrees,
} from '../src/trees/boosted-trees.ts';
import { nearestPair } from '../src/truth/check-claim.ts';
import { similarityOf } from '../src/truth/claim-similarity.ts';
import { createKnowledgeIndex, type KnowledgeIndex } from '../src/truth/knowledge-index.ts';
import { claimExamples, splitSentences } from './data/claim-examples.ts';
import { NEWS } from './data/news.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import { type BoostExample, type BoostSettings, fitBoostedTrees } from './lib/boost.ts';
import { directionsOf } from './lib/directions.ts';
import { auroc, type Scored } from './lib/metrics.ts';
import { createRandom, type Random } from './lib/random.ts';
import { readCompanion, readRows } from './lib/rows.ts';
import { calibrateAt } from './lib/threshold-curve.ts';

const SEED = 20_261_121;
const SENTENCES_PER_SOURCE = 500;
const THRESHOLD = 0.7;
/** Made claims of these kinds go beyond their nugget without contradicting it. */
const BEYOND: ReadonlySet<string> = new Set(['stitch', 'embellish', 'foreign', 'word']);
/** Written statements are few, and the only ones in free wording. */
const WRITTEN_WEIGHT = 8;
const SETTINGS: BoostSettings = {
  trees: 80,
  depth: 4,
  rate: 0.18,
  minLeaf: 8,
  ridge: 2,
  directions: directionsOf(PAIR_FEATURES),
};

/** A claim about one nugget of a list, about one of several, or about none (-1). */
interface Statement {
  readonly text: string;
  readonly nugget: number;
  /** For a claim about a report: the numbers of its sentences, of which any is right. */
  readonly among?: readonly [number, number];
  /** Undefined where it neither follows from the nugget nor contradicts it. */
  readonly contradicts: boolean | undefined;
  readonly source: string;
}

interface Base {
  readonly knowledge: KnowledgeIndex;
  readonly statements: readonly Statement[];
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
  const examples = [train, news, ...made].flatMap((base) => examplesOf(base, lexicon));
  const sources = [...new Set(examples.map(({ source }) => source))];
  const unseen = pool(
    sources.map((source) => holdOut(source, examples, [train, dev, news], lexicon)),
  );
  print('all, each held out', unseen);
  const against = fit(examples);
  print('dev', judge(against, dev, lexicon));
  const byRule = unseen.oppositions.filter(({ written }) => !written);
  const knots = calibrateAt(byRule, THRESHOLD, 0.01);
  const path = out ?? new URL('../../models/truth-against.bin', import.meta.url);
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

function rowsOf(data: string, split: 'train' | 'dev', lexicon: Lexicon): Base {
  const nuggets = readCompanion(data, 'truth', split).map((claim) => ({ claim }));
  const statements = readRows(data, 'truth', split).map(({ text, labels, label, source }) => ({
    text,
    source,
    nugget: Number(labels.nugget ?? -1),
    contradicts: label === 1,
  }));
  return { knowledge: createKnowledgeIndex(nuggets, lexicon), statements };
}

/** The written statements about reports, whose sentences are known beside those of the rows. */
function newsBase({ knowledge: { nuggets: others } }: Base, lexicon: Lexicon): Base {
  const nuggets = [...others];
  const statements: Statement[] = [];
  for (const [source, reports] of Object.entries(NEWS)) {
    for (const { text, faithful, unfaithful } of reports) {
      const from = nuggets.length;
      nuggets.push(...splitSentences(text).map((claim) => ({ claim })));
      const among = [from, nuggets.length] as const;
      const state = (contradicts: boolean) => (claim: string) =>
        statements.push({ text: claim, nugget: from, among, contradicts, source });
      faithful.forEach(state(false));
      unfaithful.forEach(state(true));
    }
  }
  return { knowledge: createKnowledgeIndex(nuggets, lexicon), statements };
}

/** Knowledge bases from the sentences of the training documents, with claims made by rule. */
function madeBases(data: string, lexicon: Lexicon, random: Random): Base[] {
  const bySource = new Map<string, Set<string>>();
  for (const { context, source } of readRows(data, 'hallucination', 'train')) {
    const held = bySource.get(source) ?? new Set();
    bySource.set(source, held);
    for (const sentence of splitSentences(context ?? '')) held.add(sentence);
  }
  return [...bySource].flatMap(([source, held]) => {
    const sentences = random.shuffle([...held]).slice(0, 2 * SENTENCES_PER_SOURCE);
    if (source.endsWith('gsm8k')) return [];
    const known = sentences.slice(0, SENTENCES_PER_SOURCE);
    const knowledge = createKnowledgeIndex(
      known.map((claim) => ({ claim })),
      lexicon,
    );
    const foreign = sentences.slice(SENTENCES_PER_SOURCE);
    return [{ knowledge, statements: madeStatements(source, known, foreign, random) }];
  });
}

function madeStatements(
  source: string,
  known: readonly string[],
  foreign: readonly string[],
  random: Random,
): Statement[] {
  return claimExamples(known, foreign, random).map(
    ({ text, prompt, faithful, kind, sentence }) => ({
      text: prompt === undefined ? text : `${prompt} ${text}`,
      nugget: sentence,
      contradicts: BEYOND.has(kind) || kind === 'joined' ? undefined : !faithful,
      source,
    }),
  );
}

function claimOf(text: string, lexicon: Lexicon): Stretch | undefined {
  const claims = claimsOf(readWords(lexicon, text));
  return claims.reduce<Stretch | undefined>(
    (held, { stretch }) =>
      held !== undefined && held.to - held.from >= stretch.to - stretch.from ? held : stretch,
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
    const { text, nugget, among, contradicts, source } = statement;
    const claim = claimOf(text, lexicon);
    if (claim === undefined || nugget < 0 || contradicts === undefined) return [];
    const label = contradicts ? 1 : 0;
    if (among === undefined) {
      const words = readWords(lexicon, knowledge.nuggets[nugget]?.claim ?? '');
      const { features } = comparePair(claim, stretchOf(words, 0, words.count), lexicon);
      return [{ features, label, weight: 1, source }];
    }
    const nearest = nearestPair(claim, knowledge, lexicon);
    if (nearest === undefined || !isRight(statement, nearest.nugget)) return [];
    return [{ features: nearest.pair.features.slice(), label, weight: WRITTEN_WEIGHT, source }];
  });
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
    const claim = claimOf(statement.text, lexicon);
    if (claim === undefined) continue;
    const nearest = nearestPair(claim, base.knowledge, lexicon);
    const similarity = nearest === undefined ? 0 : similarityOf(nearest.pair);
    const about = statement.nugget >= 0;
    if (about) first.push(isRight(statement, nearest?.nugget) && similarity >= THRESHOLD);
    similarities.push({ score: similarity, positive: about });
    if (!about || statement.contradicts === undefined) continue;
    const score = nearest === undefined ? -10 : trees.sum(nearest.pair.features);
    const written = statement.among !== undefined;
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
