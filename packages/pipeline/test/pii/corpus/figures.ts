import { createRowScanner } from '../../../src/cli/row-scanner.ts';
import type { MarkedRow } from './parse-rows.ts';

interface Span {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

interface SpanFigures {
  readonly expected: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** The threshold of `scores.pii` (specification, scanning.thresholds.pii_risk). */
const THRESHOLD = 0.6;

/** How well the corpus is found: exact spans by type, and texts without any that are flagged all the same. */
export interface CorpusFigures {
  readonly types: ReadonlyMap<string, SpanFigures>;
  readonly negatives: number;
  readonly alarms: number;
}

/** Scans texts as `probity-scan` does. */
export async function measure(
  positives: readonly MarkedRow[],
  negatives: readonly MarkedRow[],
): Promise<CorpusFigures> {
  const found = await findSpans(positives);
  const types = figuresByType(positives.map((row, index) => toPair(row, found[index] ?? [])));
  const alarms = (await findSpans(negatives)).filter((spans) => spans.length > 0).length;
  return { types, negatives: negatives.length, alarms };
}

async function findSpans(rows: readonly MarkedRow[]): Promise<Span[][]> {
  const scan = createRowScanner({ scores: ['pii'] });
  const found: Span[][] = [];
  for (const [index, { text }] of rows.entries()) {
    const { findings } = await scan({ id: String(index), text });
    found.push(findings.filter(({ score }) => score >= THRESHOLD));
  }
  return found;
}

// Where a mark says `any`, finding something is as right as finding nothing.
function toPair({ marks }: MarkedRow, found: readonly Span[]) {
  const open = marks.filter(({ type }) => type === 'any');
  const isOpen = ({ start, end }: Span) =>
    open.some((mark) => mark.start < end && start < mark.end);
  return {
    expected: marks.filter(({ type }) => type !== 'any'),
    found: found.filter((span) => !isOpen(span)),
  };
}

/** A found span counts where start, end and type are those of an expected one; `all` is over all spans. */
function figuresByType(pairs: readonly ReturnType<typeof toPair>[]): Map<string, SpanFigures> {
  const list = (side: 'expected' | 'found') =>
    pairs.flatMap((pair, row) =>
      pair[side].map(({ start, end, type }) => ({ type, key: `${row} ${start} ${end} ${type}` })),
    );
  const [expected, found] = [list('expected'), list('found')];
  const wanted = new Set(expected.map(({ key }) => key));
  const figuresOf = (type: string): [string, SpanFigures] => {
    const isOwn = (span: { readonly type: string }) => type === 'all' || span.type === type;
    const [own, reported] = [expected.filter(isOwn), found.filter(isOwn)];
    const hits = reported.filter(({ key }) => wanted.has(key)).length;
    const share = (of: number) => (of === 0 ? 0 : hits / of);
    const f1 = (2 * hits) / Math.max(1, own.length + reported.length);
    return [
      type,
      { expected: own.length, precision: share(reported.length), recall: share(own.length), f1 },
    ];
  };
  const types = new Set(['all', ...[...expected, ...found].map(({ type }) => type)]);
  return new Map([...types].map(figuresOf));
}
