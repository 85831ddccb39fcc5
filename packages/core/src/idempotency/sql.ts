import { sql } from 'kysely';
import { countChanges } from '../sql/count-changes.ts';
import { toDate } from '../sql/dialect.ts';
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
  organization_id: string | null;
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
    async storeIdempotencyRecord({ sealedReply, organizationId, createdAt, ...facts }) {
      const row = { ...facts, sealed_reply: sealedReply, created_at: createdAt.getTime() };
      await putRecord(session, { ...row, organization_id: organizationId });
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

/** The request may have deleted the tenant, as the deletion of an organization does. */
const putRecord = prepareQuery<
  IdempotencyTables & { probity_tenants: { id: string } },
  IdempotencyRow,
  object
>((db, value) => {
  const given = {
    fingerprint: value('fingerprint'),
    sealed_reply: value('sealed_reply'),
    created_at: value('created_at'),
    organization_id: db
      .selectFrom('probity_tenants')
      .select('id')
      .where('id', '=', value('organization_id')),
  };
  return db
    .insertInto('probity_idempotency_records')
    .values({ scope: value('scope'), ...given })
    .onConflict((conflict) =>
      conflict.column('scope').doUpdateSet((excluded) => ({
        fingerprint: excluded.ref('excluded.fingerprint'),
        sealed_reply: excluded.ref('excluded.sealed_reply'),
        created_at: excluded.ref('excluded.created_at'),
        organization_id: excluded.ref('excluded.organization_id'),
      })),
    );
});

function toRecord(row: IdempotencyRow): IdempotencyRecord {
  return {
    scope: row.scope,
    fingerprint: row.fingerprint,
    sealedReply: row.sealed_reply,
    organizationId: row.organization_id,
    createdAt: toDate(row.created_at),
  };
}
