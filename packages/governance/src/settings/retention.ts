import type { RetentionRule, Runtime } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createTrimmer, DAY_MS } from '@probity/core/internal';
import type { GovernanceStorage, GovernanceTransaction } from '../storage.ts';
import type { UpkeepStorage } from './storage.ts';
import type { RetentionSettings } from './types.ts';
import { DEFAULT_RETENTION } from './types.ts';

/** Dependencies of the rules beside a runtime. */
export interface GovernanceRetentionOptions {
  readonly storage: GovernanceStorage;
  readonly upkeep: UpkeepStorage;
}

/** What one rule deletes, and the term that an organization sets for it. */
interface Kind {
  readonly name: string;
  days(settings: RetentionSettings): number | null;
  delete(
    tx: GovernanceTransaction,
    organizationId: string,
    before: Date,
    limit: number,
  ): Promise<number>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'scans_with_personal_data',
    days: ({ scansWithPersonalDataDays }) => scansWithPersonalDataDays,
    delete: (tx, ...batch) => tx.deletePersonalScans(...batch),
  },
  {
    name: 'scans',
    days: ({ scansDays }) => scansDays,
    delete: (tx, ...batch) => tx.deleteScans(...batch),
  },
  {
    name: 'resolved_alerts',
    days: ({ resolvedAlertsDays }) => resolvedAlertsDays,
    delete: (tx, ...batch) => tx.deleteResolvedAlerts(...batch),
  },
];

/**
 * The rules for records of scans and for resolved alerts, by the settings of each organization (contract, section 2, has
 * the defaults). A rule with another `olderThanMs` than 0 keeps at least that: it shortens no term of an organization.
 */
export function governanceRetentionRules(
  runtime: Runtime,
  options: GovernanceRetentionOptions,
): RetentionRule[] {
  return KINDS.map((kind) => ({
    name: kind.name,
    olderThanMs: 0,
    deleteBatch: createKindTrimmer(runtime, options, kind),
  }));
}

function createKindTrimmer(
  runtime: Runtime,
  options: GovernanceRetentionOptions,
  kind: Kind,
): RetentionRule['deleteBatch'] {
  const { database } = runtime;
  const reads = database.kernel(database.reader);
  return createTrimmer({
    async list(after, limit) {
      const ids = await reads.listTenants(after, limit);
      return ids.map((organizationId) => ({ organizationId }));
    },
    async trim({ organizationId }, before, limit) {
      const until = await endOf(runtime, options, kind, organizationId);
      if (!until) return 0;
      const end = new Date(Math.min(until.getTime(), before.getTime()));
      return options.storage.transaction(OUTSIDE_REQUEST, (tx) =>
        kind.delete(tx, organizationId, end, limit),
      );
    },
  });
}

/** How much longer than its term a record is kept at most until its day is summed up. */
const SUMMARY_PATIENCE_MS = 3 * DAY_MS;

/** Before when an organization's records are deleted; null for never. Those of days that are not summed up wait. */
async function endOf(
  { clock }: Runtime,
  { upkeep }: GovernanceRetentionOptions,
  kind: Kind,
  organizationId: string,
): Promise<Date | null> {
  const settings = await upkeep.findSettings(organizationId);
  const days = kind.days(settings?.retention ?? DEFAULT_RETENTION);
  if (days === null) return null;
  const endMs = clock.now().getTime() - days * DAY_MS;
  const summarizedUntil = await upkeep.findSummarizedUntil(organizationId);
  if (!summarizedUntil || summarizedUntil.getTime() >= endMs) return new Date(endMs);
  return new Date(Math.max(summarizedUntil.getTime(), endMs - SUMMARY_PATIENCE_MS));
}
