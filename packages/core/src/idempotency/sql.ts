import { sql } from 'kysely';
import { countChanges } from '../sql/count-changes.ts';
import { toDate } from '../sql/dialect.ts';
import { prepareUpsert } from '../sql/prepare-insert.ts';
import { prepareQuery } from '../sql/prepared-query.ts';
import type { SqlSession } from '../sql/session.ts';
import type { IdempotencyReads, IdempotencyRecord, IdempotencyWrites } from './storage.ts';

/** Tables of responses to requests with an Idempotency-Key. */
interface IdempotencyTables {
  probity_idempotency_records: IdempotencyRow;
}

interface IdempotencyRow {
  scope: string;
  fingerprint: string;
  sealed_reply: string;
  created_at: number;
}

/** Idempotency records on a SQL session. */
export function createSqlIdempotency(session: SqlSession): IdempotencyReads & IdempotencyWrites {
  const find = async (scope: string, notBefore: Date) => {
    const [row] = await selectRecord(session, { scope, notBefore: notBefore.getTime() });
    return row ? toRecord(row) : null;
  };
  return {
    findIdempotencyRecord: find,
    async claimIdempotencyKey(scope, notBefore) {
      if (!(await lockScope(session, scope))) return { kind: 'busy' };
      const record = await find(scope, notBefore);
      return record ? { kind: 'answered', record } : { kind: 'claimed' };
    },
    async storeIdempotencyRecord({ scope, fingerprint, sealedReply, createdAt }) {
      const facts = { fingerprint, sealed_reply: sealedReply, created_at: createdAt.getTime() };
      await putRecord(session, { scope, ...facts });
    },
    deleteIdempotencyRecords(before, limit) {
      const db = session.kysely<IdempotencyTables>();
      const isOld = ['created_at', '<', before.getTime()] as const;
      const old = db
        .selectFrom('probity_idempotency_records')
        .select('scope')
        .where(...isOld);
      const deletion = db
        .deleteFrom('probity_idempotency_records')
        .where('scope', 'in', old.orderBy('created_at').limit(limit))
        // Read again, for a record that is being replaced concurrently.
        .where(...isOld);
      return countChanges(deletion);
    },
  };
}

/** SQLite has one writer; on PostgreSQL, a lock that the transaction holds until it ends. */
async function lockScope(session: SqlSession, scope: string): Promise<boolean> {
  if (session.dialect === 'sqlite') return true;
  const query = sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${scope}, 0)) as locked`;
  const { rows } = await query.execute(session.kysely());
  return rows[0]?.locked === true;
}

const selectRecord = prepareQuery<
  IdempotencyTables,
  { scope: string; notBefore: number },
  IdempotencyRow
>((db, value) =>
  db
    .selectFrom('probity_idempotency_records')
    .selectAll()
    .where('scope', '=', value('scope'))
    .where('created_at', '>', value('notBefore')),
);

const putRecord = prepareUpsert<IdempotencyRow>(
  'probity_idempotency_records',
  ['scope', 'fingerprint', 'sealed_reply', 'created_at'],
  ['scope'],
);

function toRecord(row: IdempotencyRow): IdempotencyRecord {
  return {
    scope: row.scope,
    fingerprint: row.fingerprint,
    sealedReply: row.sealed_reply,
    createdAt: toDate(row.created_at),
  };
}
