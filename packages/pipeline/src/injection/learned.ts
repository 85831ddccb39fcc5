import { loadModel } from '../models/load-model.ts';
import type { CurvePoint, LinearModel } from '../models/model-file.ts';
import { scoreAt } from '../models/model-file.ts';
import { createTextScorer } from '../models/text-scorer.ts';
import type { TextRange } from '../types.ts';
import type { ScoredCluster } from './evidence.ts';
import type { PlaceJudge, PlaceVerdict } from './place-model.ts';
import { createPlaceJudge, PLACE_HEADS } from './place-model.ts';

/**
 * How much the log-odds of the rules add to those of the model, by head; from a fit to held-out
 * sources. Signs in code are no stronger for looking like code, so there each side judges alone.
 */
export const RULE_WEIGHTS: readonly number[] = [0.8, 0, 0, 0];

/** The output for SQL. */
const SQL = 1;

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

/** What a reader is told of a sentence that is an attack by its place alone. */
const PLANTED = 'reads like a request that does not belong to the text around it';

const NO_PLACES: PlaceVerdict = { places: [], worst: 0 };

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

/** Loads the models of `injection_scanner`. */
export function createLearnedJudge(
  model: LinearModel = loadModel('injection'),
  judgePlaces: PlaceJudge = createPlaceJudge(),
): LearnedJudge {
  const scorer = createTextScorer(model);
  const curves = model.heads.map(({ curve }) => curve);
  const lowestOdds = curves.map((curve) => oddsAt(curve, MIN_LEARNED));
  return {
    read: scorer.read,
    judge(head, byRules, least, reason, counts) {
      const curve = curves[head] as readonly CurvePoint[];
      const top = scorer.best(head);
      const best = top?.logOdds ?? Number.NEGATIVE_INFINITY;
      const lowest = lowestOdds[head] as number;
      const { places: planted, worst } =
        head === PLACE_HEADS.prompt ? judgePlaces(scorer) : NO_PLACES;
      // What lies below the lowest score that is reported still tells texts apart.
      const seen = scoreAt(curve, best);
      // A list that reads like an attack is no weaker attack, but none.
      const isList =
        head === PLACE_HEADS.prompt && seen >= least && top !== undefined && !counts(top);
      const bySight = isList ? 0 : seen;
      const unnamed = Math.min(Math.max(bySight, worst), MOST_UNNAMED);
      const isNamed = best >= lowest || worst >= MIN_LEARNED;
      if (byRules.length === 0 && !isNamed) return { highest: unnamed, places: byRules };
      const places = byRules.map((found): ScoredCluster => {
        if (RULE_WEIGHTS[head] === 0 || !counts(found)) return found;
        const odds =
          scorer.near(head, found.start, found.end) +
          (RULE_WEIGHTS[head] as number) * weighRule(found.score);
        return { ...found, score: Math.max(found.score, scoreAt(curve, odds)) };
      });
      const above = best < lowest ? [] : scorer.above(head, lowest);
      for (const { start, end, logOdds } of above) {
        const score = scoreAt(curve, logOdds);
        // A query that the rules take for somebody's own is judged again; other code is not.
        const isKnown = places.some((place) => place.start < end && start < place.end);
        if (isKnown && head !== SQL) continue;
        if (counts({ start, end })) addPlace(places, { start, end, score, rule: reason });
      }
      for (const place of planted) {
        if (place.score >= MIN_LEARNED && counts(place))
          addPlace(places, { ...place, rule: PLANTED });
      }
      const highest = places.reduce((most, { score }) => Math.max(most, score), unnamed);
      return { highest, places: places.filter(({ score }) => score >= least) };
    },
  };
}

/** Adds a place; one that the rules know already keeps its grounds and takes the higher score. */
function addPlace(places: ScoredCluster[], added: ScoredCluster): void {
  const { start, end, score } = added;
  const known = places.findIndex((place) => place.start < end && start < place.end);
  if (known < 0) places.push(added);
  else {
    const place = places[known] as ScoredCluster;
    places[known] = { ...place, score: Math.max(place.score, score) };
  }
}

/** The lowest log-odds of a curve's points from which on the score is at least `score`. */
function oddsAt(curve: readonly CurvePoint[], score: number): number {
  return curve.find((point) => point[1] >= score)?.[0] ?? Number.POSITIVE_INFINITY;
}
