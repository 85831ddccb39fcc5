import type { SqlSession } from '@probity/core/sql';
import { prepareQuery } from '@probity/core/sql';
import type { UsageReads, UsageWrites } from '../storage.ts';
import type { QuotaUnits } from '../types.ts';
import { grantedUnits, SHARE_DIVISOR } from '../types.ts';
import { estimateStoredBytes } from './stored-bytes.ts';
import type { UsageTables } from './tables.ts';

interface UnitsValues {
  organizationId: string;
  quota: string;
  period: string;
}

interface TakeValues extends UnitsValues {
  /** The grant when nothing was leased in this month yet. */
  first: number;
  wanted: number;
  needed: number;
  limit: number;
}

const takeUnits = prepareQuery<UsageTables, TakeValues, { last_taken: number }>((db, value) =>
  db
    .insertInto('probity_usage_units')
    .values({
      organization_id: value('organizationId'),
      quota: value('quota'),
      period: value('period'),
      taken: value('first'),
      last_taken: value('first'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'quota', 'period'])
        .doUpdateSet((eb) => {
          const given = (name: 'limit' | 'wanted' | 'needed') =>
            eb.cast<number>(eb.val(value(name)), 'bigint');
          const left = eb.parens(given('limit'), '-', eb.ref('probity_usage_units.taken'));
          const share = eb(left, '/', eb.lit(SHARE_DIVISOR));
          // Implements `grantedUnits` in one statement.
          const granted = eb
            .case()
            .when(eb(given('wanted'), '<=', share))
            .then(given('wanted'))
            .when(eb(given('needed'), '>=', left))
            .then(left)
            .when(eb(given('needed'), '>=', share))
            .then(given('needed'))
            .else(share)
            .end();
          return { last_taken: granted, taken: eb('probity_usage_units.taken', '+', granted) };
        })
        .where('probity_usage_units.taken', '<', value('limit')),
    )
    .returning('last_taken'),
);

const selectUnits = prepareQuery<
  UsageTables,
  Omit<UnitsValues, 'quota'>,
  { quota: string; taken: number }
>((db, value) =>
  db
    .selectFrom('probity_usage_units')
    .select(['quota', 'taken'])
    .where('organization_id', '=', value('organizationId'))
    .where('period', '=', value('period')),
);

/** Creates the SQL storage for usage. */
export function createSqlUsage(session: SqlSession): UsageReads & UsageWrites {
  return {
    async findTakenUnits(organizationId, period) {
      const rows = await selectUnits(session, { organizationId, period });
      const taken = (name: QuotaUnits['quota']) =>
        rows.find(({ quota }) => quota === name)?.taken ?? 0;
      return { api_requests: taken('api_requests'), gateway_scans: taken('gateway_scans') };
    },
    estimateStoredBytes: (organizationId) => estimateStoredBytes(session, organizationId),
    async takeUnits(request, limit) {
      const { organizationId, quota, period, units: wanted, needed } = request;
      const first = grantedUnits(request, limit);
      const values = { organizationId, quota, period, first, wanted, needed, limit };
      const [row] = await takeUnits(session, values);
      return row?.last_taken ?? 0;
    },
    async giveBackUnits({ organizationId, quota, period, units }) {
      await session
        .kysely<UsageTables>()
        .updateTable('probity_usage_units')
        .set((eb) => ({ taken: eb('taken', '-', units) }))
        .where('organization_id', '=', organizationId)
        .where('quota', '=', quota)
        .where('period', '=', period)
        .execute();
    },
    async addUnits({ organizationId, quota, period, units }) {
      await session
        .kysely<UsageTables>()
        .insertInto('probity_usage_units')
        .values({ organization_id: organizationId, quota, period, taken: units, last_taken: 0 })
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'quota', 'period'])
            .doUpdateSet((eb) => ({ taken: eb('probity_usage_units.taken', '+', units) })),
        )
        .execute();
    },
  };
}
