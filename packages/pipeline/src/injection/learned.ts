import { loadModel } from '../models/load-model.ts';
import { type CurvePoint, type LinearModel, scoreAt } from '../models/model-file.ts';
import { createTextScorer } from '../models/text-scorer.ts';
import type { TextRange } from '../types.ts';
import type { ScoredCluster } from './evidence.ts';

/**
 * How much the log-odds of the rules add to those of the model, by head; from a fit to held-out
 * sources. Signs in code are no stronger for looking like code, so there each side judges alone.
 */
export const RULE_WEIGHTS: readonly number[] = [0.8, 0, 0, 0];

/** Log-odds that a text without any sign of the rules is taken to have. */
const NO_RULE = -3;

/** The model alone names a place only from the specification's threshold on: it gives no grounds. */
const MIN_LEARNED = 0.5;
/** So high a score may be without a place that is named. */
const MOST_UNNAMED = 0.49;

/** What the rules say of a place, as odds above those of a place without any sign: 0 or more. */
export function weighRule(score: number): number {
  if (score <= 0) return 0;
  const kept = Math.min(0.9999, score);
  return Math.max(0, Math.log(kept / (1 - kept)) - NO_RULE);
}

/** The learned half of the injection stage: it reads a text, then judges it type by type. */
export interface LearnedJudge {
  /** Takes up a folded text. */
  read(text: string): void;
  /**
   * What rules and model say together of the text: each place of the rules, the model's opinion
   * added, then the places that only the model sees; `highest` is the highest score of all, also
   * where that is below `least`, below which no place is listed.
   *
   * @param counts whether the model may judge a place
   */
  judge(
    head: number,
    byRules: readonly ScoredCluster[],
    least: number,
    reason: string,
    counts: (place: TextRange) => boolean,
  ): { readonly highest: number; readonly places: readonly ScoredCluster[] };
}

/** Loads the model of `injection_scanner`. */
export function createLearnedJudge(model: LinearModel = loadModel('injection')): LearnedJudge {
  const scorer = createTextScorer(model);
  const curves = model.heads.map(({ curve }) => curve);
  return {
    read: scorer.read,
    judge(head, byRules, least, reason, counts) {
      const curve = curves[head] as readonly CurvePoint[];
      const places = byRules.map((found): ScoredCluster => {
        if (!counts(found)) return found;
        if (RULE_WEIGHTS[head] === 0) return found;
        const odds =
          scorer.near(head, found.start, found.end) +
          (RULE_WEIGHTS[head] as number) * weighRule(found.score);
        return { ...found, score: Math.max(found.score, scoreAt(curve, odds)) };
      });
      const best = scorer.best(head)?.logOdds ?? Number.NEGATIVE_INFINITY;
      const lowest = oddsAt(curve, Math.max(least, MIN_LEARNED));
      const above = best < lowest ? [] : scorer.above(head, lowest);
      for (const { start, end, logOdds } of above) {
        if (places.some((place) => place.start < end && start < place.end)) continue;
        const score = scoreAt(curve, logOdds);
        if (counts({ start, end })) places.push({ start, end, score, rule: reason });
      }
      // What lies below the lowest score that is reported still tells texts apart.
      const highest = places.reduce(
        (most, { score }) => Math.max(most, score),
        Math.min(scoreAt(curve, best), MOST_UNNAMED),
      );
      return { highest, places: places.filter(({ score }) => score >= least) };
    },
  };
}

/** The lowest log-odds of a curve's points from which on the score is at least `score`. */
function oddsAt(curve: readonly CurvePoint[], score: number): number {
  return curve.find((point) => point[1] >= score)?.[0] ?? Number.POSITIVE_INFINITY;
}
