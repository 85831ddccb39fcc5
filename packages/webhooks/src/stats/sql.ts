import type { SqlSession } from '@probity/core/sql';
import { countChanges, prepareQuery, prepareSql, toDate } from '@probity/core/sql';
import { sql } from 'kysely';
import type { StatReads, StatWrites } from './storage.ts';
import type { AttemptCount } from './types.ts';

/** Times are milliseconds since 1970. */
interface StatTables {
  probity_webhook_attempt_counts: CountRow;
}

interface CountRow {
  webhook_id: string;
  hour: number;
  bucket: number;
  attempts: number;
  succeeded: number;
}

const selectCounts = prepareQuery<StatTables, { webhookId: string; since: number }, CountRow>(
  (db, value) =>
    db
      .selectFrom('probity_webhook_attempt_counts')
      .selectAll()
      .where('webhook_id', '=', value('webhookId'))
      .where('hour', '>=', value('since'))
      .orderBy('hour'),
);

/** Adds counts, given as a JSON array of arrays, in its order. */
const addCounts = prepareSql<{ counts: string }, object>((value, dialect) => {
  const rows =
    dialect === 'sqlite'
      ? sql`select json_extract(value, '$[0]'), json_extract(value, '$[1]'),
          json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]')
          from json_each(${value('counts')}) where true`
      : sql`select c ->> 0, cast(c ->> 1 as bigint), cast(c ->> 2 as integer),
          cast(c ->> 3 as integer), cast(c ->> 4 as integer)
          from json_array_elements(cast(${value('counts')} as json)) as given (c)`;
  return sql`insert into probity_webhook_attempt_counts as stored
    (webhook_id, hour, bucket, attempts, succeeded) ${rows}
    on conflict (webhook_id, hour, bucket) do update set
      attempts = stored.attempts + excluded.attempts,
      succeeded = stored.succeeded + excluded.succeeded`;
});

/** Reads counts of attempts on a SQL session. */
export function createStatReads(session: SqlSession): StatReads {
  return {
    async listAttemptCounts(webhookId, since) {
      const rows = await selectCounts(session, { webhookId, since: since.getTime() });
      return rows.map(toCount);
    },
  };
}

/** Writes counts of attempts on a SQL session. */
export function createStatWrites(session: SqlSession): StatWrites {
  return {
    async addAttemptCounts(counts) {
      if (counts.length === 0) return;
      await addCounts(session, { counts: JSON.stringify(counts.map(toValues)) });
    },
    deleteAttemptCounts(before, limit) {
      const db = session.kysely<StatTables>();
      const old = db
        .selectFrom('probity_webhook_attempt_counts')
        .select(['webhook_id', 'hour', 'bucket'])
        .where('hour', '<', before.getTime())
        .orderBy('hour')
        .limit(limit);
      const deletion = db
        .deleteFrom('probity_webhook_attempt_counts')
        .where(sql<boolean>`(webhook_id, hour, bucket) in (${old})`);
      return countChanges(deletion);
    },
  };
}

function toValues(count: AttemptCount): unknown[] {
  const { webhookId, hour, bucket, attempts, succeeded } = count;
  return [webhookId, hour.getTime(), bucket, attempts, succeeded];
}

function toCount(row: CountRow): AttemptCount {
  return {
    webhookId: row.webhook_id,
    hour: toDate(row.hour),
    bucket: row.bucket,
    attempts: row.attempts,
    succeeded: row.succeeded,
  };
}
