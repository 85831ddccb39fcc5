import type { IdempotencyRecord } from '@probity/core/internal';
import { IDEMPOTENCY_WINDOW_MS } from '@probity/core/internal';
import type { Migration } from '@probity/core/sql';
import type { GatewayDatabase } from '../database/gateway-database.ts';

/** The sealed answers to scans with an Idempotency-Key. Several gateways may share one store. */
export interface ReplyStore {
  /** The record of a scope, unless it has expired. */
  find(scope: string, now: Date): Promise<IdempotencyRecord | null>;
  /** Stores a record unless its scope has one; returns the stored one. */
  store(record: IdempotencyRecord): Promise<IdempotencyRecord>;
  /** Deletes the records that have expired. */
  forgetBefore(now: Date): Promise<void>;
}

const TABLE = 'gateway_idempotency';

/** The table of the store. */
export const IDEMPOTENCY_MIGRATIONS: readonly Migration[] = [
  {
    name: 'gateway/0004_idempotency',
    statements: [
      `create table ${TABLE} (
        scope text primary key,
        fingerprint text not null,
        sealed_reply text not null,
        until_ms bigint not null
      )`,
      `create index ${TABLE}_until on ${TABLE} (until_ms)`,
    ],
  },
];

interface Row {
  readonly scope: string;
  readonly fingerprint: string;
  readonly sealed_reply: string;
  readonly until_ms: number;
}

interface Tables {
  readonly [TABLE]: Row;
}

/** The store in a SQL database. */
export function createSqlReplyStore({
  read,
  write,
}: Pick<GatewayDatabase, 'read' | 'write'>): ReplyStore {
  return {
    find: (scope, now) =>
      read(async (session) => {
        const row = await session
          .kysely<Tables>()
          .selectFrom(TABLE)
          .selectAll()
          .where('scope', '=', scope)
          .where('until_ms', '>', now.getTime())
          .executeTakeFirst();
        return row ? toRecord(row) : null;
      }),
    store: (record) =>
      write('insert', async (session) => {
        const db = session.kysely<Tables>();
        const { scope, ...values } = toRow(record);
        const createdAt = record.createdAt.getTime();
        const taken = await db
          .insertInto(TABLE)
          .values({ scope, ...values })
          .onConflict((conflict) =>
            conflict
              .column('scope')
              .doUpdateSet(values)
              .where(`${TABLE}.until_ms`, '<=', createdAt),
          )
          .returning('scope')
          .execute();
        if (taken.length > 0) return record;
        const first = db.selectFrom(TABLE).selectAll().where('scope', '=', scope);
        return toRecord(await first.executeTakeFirstOrThrow());
      }),
    forgetBefore: (now) =>
      write('delete', async (session) => {
        const db = session.kysely<Tables>();
        await db.deleteFrom(TABLE).where('until_ms', '<=', now.getTime()).execute();
      }),
  };
}

function toRow({ scope, fingerprint, sealedReply, createdAt }: IdempotencyRecord): Row {
  const until_ms = createdAt.getTime() + IDEMPOTENCY_WINDOW_MS;
  return { scope, fingerprint, sealed_reply: sealedReply, until_ms };
}

function toRecord({ scope, fingerprint, sealed_reply, until_ms }: Row): IdempotencyRecord {
  const createdAt = new Date(Number(until_ms) - IDEMPOTENCY_WINDOW_MS);
  return { scope, fingerprint, sealedReply: sealed_reply, organizationId: null, createdAt };
}
