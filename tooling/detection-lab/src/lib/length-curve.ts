import type { CurvePoint, LengthOdds } from '@probity/pipeline/internal';

/** A harmless text: its log-odds by heads that have not seen its source, its length, its kind. */
export interface HarmlessText {
  readonly logOdds: number;
  /** Words and signs. */
  readonly tokens: number;
  readonly kind: string;
}

/** Shares of harmless texts that may reach a score: of the ordinary ones, of each of their kinds, of each tricky kind. */
export interface Ceiling {
  readonly score: number;
  readonly all: number;
  readonly kind: number;
  readonly tricky: number;
}

/** A kind counts where its ceiling allows at least three of its texts. */
const LEAST_ABOVE = 3;
const LENGTHS = [2, 4, 6, 9, 14, 22, 36, 64, 128, 256, 512];

/**
 * What texts of each length lose, so that the same share of harmless texts of every length reaches the
 * same log-odds. A length is compared with texts of at most half of it more or less.
 */
export function fitLengths(texts: readonly HarmlessText[], share: number): LengthOdds {
  const raw = LENGTHS.map((tokens) => {
    const near = texts.filter((text) => text.tokens > tokens / 1.6 && text.tokens <= tokens * 1.6);
    return quantile(near, share);
  });
  const least = Math.min(...raw);
  return LENGTHS.map((tokens, at) => [tokens, round((raw[at] as number) - least)]);
}

/**
 * A rising curve through two points, the lower score first. At each score, the ceiling that asks for the highest
 * log-odds decides. Outside of the points the curve has the given slopes, in log-odds of the score per log-odds
 * of the text.
 *
 * @param tricky harmless texts that were written to be hard to judge
 */
export function curveThrough(
  ordinary: readonly HarmlessText[],
  tricky: readonly HarmlessText[],
  ceilings: readonly [Ceiling, Ceiling],
  slopes: { readonly below: number; readonly above: number },
): CurvePoint[] {
  const [low, high] = ceilings.map(({ score, all, kind, tricky: hard }) => {
    const worst = [...kindQuantiles(ordinary, kind), ...kindQuantiles(tricky, hard)];
    return { odds: Math.max(quantile(ordinary, all), ...worst), score };
  }) as [{ odds: number; score: number }, { odds: number; score: number }];
  const from = round(Math.min(low.odds, high.odds - 0.2));
  const to = round(high.odds);
  const points: CurvePoint[] = [];
  const logit = (score: number) => Math.log(score / (1 - score));
  const point = (odds: number, scoreOdds: number) =>
    points.push([round(odds), round6(1 / (1 + Math.exp(-scoreOdds)))]);
  for (let step = 24; step > 0; step--) {
    point(from - step / 2 / slopes.below, logit(low.score) - step / 2);
  }
  point(from, logit(low.score));
  for (let step = 0; logit(high.score) + step / 2 <= 14; step++) {
    point(to + step / 2 / slopes.above, logit(high.score) + step / 2);
  }
  return points;
}

function kindQuantiles(texts: readonly HarmlessText[], share: number): number[] {
  const kinds = new Map<string, HarmlessText[]>();
  for (const text of texts) {
    const same = kinds.get(text.kind);
    if (same === undefined) kinds.set(text.kind, [text]);
    else same.push(text);
  }
  return [...kinds.values()]
    .filter((same) => same.length * share >= LEAST_ABOVE)
    .map((same) => quantile(same, share));
}

/** The log-odds that a share of texts reaches. */
export function quantile(texts: readonly HarmlessText[], share: number): number {
  const sorted = texts.map(({ logOdds }) => logOdds).sort((a, b) => b - a);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function round6(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
