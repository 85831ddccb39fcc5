import type { Interval } from '../lib/metrics.ts';
import type { Task } from '../lib/rows.ts';
import type { SpanFigures } from '../lib/span-metrics.ts';
import type { Figures, MacroFigures } from './figures.ts';
import type { Goal } from './goals.ts';

/** What was measured of one task. */
export interface TaskReport {
  readonly task: Task;
  readonly threshold: number;
  /** `all`, then each source. */
  readonly figures: readonly (readonly [string, Figures])[];
  readonly aurocInterval: Interval;
  readonly macro: MacroFigures;
  readonly calibrationError: number;
  readonly spans?: ReadonlyMap<string, SpanFigures>;
  readonly goals: readonly Goal[];
  readonly peers: readonly PeerReport[];
}

/** What a peer reaches on the same rows. */
export interface PeerReport {
  readonly name: string;
  readonly figures: Figures;
  readonly spanF1?: number;
}

/** A table in Markdown: one function makes what is printed and what goes into the documents. */
export function toMarkdown(report: TaskReport): string {
  const { task, threshold, figures, aurocInterval: interval, macro } = report;
  const parts = [
    `## ${task} (threshold ${threshold})`,
    table(
      [
        'source',
        'rows',
        'positive',
        'P',
        'R',
        'F1',
        'AUROC',
        'AUPRC',
        'FPR',
        'FPR@TPR95',
        'TPR@FPR1',
      ],
      figures.map(([source, entry]) => figureCells(source, entry)),
    ),
    `AUROC over all rows, 95 % interval: ${show(interval.low)} to ${show(interval.high)}. ` +
      `Mean over sources: recall ${show(macro.recall)}, FPR ${show(macro.fpr)}, balanced accuracy ` +
      `${show(macro.balancedAccuracy)}. Expected calibration error ${show(report.calibrationError)}.`,
    table(
      ['goal', 'wanted', 'here', ''],
      report.goals.map(({ measure, wanted, reached, met }) => [
        measure,
        wanted,
        show(reached),
        met === undefined ? '' : met ? 'met' : 'not met',
      ]),
    ),
  ];
  if (report.spans !== undefined) parts.push(spanTable(report.spans));
  if (report.peers.length > 0) parts.push(peerTable(report.peers));
  return `${parts.join('\n\n')}\n`;
}

function figureCells(source: string, entry: Figures): string[] {
  const { rows, positives, precision, recall, f1, auroc, auprc, fpr, fprAtTpr95, tprAtFpr1 } =
    entry;
  const rates = [precision, recall, f1, auroc, auprc, fpr, fprAtTpr95, tprAtFpr1];
  return [source, String(rows), String(positives), ...rates.map(show)];
}

function spanTable(spans: ReadonlyMap<string, SpanFigures>): string {
  const sorted = [...spans].sort(([, a], [, b]) => b.expected - a.expected);
  return table(
    ['exact spans', 'expected', 'found', 'P', 'R', 'F1'],
    sorted.map(([type, { expected, found, precision, recall, f1 }]) => [
      type,
      String(expected),
      String(found),
      ...[precision, recall, f1].map(show),
    ]),
  );
}

function peerTable(peers: readonly PeerReport[]): string {
  return table(
    ['peer on the same rows', 'P', 'R', 'F1', 'FPR', 'span F1'],
    peers.map(({ name, figures: { precision, recall, f1, fpr }, spanF1 = Number.NaN }) => [
      name,
      ...[precision, recall, f1, fpr, spanF1].map(show),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(3, ...all.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(head), rule, ...rows.map(line)].join('\n');
}

function show(value: number): string {
  return Number.isNaN(value) ? '' : value.toFixed(3);
}
