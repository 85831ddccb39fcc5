import type { MemorySession, Page } from '@probity/core';
import { pageOf } from '@probity/core/internal';
import { RECORDS } from '../records/memory-tables.ts';
import { runOf } from './run.ts';
import type { RunReads } from './storage.ts';
import type { ProviderTrend, RecordedRun, RunFilter } from './types.ts';

/** Reads runs in memory, from the records. */
export function createRunOperations(session: MemorySession): RunReads {
  const runsOf = (organizationId: string, filter: RunFilter): RecordedRun[] =>
    session
      .table(RECORDS)
      .filter((row) => row.organizationId === organizationId)
      .flatMap((record) => {
        const run = runOf(record);
        if (!run) return [];
        const recorded = { ...run, evidenceId: record.id, aiSystemId: record.aiSystemId };
        return matches(recorded, filter) ? [recorded] : [];
      });
  return {
    async listEvidenceRuns(organizationId, filter, page) {
      return pageOf(runsOf(organizationId, filter), page, newestFirst);
    },
    async listEvidenceProviders(organizationId, filter, page: Page) {
      const trends = new Map<string, ProviderTrend>();
      for (const run of runsOf(organizationId, filter)) {
        const key = JSON.stringify([run.provider, run.providerLabel]);
        trends.set(key, added(trends.get(key), run));
      }
      return pageOf([...trends.values()], page, byName);
    },
  };
}

function matches(run: RecordedRun, { aiSystemId, provider, since, until }: RunFilter): boolean {
  return (
    (aiSystemId === undefined || run.aiSystemId === aiSystemId) &&
    (provider === undefined || run.provider === provider) &&
    (since === undefined || run.evaluatedAt >= since) &&
    (until === undefined || run.evaluatedAt < until)
  );
}

function byName(left: ProviderTrend, right: ProviderTrend): number {
  const compare = (one: string, other: string) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other));
  return (
    compare(left.provider, right.provider) ||
    compare(left.providerLabel ?? '', right.providerLabel ?? '')
  );
}

function newestFirst(left: RecordedRun, right: RecordedRun): number {
  const later = right.evaluatedAt.getTime() - left.evaluatedAt.getTime();
  return later || right.sequence - left.sequence;
}

function added(trend: ProviderTrend | undefined, run: RecordedRun): ProviderTrend {
  const { provider, providerLabel, evaluatedAt } = run;
  const sum = trend ?? {
    ...{ provider, providerLabel, runs: 0, successes: 0, failures: 0, errors: 0 },
    ...{ oldestAt: evaluatedAt, newestAt: evaluatedAt },
  };
  return {
    provider,
    providerLabel,
    runs: sum.runs + 1,
    successes: sum.successes + run.successes,
    failures: sum.failures + run.failures,
    errors: sum.errors + run.errors,
    oldestAt: new Date(Math.min(evaluatedAt.getTime(), sum.oldestAt.getTime())),
    newestAt: new Date(Math.max(evaluatedAt.getTime(), sum.newestAt.getTime())),
  };
}
