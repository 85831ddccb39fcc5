import { EXPLANATIONS } from '../explanations.ts';
import { forEachBlock } from '../for-each-block.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import { loadModel } from '../models/load-model.ts';
import { readModelBytes } from '../models/model-bytes.ts';
import { lostAt, scoreAt } from '../models/model-file.ts';
import type { SmallNet } from '../models/small-net.ts';
import { readNet, runNet } from '../models/small-net.ts';
import type { ScoredWindow, TextScorer } from '../models/text-scorer.ts';
import { createTextScorer } from '../models/text-scorer.ts';
import { poolSize, poolWords, rowsOfWords } from '../models/word-pool.ts';
import type { PreparedText, TextBlock } from '../text/prepared-text.ts';
import { eachText } from '../text/prepared-text.ts';
import type { TextView } from '../text/text-view.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { PreparedField, StageContext, TextRange } from '../types.ts';
import type { ToxicityCategory } from './category-odds.ts';
import { TOXICITY_CATEGORIES, toCategoryOdds } from './category-odds.ts';
import { createClassSums, readClasses } from './class-model.ts';

const ANY = TOXICITY_CATEGORIES.length;

/** The strongest place of one category in one field. */
interface Strongest extends TextRange {
  readonly score: number;
}

/** The log-odds of each category, and where it reads worst. */
interface Judgement {
  readonly byCategory: readonly number[];
  readonly windows: readonly TextRange[];
}

/** The tables, and the net that judges the texts above their screen. */
export interface ToxicityModel {
  /** Loads the net and the word vectors before a text needs them. */
  load(): void;
  /** Undefined for a text without words. */
  judge(tokens: Tokens): Judgement | undefined;
  toScore(logOdds: number): number;
}

/** Loads the tables; the net and the word vectors at the first text that needs them. */
export function createToxicityModel(): ToxicityModel {
  const model = loadModel('toxicity');
  const { heads, lengths = [], screen = Number.POSITIVE_INFINITY } = model;
  const curve = heads[ANY]?.curve ?? [];
  const classes = createClassSums(readClasses(readModelBytes('toxicity-classes')), model);
  const scorer = createTextScorer(model, { more: classes, once: true });
  const addNet = once(createNetOdds);
  return {
    load: () => void addNet(),
    toScore: (logOdds) => scoreAt(curve, logOdds),
    judge(tokens) {
      scorer.read(tokens);
      const windows = heads.map((_, head) => scorer.best(head));
      if (!isComplete(windows)) return undefined;
      const odds = windows.map(({ logOdds }) => logOdds);
      const lost = lostAt(lengths, scorer.tokens());
      if (toCategoryOdds(odds).overall - lost >= screen) {
        addNet()(scorer, windows[ANY] as ScoredWindow).forEach((added, head) => {
          odds[head] = (odds[head] as number) + added;
        });
      }
      const { byCategory } = toCategoryOdds(odds);
      return { byCategory: byCategory.map((value) => value - lost), windows };
    },
  };
}

/** Makes the function that runs the net on the words of a window: log-odds to add, by head. */
function createNetOdds(): (scorer: TextScorer, window: ScoredWindow) => number[] {
  const net: SmallNet = readNet(readModelBytes('toxicity-net'));
  const { vectors } = sharedLexicon();
  const input = new Float64Array(poolSize(vectors));
  return (scorer, { first, last }) => {
    const features = scorer.features();
    const [from, to] = [features.firstWord[first] as number, features.firstWord[last] as number];
    poolWords(vectors, rowsOfWords(features, vectors, from, to), 0, to - from, input);
    return runNet(net, input);
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function isComplete(windows: readonly (ScoredWindow | undefined)[]): windows is ScoredWindow[] {
  return windows[ANY] !== undefined;
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
  model: ToxicityModel,
  enabled: ReadonlySet<ToxicityCategory>,
  best: Map<ToxicityCategory, Strongest>,
): void {
  const judged = model.judge(tokens);
  if (judged === undefined) return;
  TOXICITY_CATEGORIES.forEach((category, head) => {
    if (!enabled.has(category)) return;
    const score = model.toScore(judged.byCategory[head] as number);
    const { start, end } = judged.windows[head] as TextRange;
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
  context.report({ type, start, end, score, reason: EXPLANATIONS[type], ...place });
}
