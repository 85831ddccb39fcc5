import type { SqlSession } from '@probity/core/sql';
import { countRows, toDate } from '@probity/core/sql';
import { sql } from 'kysely';
import type { EvidenceTables } from '../records/tables.ts';
import { runOf } from './run.ts';
import type { RunReads } from './storage.ts';
import type { RunFilter } from './types.ts';

/** A run, by the place of its record; times are milliseconds since 1970. */
export interface RunRow {
  organization_id: string;
  sequence: number;
  provider: string;
  /** Empty where it has none. */
  provider_label: string;
  evaluated_at: number;
  successes: number;
  failures: number;
  errors: number;
}

interface RunTables extends EvidenceTables {
  probity_evidence_runs: RunRow;
}

/** The row of the run that a record sums up; none for any other record. */
export function toRunRows(
  record: Parameters<typeof runOf>[0] & { readonly organizationId: string },
): RunRow[] {
  const run = runOf(record);
  if (!run) return [];
  const { sequence, provider, providerLabel, evaluatedAt, successes, failures, errors } = run;
  return [
    {
      ...{ organization_id: record.organizationId, sequence, provider },
      provider_label: providerLabel ?? '',
      ...{ evaluated_at: evaluatedAt.getTime(), successes, failures, errors },
    },
  ];
}

/** Reads runs on a SQL session. */
export function createRunReads(session: SqlSession): RunReads {
  const runsOf = (organizationId: string, filter: RunFilter) => {
    const { aiSystemId, provider, since, until } = filter;
    let runs = session
      .kysely<RunTables>()
      .selectFrom('probity_evidence_runs as e')
      .where('e.organization_id', '=', organizationId);
    if (provider !== undefined) runs = runs.where('e.provider', '=', provider);
    if (since) runs = runs.where('e.evaluated_at', '>=', since.getTime());
    if (until) runs = runs.where('e.evaluated_at', '<', until.getTime());
    if (aiSystemId === undefined) return runs;
    return runs.where('e.sequence', 'in', (eb) =>
      eb
        .selectFrom('probity_evidence_records as r')
        .select('r.sequence')
        .where('r.organization_id', '=', organizationId)
        .where('r.ai_system_id', '=', aiSystemId),
    );
  };
  return {
    async listEvidenceRuns(organizationId, filter, { limit, offset }) {
      const runs = runsOf(organizationId, filter);
      const rows = await runs
        .innerJoin('probity_evidence_records as r', (join) =>
          join
            .onRef('r.organization_id', '=', 'e.organization_id')
            .onRef('r.sequence', '=', 'e.sequence'),
        )
        .selectAll('e')
        .select(['r.id', 'r.ai_system_id'])
        .orderBy('e.evaluated_at', 'desc')
        .orderBy('e.sequence', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const items = rows.map(({ id, ai_system_id: aiSystemId, ...run }) => ({
        ...{ evidenceId: id, aiSystemId, sequence: run.sequence, provider: run.provider },
        providerLabel: run.provider_label || null,
        evaluatedAt: toDate(run.evaluated_at),
        ...{ successes: run.successes, failures: run.failures, errors: run.errors },
      }));
      return { items, total: await countRows(runs) };
    },
    async listEvidenceProviders(organizationId, filter, { limit, offset }) {
      const runs = runsOf(organizationId, filter);
      const collation = session.dialect === 'postgres' ? sql`collate "C"` : sql``;
      const rows = await runs
        .select(({ fn }) => [
          'e.provider',
          'e.provider_label',
          fn.countAll<number>().as('runs'),
          fn.sum<number>('e.successes').as('successes'),
          fn.sum<number>('e.failures').as('failures'),
          fn.sum<number>('e.errors').as('errors'),
          fn.min('e.evaluated_at').as('oldest'),
          fn.max('e.evaluated_at').as('newest'),
        ])
        .groupBy(['e.provider', 'e.provider_label'])
        .orderBy(sql`e.provider ${collation}`)
        .orderBy(sql`e.provider_label ${collation}`)
        .limit(limit)
        .offset(offset)
        .execute();
      const items = rows.map((row) => ({
        ...{ provider: row.provider, providerLabel: row.provider_label || null },
        ...{ runs: Number(row.runs), successes: Number(row.successes) },
        ...{ failures: Number(row.failures), errors: Number(row.errors) },
        ...{ oldestAt: toDate(Number(row.oldest)), newestAt: toDate(Number(row.newest)) },
      }));
      const names = runs.select(['e.provider', 'e.provider_label']).distinct().as('n');
      const [count] = await session
        .kysely<RunTables>()
        .selectFrom(names)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .execute();
      return { items, total: Number(count?.total ?? 0) };
    },
  };
}
