import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { isAmong } from '../../sql/is-among.ts';
import { prepareSql } from '../../sql/prepared-query.ts';
import type { SqlDialect, SqlSession } from '../../sql/session.ts';
import type { ClaimRequest } from '../storage.ts';
import type { RuleColumns } from './groups.ts';
import { isOpen, ruleColumns } from './groups.ts';
import type { JobRow } from './rows.ts';
import { JOB_COLUMNS } from './rows.ts';
import { skipScan } from './skip-scan.ts';

/** A group of a tenant, with the number of jobs to read of it. */
export interface Lane {
  readonly tenant: string;
  readonly group: string;
  readonly wanted: number;
  /** Most attempts, the one that begins included, of an abandoned job. */
  readonly mostAttempts: number;
}

/** A tenant, with the group after which its next groups are looked up; null for the first ones. */
export interface GroupTurn {
  readonly tenant: string;
  readonly after: string | null;
}

/** A group with due jobs, and its rule. */
export interface FoundGroup extends RuleColumns {
  readonly name: string;
}

/** Reads of the due jobs of one claim. */
export interface DueReads {
  /** Whether at least `count` jobs are due. */
  hasAtLeast(count: number): Promise<boolean>;
  /** The due jobs of open groups that have waited longest, locked. */
  oldestRows(limit: number): Promise<Array<JobRow & RuleColumns>>;
  /** The next tenants with due jobs, by name; null for the first ones. */
  tenants(after: string | null, limit: number): Promise<string[]>;
  /** The next open groups with due jobs of each tenant, by name, at most `limit` of each. */
  groups(turns: readonly GroupTurn[], limit: number): Promise<Map<string, FoundGroup[]>>;
  /** The oldest due jobs of each lane, locked, without the named ids and those of the request. */
  rows(lanes: readonly Lane[], without: readonly string[]): Promise<JobRow[]>;
}

interface Due {
  readonly queue: string;
  readonly now: number;
}

interface DueRows extends Due {
  /** Ids of jobs to leave out, as JSON. */
  readonly excluded: string;
}

/**
 * Keys of one statement on PostgreSQL. It takes an unlimited list of keys to be so long that it
 * compiles the statement (JIT) at each run, which takes 5 to 15 ms.
 */
const KEYS_AT_ONCE = 16;

/** Reads the due jobs of a claim in its transaction. */
export function createDueReads(
  session: SqlSession,
  { queue, now, excludedIds = new Set() }: ClaimRequest,
): DueReads {
  const due: Due = { queue, now: now.getTime() };
  return {
    hasAtLeast: async (count) =>
      (await selectNth(session, { ...due, skipped: count - 1 })).length > 0,
    oldestRows: (limit) => selectOldest(session, { ...due, limit }),
    async tenants(after, limit) {
      const rows = await selectTenants(session, { ...due, limit, after });
      return rows.map(({ name }) => name);
    },
    async groups(turns, limit) {
      const found = new Map<string, FoundGroup[]>(turns.map(({ tenant }) => [tenant, []]));
      const keys = turns.map((turn) => ({ ...turn, wanted: limit }));
      for (const { tenant, ...group } of await selectGroups(session, due, keys)) {
        found.get(tenant)?.push(group);
      }
      return found;
    },
    async rows(lanes, without) {
      const excluded = new Set([...excludedIds, ...without]);
      const found = await selectRows(session, due, lanes);
      // Few are due, mostly none: to compare every row with all of them takes longer than to read twice.
      if (!found.some(({ id }) => excluded.has(id))) return found;
      return selectOtherRows(session, { ...due, excluded: JSON.stringify([...excluded]) }, lanes);
    },
  };
}

const columns = sql.join(JOB_COLUMNS.map((column) => sql.ref(column)));

/** Also locks the rows on PostgreSQL; on SQLite the writer holds the whole database. */
function skipLocked(dialect: SqlDialect): RawBuilder<unknown> {
  return dialect === 'postgres' ? sql`for update skip locked` : sql``;
}

const selectNth = prepareSql<Due & { skipped: number }, { due_at: number }>(
  (value) => sql`
    select due_at from probity_jobs
    where queue = ${value('queue')} and due_at <= ${value('now')}
    order by due_at limit 1 offset ${value('skipped')}`,
);

