import { writeFileSync } from 'node:fs';
import { claimsOf } from '../src/language/claims.ts';
import type { Lexicon } from '../src/language/lexicon.ts';
import {
  comparePair,
  PAIR_FEATURES,
  type Stretch,
  stretchOf,
} from '../src/language/pair-features.ts';
import { readWords } from '../src/language/sentences.ts';
import { sharedLexicon } from '../src/language/shared-lexicon.ts';
import {
  createBoostedTrees,
  type TreeTable,
  writeBoostedTrees,
} from '../src/trees/boosted-trees.ts';
import { nearestPairs } from '../src/truth/check-claim.ts';
import { createKnowledgeIndex, type KnowledgeIndex } from '../src/truth/knowledge-index.ts';
import { claimExamples, splitSentences } from './data/claim-examples.ts';
import { looseClaim } from './data/loose-claims.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import { type BoostExample, type BoostSettings, fitBoostedTrees } from './lib/boost.ts';
import { directionsOf } from './lib/directions.ts';
import { auroc, type Scored } from './lib/metrics.ts';
import { createRandom, type Random } from './lib/random.ts';
import { readCompanion, readRows } from './lib/rows.ts';
import { calibrateAt } from './lib/threshold-curve.ts';

const SEED = 20_261_121;
const SENTENCES_PER_SOURCE = 500;
const WRONG_NUGGETS = 2;
/** Made claims of these kinds go beyond their nugget without contradicting it. */
const BEYOND: ReadonlySet<string> = new Set(['stitch', 'embellish', 'foreign', 'word']);
const SETTINGS = { trees: 120, depth: 4, rate: 0.12, minLeaf: 8, ridge: 2 };
const ABOUT_FALLING: ReadonlySet<string> = new Set([
  'heaviestUnmatched',
  'insertedShare',
  'unmatched',
]);
const ABOUT_RISING: ReadonlySet<string> = new Set([
  'claimCoverage',
  'sourceCoverage',
  'claimExact',
  'claimRuns',
]);

/** A claim about one nugget of a list, or about none (-1). */
interface Statement {
  readonly text: string;
  readonly nugget: number;
  /** Undefined where it neither follows from the nugget nor contradicts it. */
  readonly contradicts: boolean | undefined;
  readonly source: string;
}

interface Base {
  readonly knowledge: KnowledgeIndex;
  readonly statements: readonly Statement[];
}

interface Examples {
  readonly about: (BoostExample & { readonly source: string })[];
  readonly against: (BoostExample & { readonly source: string })[];
}

/** Writes models/truth-about.bin and models/truth-against.bin and prints figures. */
function main(): void {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const lexicon = sharedLexicon();
  const random = createRandom(SEED);
  const train = rowsOf(data, 'train', lexicon);
  const dev = rowsOf(data, 'dev', lexicon);
  const bases = [train, ...madeBases(data, lexicon, random)];
  const parts = bases.map((base) => examplesOf(base, lexicon));
  const all: Examples = {
    about: parts.flatMap(({ about }) => about),
    against: parts.flatMap(({ against }) => against),
  };
  const sources = [...new Set(all.about.map((example) => example.source))];
  const unseen = pool(sources.map((source) => holdOut(source, all, [train, dev], lexicon)));
  print('all, each held out', unseen);
  const about = fitAbout(all.about);
  const against = fitAgainst(all.against);
  const judged = judge(about, against, dev, lexicon);
  print('dev', judged);
  const aboutKnots = calibrateAt(unseen.similarities, 0.7, 0.05);
  const againstKnots = calibrateAt(unseen.oppositions, 0.7, 0.01);
  const folder = out ?? new URL('../../models', import.meta.url).pathname;
  writeFileSync(`${folder}/truth-about.bin`, writeBoostedTrees({ ...about, knots: aboutKnots }));
  writeFileSync(
    `${folder}/truth-against.bin`,
    writeBoostedTrees({ ...against, knots: againstKnots }),
  );
}

