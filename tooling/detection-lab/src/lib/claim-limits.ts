import { CLAIM_RANGES } from '@probity/pipeline/internal';
import type { Knots } from './threshold-curve.ts';

/** A row whose claims were judged by trees that have not seen its source. */
export interface UnseenRow {
  readonly source: string;
  readonly positive: boolean;
  readonly claims: readonly UnseenClaim[];
}

/** The sum of a claim, and its range (see `claimRange`). */
interface UnseenClaim {
  readonly sum: number;
  readonly range: number;
}

/** A sum from which on a row is flagged, and how much of all faithful and unfaithful rows it stands for. */
interface Step {
  readonly sum: number;
  readonly faithful: number;
  readonly unfaithful: number;
}

const ROUNDS = 30;
/** The limit of a range in which flagging does not pay. */
const NEVER = 99;

/**
 * For each range the sum from which on a claim is flagged: of all limits under which at most `allowed` of the faithful rows have a
 * claim above them, those that find most unfaithful rows. Every source counts the same.
 */
export function claimLimits(rows: readonly UnseenRow[], allowed: number): Knots {
  const ranges = stepsOf(rows);
  // The price of a faithful row in unfaithful ones, between a fifth and sixty.
  let [low, high] = [0.2, 60];
  for (let round = 0; round < ROUNDS; round++) {
    const price = Math.sqrt(low * high);
    const flagged = ranges.reduce((sum, steps) => sum + limitAt(steps, price).faithful, 0);
    if (flagged > allowed) low = price;
    else high = price;
  }
  return ranges.map((steps, range) => [range, limitAt(steps, high).sum] as const);
}

function stepsOf(rows: readonly UnseenRow[]): Step[][] {
  const counts = new Map<string, number>();
  const kindOf = ({ source, positive }: UnseenRow) => `${source} ${positive}`;
  for (const row of rows) counts.set(kindOf(row), (counts.get(kindOf(row)) ?? 0) + 1);
  const sources = new Set(rows.map(({ source }) => source)).size;
  const ranges: Step[][] = Array.from({ length: CLAIM_RANGES }, () => []);
  for (const row of rows) {
    const share = 1 / (counts.get(kindOf(row)) as number) / sources;
    const [faithful, unfaithful] = row.positive ? [0, share] : [share, 0];
    for (const [range, steps] of ranges.entries()) {
      const sums = row.claims.filter((claim) => claim.range === range).map(({ sum }) => sum);
      if (sums.length > 0) steps.push({ sum: Math.max(...sums), faithful, unfaithful });
    }
  }
  for (const steps of ranges) steps.sort((a, b) => b.sum - a.sum);
  return ranges;
}

/** The limit that gains most where a faithful row costs as much as `price` unfaithful ones gain. */
function limitAt(steps: readonly Step[], price: number): Step {
  let best: Step = { sum: NEVER, faithful: 0, unfaithful: 0 };
  let [faithful, unfaithful] = [0, 0];
  for (const step of steps) {
    faithful += step.faithful;
    unfaithful += step.unfaithful;
    const gain = unfaithful - price * faithful;
    if (gain > best.unfaithful - price * best.faithful)
      best = { sum: step.sum, faithful, unfaithful };
  }
  return best;
}

/** The share of rows with a claim above the limits, by source. */
export function flaggedShares(rows: readonly UnseenRow[], limits: Knots): Map<string, number> {
  const flagged = new Map<string, number[]>();
  for (const { source, claims } of rows) {
    const isAbove = claims.some(({ sum, range }) => sum >= (limits[range]?.[1] ?? NEVER));
    flagged.get(source)?.push(Number(isAbove)) ?? flagged.set(source, [Number(isAbove)]);
  }
  const mean = (own: readonly number[]) => own.reduce((sum, one) => sum + one, 0) / own.length;
  return new Map([...flagged].map(([source, own]) => [source, mean(own)]));
}
