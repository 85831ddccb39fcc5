import type { Finding } from '@probity/client';
import { t } from '../text/index.ts';
import type { Column } from './data-table.tsx';
import { Table } from './data-table.tsx';
import { toNumber, toScore } from './format.tsx';
import { Action } from './verdict.tsx';

const ORDER = ['block', 'redact', 'flag', 'allow'];

/** Findings, the strictest first, each with its number. */
export function numbered(
  findings: readonly Finding[],
): readonly (Finding & { readonly number: number })[] {
  return [...findings]
    .sort(
      (left, right) =>
        ORDER.indexOf(left.action) - ORDER.indexOf(right.action) || right.score - left.score,
    )
    .map((finding, index) => ({ ...finding, number: index + 1 }));
}

type NumberedFinding = ReturnType<typeof numbered>[number];

const columns = (): readonly Column<NumberedFinding & { readonly id: string }>[] => [
  {
    title: t.scan.type,
    cell: ({ number, type }) => (
      <>
        <span class="finding-no">{number}</span> <code>{type}</code>
      </>
    ),
  },
  { title: t.scan.stage, cell: ({ stage }) => t.stage[stage] ?? stage },
  {
    title: t.scan.place,
    cell: ({ field, start, end }) => `${t.field[field]}, ${toNumber(start)}–${toNumber(end)}`,
  },
  { title: t.scan.score, kind: 'num', cell: ({ score }) => toScore(score) },
  { title: t.scan.action, kind: 'fit', cell: ({ action }) => <Action action={action} /> },
];

/** A table of findings; the text itself is in the playground alone. */
export function FindingsTable({ findings }: { readonly findings: readonly Finding[] }) {
  const rows = numbered(findings).map((finding) => ({ ...finding, id: String(finding.number) }));
  return <Table caption={t.scan.findings} columns={columns()} rows={rows} />;
}