/** Trees of all other sources, judged on the rows of one; these figures also set the thresholds. */
function holdOut(source: string, all: Examples, bases: readonly Base[], lexicon: Lexicon): Judged {
  const others = (example: { readonly source: string }) => example.source !== source;
  const about = fitAbout(all.about.filter(others));
  const against = fitAgainst(all.against.filter(others));
  const judged = bases.map(({ knowledge, statements }) =>
    judge(
      about,
      against,
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
  const examples = claimExamples(known, foreign, random).map(
    ({ text, prompt, faithful, kind, sentence }) => ({
      text: prompt === undefined ? text : `${prompt} ${text}`,
      nugget: sentence,
      contradicts: BEYOND.has(kind) || kind === 'joined' ? undefined : !faithful,
      source,
    }),
  );
  const loose = known.flatMap((sentence, nugget) =>
    [0, 1].map(() => ({
      text: looseClaim(sentence, random),
      nugget,
      contradicts: undefined,
      source,
    })),
  );
  return [...examples, ...loose];
}

function claimOf(text: string, lexicon: Lexicon): Stretch | undefined {
  const claims = claimsOf(readWords(lexicon, text));
  return claims.reduce<Stretch | undefined>(
    (held, { stretch }) => ((held?.entries.length ?? 0) >= stretch.entries.length ? held : stretch),
    undefined,
  );
}

function examplesOf({ knowledge, statements }: Base, lexicon: Lexicon): Examples {
  const examples: Examples = { about: [], against: [] };
  for (const { text, nugget, contradicts, source } of statements) {
    const claim = claimOf(text, lexicon);
    if (claim === undefined) continue;
    const nearest = nearestPairs(claim, knowledge, lexicon);
    for (const { pair } of nearest
      .filter((found) => found.nugget !== nugget)
      .slice(0, WRONG_NUGGETS)) {
      examples.about.push({ features: pair.features, label: 0, weight: 1, source });
    }
    if (nugget < 0) continue;
    const words = readWords(lexicon, knowledge.nuggets[nugget]?.claim ?? '');
    const { features } = comparePair(claim, stretchOf(words, 0, words.count), lexicon.vectors);
    examples.about.push({ features, label: 1, weight: 1, source });
    if (contradicts === undefined) continue;
    examples.against.push({ features, label: contradicts ? 1 : 0, weight: 1, source });
  }
  return examples;
}

function fitAbout(examples: readonly BoostExample[]): TreeTable {
  const directions = PAIR_FEATURES.map((name) =>
    ABOUT_RISING.has(name) ? 1 : ABOUT_FALLING.has(name) ? -1 : 0,
  );
  return fitBoostedTrees(examples, { ...SETTINGS, depth: 3, directions });
}

function fitAgainst(examples: readonly BoostExample[]): TreeTable {
  const settings: BoostSettings = { ...SETTINGS, directions: directionsOf(PAIR_FEATURES) };
  return fitBoostedTrees(examples, settings);
}

interface Judged {
  /** For each statement about a nugget whether that one came first. */
  readonly first: readonly boolean[];
  readonly similarities: readonly Scored[];
  readonly oppositions: readonly Scored[];
}

function judge(about: TreeTable, against: TreeTable, base: Base, lexicon: Lexicon): Judged {
  const aboutTrees = createBoostedTrees(about);
  const againstTrees = createBoostedTrees(against);
  const first: boolean[] = [];
  const similarities: Scored[] = [];
  const oppositions: Scored[] = [];
  for (const { text, nugget, contradicts } of base.statements) {
    const claim = claimOf(text, lexicon);
    if (claim === undefined) continue;
    const rated = nearestPairs(claim, base.knowledge, lexicon)
      .map((found) => ({ ...found, sum: aboutTrees.sum(found.pair.features) }))
      .sort((a, b) => b.sum - a.sum);
    const best = rated[0];
    if (nugget >= 0) first.push(best?.nugget === nugget);
    similarities.push({ score: best?.sum ?? -10, positive: nugget >= 0 });
    if (contradicts === undefined || nugget < 0) continue;
    oppositions.push({
      score: best === undefined ? -10 : againstTrees.sum(best.pair.features),
      positive: contradicts,
    });
  }
  return { first, similarities, oppositions };
}

function print(name: string, { first, similarities, oppositions }: Judged): void {
  const right = first.filter(Boolean).length / Math.max(1, first.length);
  const figures = [
    `right nugget first ${right.toFixed(3)}`,
    `about AUROC ${auroc(similarities).toFixed(3)}`,
    `contradiction AUROC ${auroc(oppositions).toFixed(3)}`,
  ];
  process.stdout.write(`${name}: ${first.length} claims, ${figures.join(', ')}\n`);
}

await runScript('train-truth', main);
