import { findCommandInjection } from '../src/injection/command.ts';
import { RULE_WEIGHTS, weighRule } from '../src/injection/learned.ts';
import { findPromptInjection } from '../src/injection/prompt.ts';
import { findSqlInjection } from '../src/injection/sql.ts';
import { findXpathInjection } from '../src/injection/xpath.ts';
import { generateInjectionRows } from './data/injection.ts';
import { toModelText } from './lib/linear-model.ts';
import { type LearnRow, type Recipe, trainLinear } from './lib/linear-recipe.ts';
import { runTraining } from './lib/linear-script.ts';

const SEED = 20261121;
const HEADS = ['prompt_injection', 'sql_injection', 'command_injection', 'xpath_injection'];
const PROMPT = 0;

/** How the model of `injection_scanner` is made. */
export const INJECTION_RECIPE: Recipe = {
  heads: HEADS,
  settings: {
    bits: 17,
    epochs: 6,
    rate: 0.15,
    l2: 1e-5,
    seed: SEED,
    scale: { floor: 8, power: 0.5 },
  },
  targets: ({ types, label }) =>
    // Code that breaks out of a statement says nothing about orders to a model.
    HEADS.map((head, at) => (types.includes(head) ? 1 : label === 1 && at === PROMPT ? -1 : 0)),
  factors: {},
  folds: [
    /^(?:bipia|indirect)/,
    /^(?:inthewild|arena|mt_bench|vicuna)/,
    /^(?:own_attack|own_benign|promptbook)/,
    /^(?:httpparams|lincoln|handbook|tech)/,
    /^(?:own_cmdi|own_xpath|oasst)/,
    /^(?:ifeval|selfinstruct|bbh|gsm8k|strategyqa)/,
  ],
  judge: (logOdds, head, row) => {
    const weight = RULE_WEIGHTS[head] as number;
    return (logOdds[head] as number) + weight * weighRule(weight && ruleScore(row, head));
  },
  verdict: (scores, row) => Math.max(...scores, ...HEADS.map((_, head) => ruleScore(row, head))),
  pins: HEADS.map((_, at) => ({ threshold: 0.5, share: at === PROMPT ? 0.007 : 0.0004 })),
  isHarmless: () => true,
};

const RULES = [findPromptInjection, findSqlInjection, findCommandInjection, findXpathInjection];

function ruleScore({ text }: LearnRow, head: number): number {
  const scores = RULES[head]?.(toModelText(text)).map(({ score }) => score) ?? [];
  return Math.max(0, ...scores);
}

if (process.argv[1] === import.meta.filename) {
  runTraining(process.argv.slice(2), {
    task: 'injection',
    recipe: INJECTION_RECIPE,
    made: () => generateInjectionRows(SEED),
    train: trainLinear,
  });
}