const selectOldest = prepareSql<Due & { limit: number }, JobRow & RuleColumns>((value, dialect) => {
  const group = {
    queue: value('queue'),
    tenant: sql.ref('probity_jobs.tenant_id'),
    group: sql.ref('probity_jobs.group_key'),
  };
  return sql`
    select ${columns}, ${ruleColumns(group)} from probity_jobs
    where queue = ${value('queue')} and due_at <= ${value('now')}
      and ${isOpen(group, value('now'))}
    order by due_at, id limit ${value('limit')} ${skipLocked(dialect)}`;
});

const selectTenants = prepareSql<Due & { after: string | null; limit: number }, { name: string }>(
  (value, dialect) =>
    skipScan(dialect, {
      column: 'tenant_id',
      where: sql`queue = ${value('queue')}`,
      after: value('after'),
      now: value('now'),
      limit: value('limit'),
    }),
);

const selectGroups = forEachKey<
  Due,
  GroupTurn & { wanted: number },
  { tenant: string } & FoundGroup
>({ tenant: 'text', after: 'text', wanted: 'integer' }, (value, key, dialect) => {
  const groupNamed = (name: string) => ({
    queue: value('queue'),
    tenant: key('tenant'),
    group: sql.ref(name),
  });
  const scan = skipScan(dialect, {
    column: 'group_key',
    where: sql`queue = ${value('queue')} and tenant_id = ${key('tenant')}`,
    after: key('after'),
    now: value('now'),
    limit: key('wanted'),
    condition: isOpen(groupNamed('found.name'), value('now')),
  });
  return sql`
    select ${key('tenant')} as tenant, name, ${ruleColumns(groupNamed('due_groups.name'))}
    from (${scan}) as due_groups`;
});

const LANE_TYPES = {
  tenant: 'text',
  group: 'text',
  wanted: 'integer',
  mostAttempts: 'integer',
} as const;

const selectRows = forEachKey<Due, Lane, JobRow>(LANE_TYPES, (value, key, dialect) =>
  rowsOfLane(value, key, dialect, sql``),
);

const selectOtherRows = forEachKey<DueRows, Lane, JobRow>(LANE_TYPES, (value, key, dialect) =>
  rowsOfLane(value, key, dialect, sql`and not ${isAmong(dialect, 'id', value('excluded'))}`),
);

function rowsOfLane(
  value: (name: keyof Due) => unknown,
  key: (name: keyof Lane) => unknown,
  dialect: SqlDialect,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select ${columns} from probity_jobs
    where queue = ${value('queue')} and tenant_id = ${key('tenant')}
      and group_key = ${key('group')} and due_at <= ${value('now')}
      and (lease_token is null or attempts < ${key('mostAttempts')}) ${condition}
    order by due_at, id limit ${key('wanted')} ${skipLocked(dialect)}`;
}

/**
 * Prepares a query that is run for each of several keys: in few statements on PostgreSQL, where a
 * statement is a round trip, and one by one on SQLite, which has no lateral joins.
 */
function forEachKey<Values extends object, Key extends object, Row>(
  types: Readonly<Record<keyof Key & string, 'text' | 'integer'>>,
  build: (
    value: (name: keyof Values & string) => unknown,
    key: (name: keyof Key & string) => unknown,
    dialect: SqlDialect,
  ) => RawBuilder<unknown>,
): (session: SqlSession, values: Values, keys: readonly Key[]) => Promise<Row[]> {
  const members = Object.entries(types).map(([name, type]) => sql.raw(`"${name}" ${type}`));
  const ofAll = prepareSql<Values & { keys: string }, Row>((value, dialect) => {
    const query = build(value, (name) => sql.ref(`keys.${name}`), dialect);
    return sql`
      select found.* from (
        select * from json_to_recordset(cast(${value('keys')} as json)) as given (${sql.join(members)})
        limit ${sql.lit(KEYS_AT_ONCE)}
      ) as keys cross join lateral (${query}) as found`;
  });
  const ofOne = prepareSql<Values & Key, Row>(
    (value, dialect) => build(value, value, dialect) as RawBuilder<Row>,
  );
  return async (session, values, keys) => {
    const rows: Row[] = [];
    if (session.dialect === 'postgres') {
      for (let first = 0; first < keys.length; first += KEYS_AT_ONCE) {
        const batch = JSON.stringify(keys.slice(first, first + KEYS_AT_ONCE));
        rows.push(...(await ofAll(session, { ...values, keys: batch })));
      }
      return rows;
    }
    for (const key of keys) rows.push(...(await ofOne(session, { ...values, ...key })));
    return rows;
  };
}
