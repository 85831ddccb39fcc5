import { loadModel } from '../models/load-model.ts';
import type { CurvePoint, LinearModel } from '../models/model-file.ts';
import { scoreAt } from '../models/model-file.ts';
import { createTextScorer } from '../models/text-scorer.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { TextRange } from '../types.ts';
import type { ScoredCluster } from './evidence.ts';
import { strengthen } from './evidence.ts';
import type { LengthOdds } from './length-odds.ts';
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
export const MOST_UNNAMED = 0.49;

/** What the rules say of a place, as odds above those of a place without any sign: 0 or more. */
export function weighRule(score: number): number {
  if (score <= 0) return 0;
  const kept = Math.min(0.9999, score);
  return Math.max(0, Math.log(kept / (1 - kept)) - NO_RULE);
}

/** A request that is out of place, or code where code belongs, gets at most this: it is flagged, never blocked. */
const MOST_PLACED = 0.49;
/** From here on the scores of places lie closer together, up to {@link MOST_PLACED}. */
const KNEE = 0.4;

/**
 * The score of a request that only its place makes likely to be an attack, and of code in a place of code. Documents have lines that read
 * like requests of another author, the more the longer they are, so such a line alone is rather
 * harmless than not; the order of the scores stays.
 */
export function placedScore(score: number): number {
  if (score < KNEE) return score;
  const placed = KNEE + ((score - KNEE) * (MOST_PLACED - KNEE)) / (1 - KNEE);
  return Math.round(placed * 1_000_000) / 1_000_000;
}

/** The reason of a finding that is an attack by its place alone. */
export const EMBEDDED = 'asks for something that the text around it is not about';

const NO_PLACES: PlaceVerdict = { places: [], worst: 0 };

/**
 * How far the model may judge a place: `counts`, not at all (`none`), or `weak` where texts are full of
 * what it takes for attacks: there it adds nothing to the rules, and flags at most.
 */
export type Standing = 'counts' | 'weak' | 'none';

/** The learned half of the injection stage: it reads a text, then judges it type by type. */
export interface LearnedJudge {
  /** Takes up a folded text. */
  read(folded: Tokens): void;
  /**
   * What rules and model say together of the text: each place of the rules, the model's opinion
   * added, then the places that only the model sees; `highest` is the highest score of all, also
   * where that is below `least`, below which no place is listed.
   *
   * @param byRules places of the rules, with what the text loses for its length already taken
   * @param length what the text loses for its length
   * @param standing what the text around a place says of the model's opinion
   */
  judge(
    head: number,
    byRules: readonly ScoredCluster[],
    least: number,
    reason: string,
    length: LengthOdds,
    standing: (place: TextRange) => Standing,
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
    judge(head, byRules, least, reason, length, standing) {
      const curve = curves[head] as readonly CurvePoint[];
      const top = scorer.best(head);
      const best = top?.logOdds ?? Number.NEGATIVE_INFINITY;
      const lowest = lowestOdds[head] as number;
      const { places: embedded, worst: worstPlace } =
        head === PLACE_HEADS.prompt ? judgePlaces(scorer) : NO_PLACES;
      const worst = strengthen(worstPlace, -length.places);
      const scoreOf = (logOdds: number) => strengthen(scoreAt(curve, logOdds), -length.windows);
      // Scores below the lowest one that is reported still order the texts.
      const seen = scoreOf(best);
      // A list that reads like an attack is no weaker attack, but none.
      const isList =
        head === PLACE_HEADS.prompt &&
        seen >= least &&
        top !== undefined &&
        standing(top) === 'none';
      const byModel = isList ? 0 : seen;
      const unnamed = Math.min(Math.max(byModel, placedScore(worst)), MOST_UNNAMED);
      const isNamed = best >= lowest || worst >= MIN_LEARNED;
      if (byRules.length === 0 && !isNamed) return { highest: unnamed, places: byRules };
      const places = byRules.map((found): ScoredCluster => {
        if (RULE_WEIGHTS[head] === 0 || standing(found) !== 'counts') return found;
        const odds =
          scorer.near(head, found.start, found.end) +
          (RULE_WEIGHTS[head] as number) * weighRule(found.score);
        return { ...found, score: Math.max(found.score, scoreOf(odds)) };
      });
      const above = best < lowest ? [] : scorer.above(head, lowest);
      for (const { start, end, logOdds } of above) {
        const score = scoreOf(logOdds);
        if (score < MIN_LEARNED) continue;
        // A query that the rules take for harmless is judged again; other code is not.
        const isKnown = places.some((place) => overlaps(place, { start, end }));
        if (isKnown && head !== SQL) continue;
        const stands = standing({ start, end });
        if (stands === 'none') continue;
        addPlace(places, {
          start,
          end,
          score: stands === 'weak' ? placedScore(score) : score,
          rule: reason,
        });
      }
      for (const place of embedded) {
        const score = strengthen(place.score, -length.places);
        if (score >= MIN_LEARNED && standing(place) !== 'none') {
          const isSeen =
            best >= lowest &&
            standing(place) === 'counts' &&
            scoreOf(scorer.near(head, place.start, place.end)) >= MIN_LEARNED;
          const isCorroborated = isSeen || byRules.some((known) => overlaps(known, place));
          addPlace(places, {
            ...place,
            score: isCorroborated ? score : placedScore(score),
            rule: EMBEDDED,
          });
        }
      }
      const highest = places.reduce((most, { score }) => Math.max(most, score), unnamed);
      return { highest, places: places.filter(({ score }) => score >= least) };
    },
  };
}

/** Adds a place; one that the rules know already keeps its grounds and takes the higher score. */
function addPlace(places: ScoredCluster[], added: ScoredCluster): void {
  const { score } = added;
  const known = places.findIndex((place) => overlaps(place, added));
  if (known < 0) places.push(added);
  else {
    const place = places[known] as ScoredCluster;
    places[known] = { ...place, score: Math.max(place.score, score) };
  }
}

function overlaps(a: TextRange, b: TextRange): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The lowest log-odds of a curve's points from which on the score is at least `score`. */
function oddsAt(curve: readonly CurvePoint[], score: number): number {
  return curve.find((point) => point[1] >= score)?.[0] ?? Number.POSITIVE_INFINITY;
}
