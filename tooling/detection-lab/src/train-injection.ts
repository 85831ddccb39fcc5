import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  findCommandInjection,
  findPromptInjection,
  findSqlInjection,
  findXpathInjection,
  interpolate,
  RULE_WEIGHTS,
  scoreAt,
  tokensOfText,
  weighRule,
  writeBoostedTrees,
  writeModel,
} from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import { embedInRows } from './generators/embedded-rows.ts';
import { generateInjectionRows } from './generators/injection.ts';
import { sortWritten } from './generators/written-injection.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import { toModelText } from './lib/linear-model.ts';
import type { LearnRow, Recipe } from './lib/linear-recipe.ts';
import { trainLinear } from './lib/linear-recipe.ts';
import { reportHeldOut, reportSources } from './lib/linear-report.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import type { PlacedRow } from './lib/place-trees.ts';
import { calibratePlaces, fitPlaceTrees, placeRows, sumUnseen } from './lib/place-trees.ts';
import { readRows } from './lib/rows.ts';
import { capRows, readSecond } from './lib/second-rows.ts';
import { foldOfSource } from './lib/splits.ts';
import { listWritten, readWritten } from './lib/written-rows.ts';

const SEED = 20261121;
/** The types, then two outputs that only the trees for places look at. */
const TYPES = ['prompt_injection', 'sql_injection', 'command_injection', 'xpath_injection'];
const HEADS = [...TYPES, 'request', 'order'];
const PROMPT = 0;
/** Shares of the harmless texts of unseen sources that may score 0.5: prompts, code, places. */
const FALSE_PROMPTS = 0.005;
const FALSE_CODE = 0.0004;
const FALSE_PLACES = 0.012;

const FOLDS = [
  /^(?:bipia|indirect)|^(?:made|planted|written|second)\w*_0$/,
  /^(?:inthewild|arena|mt_bench|vicuna)|^(?:made|planted|written|second)\w*_1$/,
  /^(?:own_attack|own_benign|promptbook)|^(?:made|planted|written|second)\w*_2$/,
  /^(?:httpparams|handbook|tech|selfinstruct|strategyqa)|^(?:made|planted|written|second)\w*_3$/,
  /^(?:own_cmdi|own_xpath|oasst)|^(?:made|planted|written|second)\w*_4$/,
  /^(?:ifeval|lincoln|bbh|gsm8k)|^(?:made|planted|written|second)\w*_5$/,
];
const DOCUMENT =
  /^(?:second_(?:fastapi|react|gesetze|nodejs|based|digitalgov|18f|vagov|site_policy|medquad|awslabs|security101|mcp_python|openai_agents)|tech_docs|handbook|lincoln|promptbook|oasst_replies|indirect_\w+_clean|made_document|made_calm_document|planted_clean|written_(?:clean|techdocs|talk))/;
const REQUEST =
  /^(?:second_(?:clinc|taskmaster|hh_rlhf|own3_h_(?:ordinary|editing|sql_help|shell_help|role_play))|arena|ifeval|selfinstruct|strategyqa|mt_bench|vicuna|oasst_prompts|gsm8k|bbh|own_benign|made_(?:task|request|constrained|look_alike|calm_prompt)|written_lookalikes)/;
const ATTACK =
  /^(?:second_own3_(?!h_|sql|command|xpath)|indirect_\w+_attacked|bipia|own_attack|inthewild|made_(?:override|leak|steering|order|wile|foreign_wile|foreign$|jailbreak|attacked|follow)|planted_(?:task|order)|written_planted)/;
const ORDER = /^(?:made_order|made_steering|planted_order|written_planted_answer)/;
/** Whether these have an order about an answer is not known, or differs. */
const MAYBE_ORDER =
  /^(?:second|ifeval|made_constrained|planted_task|written_planted|written_attacks)/;
