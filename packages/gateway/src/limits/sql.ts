import type { GatewayDatabase } from '../database/gateway-database.ts';
import type { TokenLedger } from './token-ledger.ts';
import { DAYS_TABLE, RESERVATIONS_TABLE } from './token-ledger.ts';

interface Tables {
  readonly [DAYS_TABLE]: {
    readonly api_key: string;
    readonly day: number;
    /** Tokens that were used, and those that are reserved. */
    readonly used: number;
  };
  readonly [RESERVATIONS_TABLE]: {
    readonly id: string;
    readonly api_key: string;
    readonly day: number;
    readonly tokens: number;
  };
}

/** The ledger in a SQL database. Its transactions wait for each other at the row of the key and day. */
export function createSqlTokenLedger(database: GatewayDatabase): TokenLedger {
  return {
    reserve: ({ id, key, day, tokens }, perDay) =>
      database.write('insert', async (session) => {
        const db = session.kysely<Tables>();
        await db
          .insertInto(DAYS_TABLE)
          .values({ api_key: key, day, used: 0 })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        // One statement compares and adds: a concurrent one sees the sum of both.
        const { numUpdatedRows } = await db
          .updateTable(DAYS_TABLE)
          .set((row) => ({ used: row('used', '+', tokens) }))
          .where('api_key', '=', key)
          .where('day', '=', day)
          .where('used', '<=', perDay - tokens)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) {
          await db
            .insertInto(RESERVATIONS_TABLE)
            .values({ id, api_key: key, day, tokens })
            .execute();
          return null;
        }
        const { used } = await db
          .selectFrom(DAYS_TABLE)
          .select('used')
          .where('api_key', '=', key)
          .where('day', '=', day)
          .executeTakeFirstOrThrow();
        return Number(used);
      }),
    settle: (id, used) =>
      database.write('delete', async (session) => {
        const db = session.kysely<Tables>();
        const [held] = await db
          .deleteFrom(RESERVATIONS_TABLE)
          .where('id', '=', id)
          .returning(['api_key', 'day', 'tokens'])
          .execute();
        if (held === undefined) return;
        const more = used - Number(held.tokens);
        await db
          .updateTable(DAYS_TABLE)
          .set((row) => ({ used: row('used', '+', more) }))
          .where('api_key', '=', held.api_key)
          .where('day', '=', held.day)
          .execute();
      }),
    forgetBefore: (day) =>
      database.write('delete', async (session) => {
        const db = session.kysely<Tables>();
        await db.deleteFrom(RESERVATIONS_TABLE).where('day', '<', day).execute();
        await db.deleteFrom(DAYS_TABLE).where('day', '<', day).execute();
      }),
  };
}
