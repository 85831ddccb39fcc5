import type { SqlSession } from '@probity/core/sql';
import { countChanges, insertMany, prepareQuery, prepareUpsert, toDate } from '@probity/core/sql';
import type { InstanceReads, InstanceWrites } from '../storage.ts';
import type { InstanceMinute, RuntimeInstance } from '../types.ts';
import type { InstanceMinuteRow, InstanceRow, UsageTables } from './tables.ts';

const countInstances = prepareQuery<
  UsageTables,
  { organizationId: string; kind: RuntimeInstance['kind']; since: number },
  { count: number }
>((db, value) =>
  db
    .selectFrom('probity_instances')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', value('organizationId'))
    .where('kind', '=', value('kind'))
    .where('last_seen', '>', value('since')),
);

const putInstance = prepareUpsert<InstanceRow>(
  'probity_instances',
  ['organization_id', 'kind', 'instance_id', 'version', 'first_seen', 'last_seen'],
  ['organization_id', 'kind', 'instance_id'],
);

const MINUTE_KEY = ['organization_id', 'kind', 'instance_id', 'minute'] as const;

/** Creates the SQL storage for instances. */
export function createSqlInstances(session: SqlSession): InstanceReads & InstanceWrites {
  const db = () => session.kysely<UsageTables>();
  return {
    async findInstance({ organizationId, kind, instanceId }) {
      const row = await db()
        .selectFrom('probity_instances')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('kind', '=', kind)
        .where('instance_id', '=', instanceId)
        .executeTakeFirst();
      return row ? toInstance(row) : null;
    },
    async countInstances(organizationId, since) {
      const count = async (kind: RuntimeInstance['kind']) => {
        const of = { organizationId, kind, since: since.getTime() };
        const [row] = await countInstances(session, of);
        return Number(row?.count ?? 0);
      };
      return { gateway: await count('gateway'), sentinel: await count('sentinel') };
    },
    putInstance: (instance) => putInstance(session, toRow(instance)),
    forgetInstances(before, limit) {
      const key = ['organization_id', 'kind', 'instance_id'] as const;
      const isOld = ['last_seen', '<', before.getTime()] as const;
      const deletion = db()
        .deleteFrom('probity_instances')
        .where((eb) =>
          eb(
            eb.refTuple(...key),
            'in',
            eb
              .selectFrom('probity_instances')
              .select(key)
              .where(...isOld)
              .limit(limit)
              .$asTuple(...key),
          ),
        )
        // Checked again, since the instance may report concurrently.
        .where(...isOld);
      return countChanges(deletion);
    },
    async insertInstanceMinutes(minutes) {
      const rows = minutes.map(toMinuteRow);
      const inserted = await insertMany(session, 'probity_instance_minutes', rows, {
        onConflictDoNothing: [...MINUTE_KEY],
        returning: [...MINUTE_KEY, 'scans'],
      });
      return inserted.map(toMinute);
    },
    async deleteInstanceMinutes({ organizationId, kind, instanceId, since, until }, limit) {
      let chosen = db()
        .selectFrom('probity_instance_minutes')
        .select(MINUTE_KEY)
        .where('organization_id', '=', organizationId)
        .where('kind', '=', kind)
        .where('minute', '>=', since.getTime())
        .where('minute', '<', until.getTime());
      if (instanceId !== null) chosen = chosen.where('instance_id', '=', instanceId);
      const deleted = await db()
        .deleteFrom('probity_instance_minutes')
        .where((eb) =>
          eb(eb.refTuple(...MINUTE_KEY), 'in', chosen.limit(limit).$asTuple(...MINUTE_KEY)),
        )
        .returning([...MINUTE_KEY, 'scans'])
        .execute();
      return deleted.map(toMinute);
    },
    forgetInstanceMinutes(before, limit) {
      const old = db()
        .selectFrom('probity_instance_minutes')
        .select(MINUTE_KEY)
        .where('minute', '<', before.getTime())
        .limit(limit);
      const deletion = db()
        .deleteFrom('probity_instance_minutes')
        .where((eb) => eb(eb.refTuple(...MINUTE_KEY), 'in', old.$asTuple(...MINUTE_KEY)));
      return countChanges(deletion);
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

function toMinuteRow(minute: InstanceMinute): InstanceMinuteRow {
  return {
    organization_id: minute.organizationId,
    kind: minute.kind,
    instance_id: minute.instanceId,
    minute: minute.minute.getTime(),
    scans: minute.scans,
  };
}

function toMinute(row: InstanceMinuteRow): InstanceMinute {
  return {
    organizationId: row.organization_id,
    kind: row.kind as InstanceMinute['kind'],
    instanceId: row.instance_id,
    minute: toDate(row.minute),
    scans: Number(row.scans),
  };
}