/** Bare tasks, and orders that people also give of their own: attacks by their place alone. */
const BY_PLACE = /^(?:bipia|planted|written_planted_task|made_order_[05])/;
const EMBEDDED =
  /^(?:indirect_\w+_attacked|planted_(?:task|order)|written_planted|second_own3_planted)/;
/** Rows of the second set that are read of each source and label. */
const MOST_SECOND = 800;
/** Twins of attacks: they are harder than ordinary texts, so the calibration leaves them out. */
const NEAR_MISS = /^second_own3_h_(?!ordinary_prompt)/;

/** Written rows are in many small sources, by kind and fold, which would count too much. */
const WRITTEN_FACTOR = 0.5;
/** Technical texts are easily taken for attacks, and there are few. */
const TECHNICAL_FACTOR = 2;
/** Jailbreaks that people shared in forums: few rows, of the most common kind. */
const FORUM_FACTOR = 2;
/** The score of the rules from which a text has the words of an attack. */
const LIKE_AN_ATTACK = 0.3;

const RULES = [
  (folded: string) => findPromptInjection(tokensOfText(folded)),
  ...[findSqlInjection, findCommandInjection, findXpathInjection],
];

/** How the model of `injection_scanner` is made; `placeScore` is what the trees say of a row. */
function createRecipe(placeScore: (text: string) => number, factors: Recipe['factors']): Recipe {
  return {
    heads: HEADS,
    settings: {
      bits: 17,
      epochs: 3,
      rate: 0.15,
      l2: 1e-4,
      seed: SEED,
      scale: { floor: 8, power: 0.5 },
    },
    targets: targetsOf,
    factors,
    folds: FOLDS,
    judge: (logOdds, head, row) => {
      const weight = RULE_WEIGHTS[head] ?? 0;
      return (logOdds[head] as number) + weight * weighRule(weight && ruleScore(row.text, head));
    },
    verdict: (scores, { text }) =>
      Math.max(
        ...TYPES.map((_, head) => Math.max(scores[head] as number, ruleScore(text, head))),
        placeScore(text),
      ),
    pins: HEADS.map((_, at) => ({
      threshold: 0.5,
      share: at === PROMPT ? FALSE_PROMPTS : FALSE_CODE,
    })),
    isHarmless: (row) => !isWritten(row) && !NEAR_MISS.test(row.source),
    isMeasured,
  };
}

function factorsOf(written: readonly LearnRow[]): Recipe['factors'] {
  const own = written.map(({ source }) => [source, factorOf(source)] as const);
  return {
    ...Object.fromEntries(own),
    tech_docs: TECHNICAL_FACTOR,
    inthewild_jailbreak: FORUM_FACTOR,
  };
}

function factorOf(source: string): number {
  return WRITTEN_FACTOR * (source.includes('techdocs') ? TECHNICAL_FACTOR : 1);
}

/** Of other people's rows; a bare task has no sign of an attack. */
function isMeasured({ source }: LearnRow): boolean {
  return !/^(?:made|planted|bipia)/.test(source);
}

function targetsOf(row: LearnRow): number[] {
  const { types, label, source } = row;
  const byType = TYPES.map((type, at) => {
    if (at === PROMPT && quotesAttack(row)) return -1;
    if (at === PROMPT && label === 1 && BY_PLACE.test(source)) return -1;
    // Code that breaks out of a statement says nothing about orders to a model.
    return types.includes(type) ? 1 : label === 1 && at === PROMPT ? -1 : 0;
  });
  const request = REQUEST.test(source) || ATTACK.test(source) ? 1 : DOCUMENT.test(source) ? 0 : -1;
  if (ORDER.test(source)) return [...byType, request, 1];
  return [...byType, request, label === 1 || MAYBE_ORDER.test(source) ? -1 : 0];
}

/** Whether a harmless written text has the words of an attack, as an article on attacks has. */
function quotesAttack({ text, label, source }: LearnRow): boolean {
  if (label === 1 || !isWritten({ source })) return false;
  return source.startsWith('written_talk') || ruleScore(text, PROMPT) >= LIKE_AN_ATTACK;
}

