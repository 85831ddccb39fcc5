import type { ListedScan, ListScansQuery } from '@probity/client';
import { api } from '../api/connection.ts';
import { t } from '../text/index.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Filters } from '../ui/filters.tsx';
import { Time, toDuration, toNumber } from '../ui/format.tsx';
import { Link } from '../ui/link.tsx';
import { useFilters, useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { Verdict } from '../ui/verdict.tsx';

const columns = (): readonly Column<ListedScan>[] => [
  {
    title: t.scan.id,
    kind: 'grow',
    cell: (scan) => (
      <>
        <Link class="row-link" href={`scans/${scan.id}`}>
          {scan.kind === 'batch' ? t.scan.batch : titleOf(scan)}
        </Link>
        <span class="sub">{scan.id}</span>
      </>
    ),
  },
  {
    title: t.scan.verdict,
    kind: 'fit',
    cell: (scan) =>
      scan.kind === 'batch' ? (
        <span class="muted">{scan.status}</span>
      ) : (
        <Verdict verdict={verdictOf(scan)} />
      ),
  },
  {
    title: t.scan.findings,
    kind: 'num',
    cell: (scan) => toNumber(scan.kind === 'batch' ? scan.total : scan.findingCount),
  },
  {
    title: t.scan.took,
    kind: 'num',
    cell: (scan) => (scan.kind === 'batch' ? '' : toDuration(scan.durationMs)),
  },
  { title: t.scan.time, kind: 'fit', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Scans by the filters of the address. */
export function ScansPage() {
  const { filters } = useFilters();
  const list = useList(['scans'], (page) =>
    api.governance.listScans({ ...(filters as ListScansQuery), ...page }),
  );
  const verdicts = (['allowed', 'flagged', 'blocked'] as const).map(
    (verdict) => [verdict, t.verdict[verdict]] as const,
  );
  return (
    <Page title={t.scan.title} lead={t.scan.lead}>
      <Filters
        filters={[
          { name: 'verdict', title: t.scan.verdict, values: verdicts },
          { name: 'stage', title: t.scan.stage, values: Object.entries(t.stage) },
        ]}
      />
      <DataTable
        caption={t.scan.title}
        columns={columns()}
        list={list}
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title={t.scan.emptyFiltered} />
          ) : (
            <Empty title={t.scan.empty}>
              <Link class="btn" href="playground">
                {t.overview.playground}
              </Link>
            </Empty>
          )
        }
      />
    </Page>
  );
}

/** A scan that was flagged because a rule redacts is shown as redacted. */
export function verdictOf(scan: Extract<ListedScan, { kind: 'single' }>) {
  const isRedacted = scan.findings.some(({ action }) => action === 'redact');
  return scan.verdict === 'flagged' && isRedacted ? 'redacted' : scan.verdict;
}

/** The stages with findings, in words. */
export function titleOf(scan: Extract<ListedScan, { kind: 'single' }>): string {
  const acted = scan.findings.filter(({ action }) => action !== 'allow');
  const stages = [...new Set(acted.map(({ stage }) => t.stage[stage] ?? stage))];
  return stages.length === 0 ? t.verdict[scan.verdict] : stages.join(', ');
}
