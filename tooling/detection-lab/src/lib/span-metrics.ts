import type { Confusion } from './metrics.ts';
import { f1, precision, recall } from './metrics.ts';
import type { RowSpan } from './rows.ts';

/** The spans of one text: what there is, and what was found. */
export interface SpanPair {
  readonly expected: readonly RowSpan[];
  readonly found: readonly RowSpan[];
}

/** Figures of one type, or of all types together. */
export interface SpanFigures {
  readonly expected: number;
  readonly found: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Exact span measures by type: a found span counts where start, end and type are those of an
 * expected one. `all` is over all spans (micro average).
 */
export function spanFigures(pairs: readonly SpanPair[]): ReadonlyMap<string, SpanFigures> {
  const counts = new Map<string, { expected: number; found: number; hits: number }>();
  const count = (type: string, field: 'expected' | 'found' | 'hits') => {
    for (const key of [type, 'all']) {
      const held = counts.get(key) ?? { expected: 0, found: 0, hits: 0 };
      held[field]++;
      counts.set(key, held);
    }
  };
  for (const { expected, found } of pairs) {
    const open = new Map<string, number>();
    for (const span of expected) {
      count(span.type, 'expected');
      open.set(keyOf(span), (open.get(keyOf(span)) ?? 0) + 1);
    }
    for (const span of found) {
      count(span.type, 'found');
      const left = open.get(keyOf(span)) ?? 0;
      if (left === 0) continue;
      open.set(keyOf(span), left - 1);
      count(span.type, 'hits');
    }
  }
  return new Map([...counts].map(([type, entry]) => [type, toFigures(entry)]));
}

function toFigures({
  expected,
  found,
  hits,
}: {
  readonly expected: number;
  readonly found: number;
  readonly hits: number;
}): SpanFigures {
  const confusion: Confusion = {
    truePositives: hits,
    falsePositives: found - hits,
    falseNegatives: expected - hits,
    trueNegatives: 0,
  };
  return {
    expected,
    found,
    precision: precision(confusion),
    recall: recall(confusion),
    f1: f1(confusion),
  };
}

function keyOf({ start, end, type }: RowSpan): string {
  return `${start} ${end} ${type}`;
}
