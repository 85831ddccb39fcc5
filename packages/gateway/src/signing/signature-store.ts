import type { Migration } from '@probity/core/sql';
import type { GatewayDatabase } from '../database/gateway-database.ts';

/** The signatures that were taken. Several gateways may share one store. */
export interface SignatureStore {
  /**
   * Takes marks; of concurrent callers only one has each.
   *
   * @param untilMs when they are forgotten, in Unix milliseconds
   * @returns those that were not taken before, durably
   */
  take(marks: readonly string[], untilMs: number): Promise<readonly string[]>;
  /** Deletes marks that are forgotten at a time. */
  forgetBefore(nowMs: number): Promise<void>;
}

const TABLE = 'gateway_signatures';

/** The table of the store. */
export const SIGNATURE_MIGRATIONS: readonly Migration[] = [
  {
    name: 'gateway/0002_signatures',
    statements: [
      `create table ${TABLE} (
        mark text primary key,
        until_ms bigint not null
      )`,
      `create index ${TABLE}_until on ${TABLE} (until_ms)`,
    ],
  },
];

interface Tables {
  readonly [TABLE]: { readonly mark: string; readonly until_ms: number };
}

/** The store in a SQL database. */
export function createSqlSignatureStore(database: Pick<GatewayDatabase, 'write'>): SignatureStore {
  return {
    take: (marks, until_ms) =>
      database.write('insert', async (session) => {
        const taken = await session
          .kysely<Tables>()
          .insertInto(TABLE)
          // One order: gateways that take the same marks wait for each other's rows.
          .values([...marks].sort().map((mark) => ({ mark, until_ms })))
          .onConflict((conflict) => conflict.doNothing())
          .returning('mark')
          .execute();
        return taken.map(({ mark }) => mark);
      }),
    forgetBefore: (nowMs) =>
      database.write('delete', async (session) => {
        await session.kysely<Tables>().deleteFrom(TABLE).where('until_ms', '<', nowMs).execute();
      }),
  };
}
