import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { prepareQuery, toDate } from '@probity/core/sql';
import type { UsageReads, UsageStorage, UsageWrites } from '../storage.ts';
import type { QuotaUnits, RuntimeInstance } from '../types.ts';
import { grantedUnits, LARGEST_PART } from '../types.ts';
import { estimateStoredBytes } from './stored-bytes.ts';
import type { InstanceRow, UsageTables } from './tables.ts';

/** The storage of usage on SQLite and PostgreSQL. */
export function createSqlUsageStorage(database: SqlDatabase): UsageStorage {
  return bindStorage<SqlSession, UsageReads, UsageWrites>(database, (session) => ({
    ...createReads(session),
    ...createWrites(session),
  }));
}

interface UnitsValues {
  organizationId: string;
  quota: string;
  period: string;
}

interface TakeValues extends UnitsValues {
  /** What is taken where nothing was taken in this month yet. */
  first: number;
  wanted: number;
  needed: number;
  limit: number;
}

const takeUnits = prepareQuery<UsageTables, TakeValues, { last_taken: number }>((db, value) =>
  db
    .insertInto('usage_units')
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
          const left = eb.parens(given('limit'), '-', eb.ref('usage_units.taken'));
          const part = eb(left, '/', eb.lit(LARGEST_PART));
          // As `grantedUnits` says, in one statement.
          const granted = eb
            .case()
            .when(eb(given('wanted'), '<=', part))
            .then(given('wanted'))
            .when(eb(given('needed'), '>=', left))
            .then(left)
            .when(eb(given('needed'), '>=', part))
            .then(given('needed'))
            .else(part)
            .end();
          return { last_taken: granted, taken: eb('usage_units.taken', '+', granted) };
        })
        .where('usage_units.taken', '<', value('limit')),
    )
    .returning('last_taken'),
);

const selectUnits = prepareQuery<
  UsageTables,
  Omit<UnitsValues, 'quota'>,
  { quota: string; taken: number }
>((db, value) =>
  db
    .selectFrom('usage_units')
    .select(['quota', 'taken'])
    .where('organization_id', '=', value('organizationId'))
    .where('period', '=', value('period')),
);

const countInstances = prepareQuery<
  UsageTables,
  { organizationId: string; since: number },
  { kind: string; count: number }
>((db, value) =>
  db
    .selectFrom('instances')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('organization_id', '=', value('organizationId'))
    .where('last_seen', '>', value('since'))
    .groupBy('kind'),
);

function createReads(session: SqlSession): UsageReads {
  return {
    async findTakenUnits(organizationId, period) {
      const rows = await selectUnits(session, { organizationId, period });
      const taken = (name: QuotaUnits['quota']) =>
        rows.find(({ quota }) => quota === name)?.taken ?? 0;
      return { api_requests: taken('api_requests'), gateway_scans: taken('gateway_scans') };
    },
    async findInstance({ organizationId, kind, instanceId }) {
      const row = await session
        .kysely<UsageTables>()
        .selectFrom('instances')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('kind', '=', kind)
        .where('instance_id', '=', instanceId)
        .executeTakeFirst();
      return row ? toInstance(row) : null;
    },
    async countInstances(organizationId, since) {
      const rows = await countInstances(session, { organizationId, since: since.getTime() });
      const count = (name: RuntimeInstance['kind']) =>
        Number(rows.find(({ kind }) => kind === name)?.count ?? 0);
      return { gateway: count('gateway'), sentinel: count('sentinel') };
    },
    estimateStoredBytes: (organizationId) => estimateStoredBytes(session, organizationId),
  };
}

function createWrites(session: SqlSession): UsageWrites {
  const db = () => session.kysely<UsageTables>();
  return {
    async takeUnits(wish, limit) {
      const { organizationId, quota, period, units: wanted, needed } = wish;
      const first = grantedUnits(wish, limit);
      const values = { organizationId, quota, period, first, wanted, needed, limit };
      const [row] = await takeUnits(session, values);
      return row?.last_taken ?? 0;
    },
    async giveBackUnits({ organizationId, quota, period, units }) {
      await db()
        .updateTable('usage_units')
        .set((eb) => ({ taken: eb('taken', '-', units) }))
        .where('organization_id', '=', organizationId)
        .where('quota', '=', quota)
        .where('period', '=', period)
        .execute();
    },
    async putInstance(instance) {
      const { organization_id, kind, instance_id, ...facts } = toRow(instance);
      await db()
        .insertInto('instances')
        .values({ organization_id, kind, instance_id, ...facts })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'kind', 'instance_id']).doUpdateSet(facts),
        )
        .execute();
    },
    async forgetInstances(before, limit) {
      const key = ['organization_id', 'kind', 'instance_id'] as const;
      const isOld = ['last_seen', '<', before.getTime()] as const;
      const { numDeletedRows } = await db()
        .deleteFrom('instances')
        .where((eb) =>
          eb(
            eb.refTuple(...key),
            'in',
            eb
              .selectFrom('instances')
              .select(key)
              .where(...isOld)
              .limit(limit)
              .$asTuple(...key),
          ),
        )
        // Asked again, for an instance that reports at this moment.
        .where(...isOld)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function toRow(instance: RuntimeInstance): InstanceRow {
  return {
    organization_id: instance.organizationId,
    kind: instance.kind,
    instance_id: instance.instanceId,
    version: instance.version,
    first_seen: instance.firstSeen.getTime(),
    last_seen: instance.lastSeen.getTime(),
  };
}

function toInstance(row: InstanceRow): RuntimeInstance {
  return {
    organizationId: row.organization_id,
    kind: row.kind as RuntimeInstance['kind'],
    instanceId: row.instance_id,
    version: row.version,
    firstSeen: toDate(row.first_seen),
    lastSeen: toDate(row.last_seen),
  };
}
