import { createRowScanner } from '../../../src/cli/row-scanner.ts';
import type { RowSpan } from '../../../training/lib/rows.ts';
import type { SpanFigures, SpanPair } from '../../../training/lib/span-metrics.ts';
import { spanFigures } from '../../../training/lib/span-metrics.ts';
import type { MarkedRow } from './parse-rows.ts';

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
  const types = spanFigures(positives.map((row, index) => toPair(row, found[index] ?? [])));
  const alarms = (await findSpans(negatives)).filter((spans) => spans.length > 0).length;
  return { types, negatives: negatives.length, alarms };
}

async function findSpans(rows: readonly MarkedRow[]): Promise<RowSpan[][]> {
  const scan = createRowScanner({ scores: ['pii'] });
  const found: RowSpan[][] = [];
  for (const [index, { text }] of rows.entries()) {
    const { findings } = await scan({ id: String(index), text });
    found.push(findings.filter(({ score }) => score >= THRESHOLD));
  }
  return found;
}

// Where a mark says `any`, finding something is as right as finding nothing.
function toPair({ marks }: MarkedRow, found: readonly RowSpan[]): SpanPair {
  const open = marks.filter(({ type }) => type === 'any');
  const isOpen = ({ start, end }: RowSpan) =>
    open.some((mark) => mark.start < end && start < mark.end);
  return {
    expected: marks.filter(({ type }) => type !== 'any'),
    found: found.filter((span) => !isOpen(span)),
  };
}