function isWritten({ source }: Pick<LearnRow, 'source'>): boolean {
  return source.startsWith('written');
}

/** Rows with an embedded request, and harmless ones; other attacks say nothing. */
function placeTarget(row: LearnRow): number {
  const { label, source } = row;
  if (label === 0) return quotesAttack(row) ? -1 : 0;
  return EMBEDDED.test(source) ? 1 : -1;
}

const ruleScores = new Map<string, number[]>();

function ruleScore(text: string, head: number): number {
  let scores = ruleScores.get(text);
  if (scores === undefined) {
    const folded = toModelText(text);
    scores = RULES.map((find) => Math.max(0, ...find(folded).map(({ score }) => score)));
    ruleScores.set(text, scores);
  }
  return scores[head] ?? 0;
}

/** Fits the model, and the scores of places that it gives rows whose sources it has not seen. */
function learn(data: string) {
  const real = readRows(data, 'injection', 'train');
  const written = sortWritten(listWritten('injection-').flatMap(readWritten), FOLDS.length);
  const embedded = embedInRows(real, FOLDS, written, SEED);
  const rows = [
    ...real,
    ...readSecondRows(data),
    ...written.rows,
    ...generateInjectionRows(SEED),
    ...embedded,
  ];
  const placeScores = new Map<string, number>();
  const recipe = createRecipe((text) => placeScores.get(text) ?? 0, factorsOf(written.rows));
  const placed: PlacedRow[] = [];
  const { model, heldOut } = trainLinear(rows, recipe, (fitted, held, fold) => {
    placed.push(...placeRows(fitted, held, fold));
  });
  const sums = sumUnseen(placed, placeTarget);
  const measured = (row: LearnRow) => (isMeasured(row) && !isWritten(row) ? placeTarget(row) : -1);
  const knots = calibratePlaces(sums, measured, FALSE_PLACES);
  for (const [{ row }, sum] of sums) placeScores.set(row.text, interpolate(knots, sum));
  return { rows, recipe, placed, knots, model, heldOut };
}

/** The score of each row for prompts, by models that have not seen its source. */
export function scoreUnseen(data: string): { readonly row: LearnRow; readonly score: number }[] {
  const { recipe, model, heldOut } = learn(data);
  return heldOut.map((row) => {
    const scores = model.heads.map(({ curve }, head) =>
      scoreAt(curve, recipe.judge(row.logOdds, head, row)),
    );
    return { row, score: recipe.verdict(scores, row) };
  });
}

/** Writes models/injection.bin and models/injection-place.bin, and prints figures for unseen sources. */
function main(): void {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const { rows, recipe, placed, knots, model, heldOut } = learn(data);
  const models = out ?? MODELS_FOLDER;
  write(join(models, 'injection.bin'), writeModel(model));
  const trees = { ...fitPlaceTrees(placed, placeTarget), knots };
  write(join(models, 'injection-place.bin'), writeBoostedTrees(trees));
  console.log(`${rows.length} rows`);
  reportHeldOut(
    heldOut.filter((row) => !isWritten(row)),
    model,
    recipe,
  );
  reportHeldOut(heldOut.filter(isWritten), model, recipe);
  reportSources(heldOut, model, recipe);
}

/** The rows of the second set; an attack and its harmless twin are held out together. */
function readSecondRows(data: string): LearnRow[] {
  const rows = capRows(readSecond(data, 'injection2'), MOST_SECOND, createRandom(SEED));
  return rows.map((row) => {
    const fold = foldOfSource(row.source.replace(/^own3_h_/, 'own3_'), FOLDS.length);
    return { ...row, source: `second_${row.source}_${fold}` };
  });
}

function write(file: string, bytes: Uint8Array): void {
  writeFileSync(file, bytes);
  console.log(`${bytes.length} bytes: ${file}`);
}

if (process.argv[1] === import.meta.filename) await runScript('train-injection', main);
