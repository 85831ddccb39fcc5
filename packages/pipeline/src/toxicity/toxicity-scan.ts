import { forEachBlock } from '../for-each-block.ts';
import { loadModel } from '../models/load-model.ts';
import { readModelBytes } from '../models/model-bytes.ts';
import { scoreAt } from '../models/model-file.ts';
import type { TextScorer } from '../models/text-scorer.ts';
import { createTextScorer } from '../models/text-scorer.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { TextView } from '../text/text-view.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { PreparedField, StageContext, TextRange } from '../types.ts';
import type { ToxicityCategory } from './category-odds.ts';
import { lengthOdds, TOXICITY_CATEGORIES, toCategoryOdds } from './category-odds.ts';
import { createClassSums, readClassModel } from './class-model.ts';

const ANY = TOXICITY_CATEGORIES.length;
const REASONS: Readonly<Record<ToxicityCategory, string>> = {
  hate_speech: 'reads like an attack on people for what they are',
  harassment: 'reads like an insult or harassment of a person',
  self_harm: 'reads like self-harm or a call to it',
  violence: 'reads like a threat of violence or a call to it',
  sexual_content: 'reads like explicit sexual content',
};

/** The strongest place of one category in one field. */
interface Strongest extends TextRange {
  readonly score: number;
}

/** The model with its curve. */
export interface ToxicityModel {
  readonly scorer: TextScorer;
  toScore(logOdds: number): number;
}

/** Loads the model. */
export function createToxicityModel(): ToxicityModel {
  const model = loadModel('toxicity');
  const curve = model.heads[ANY]?.curve ?? [];
  const classes = createClassSums(readClassModel(readModelBytes('toxicity-classes')));
  return {
    scorer: createTextScorer(model, classes),
    toScore: (logOdds) => scoreAt(curve, logOdds),
  };
}

/** Reports the strongest place of each enabled category in each field. */
export function scanToxicity(
  context: StageContext,
  model: ToxicityModel,
  enabled: ReadonlySet<ToxicityCategory>,
  minScore: number,
): Promise<void> | undefined {
  context.setScore(0);
  const scan: ToxicityScan = { context, model, enabled, minScore, largest: 0, best: new Map() };
  return forEachBlock(context, (block, field) => scanBlock(scan, block, field));
}

/** What the blocks of one scan share. */
interface ToxicityScan {
  readonly context: StageContext;
  readonly model: ToxicityModel;
  readonly enabled: ReadonlySet<ToxicityCategory>;
  readonly minScore: number;
  largest: number;
  /** Of the field at hand. */
  best: Map<ToxicityCategory, Strongest>;
}

function* scanBlock(scan: ToxicityScan, block: TextBlock, field: PreparedField): Generator<void> {
  const { context, model, enabled, minScore, best } = scan;
  for (const text of eachText(block)) {
    for (const view of viewsOf(text)) {
      judge(view, text.tokensOf(view), model, enabled, best);
      yield;
    }
  }
  if (block !== field.blocks.at(-1)) return;
  for (const [type, found] of best) {
    scan.largest = Math.max(scan.largest, found.score);
    if (found.score >= minScore) report(context, field, type, found);
  }
  context.setScore(scan.largest);
  scan.best = new Map();
}

function viewsOf({ folded, deobfuscated }: PreparedText): TextView[] {
  return deobfuscated === undefined ? [folded] : [folded, deobfuscated];
}

function judge(
  view: TextView,
  tokens: Tokens,
  { scorer, toScore }: ToxicityModel,
  enabled: ReadonlySet<ToxicityCategory>,
  best: Map<ToxicityCategory, Strongest>,
): void {
  scorer.read(tokens);
  const any = scorer.best(ANY);
  if (any === undefined) return;
  const windows = TOXICITY_CATEGORIES.map((_, head) => scorer.best(head) ?? any);
  const { byCategory } = toCategoryOdds([...windows.map(({ logOdds }) => logOdds), any.logOdds]);
  const { firstWord, segments } = scorer.features();
  const lost = lengthOdds(firstWord[segments] as number);
  TOXICITY_CATEGORIES.forEach((category, head) => {
    if (!enabled.has(category)) return;
    const score = toScore((byCategory[head] as number) - lost);
    const { start, end } = windows[head] as TextRange;
    if (score > (best.get(category)?.score ?? -1)) {
      best.set(category, { score, ...view.range(start, end) });
    }
  });
}

function report(
  context: StageContext,
  { field, contextIndex }: PreparedField,
  type: ToxicityCategory,
  { start, end, score }: Strongest,
): void {
  const place = contextIndex === undefined ? { field } : { field, contextIndex };
  context.report({ type, start, end, score, reason: REASONS[type], ...place });
}
