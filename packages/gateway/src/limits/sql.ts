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
    settle: (settlements) =>
      database.write('delete', async (session) => {
        const db = session.kysely<Tables>();
        const usedBy = new Map(settlements.map(({ id, used }) => [id, used]));
        const held = await db
          .deleteFrom(RESERVATIONS_TABLE)
          .where('id', 'in', [...usedBy.keys()])
          .returning(['id', 'api_key', 'day', 'tokens'])
          .execute();
        for (const { key, day, more } of sumsOf(held, usedBy)) {
          await db
            .updateTable(DAYS_TABLE)
            .set((row) => ({ used: row('used', '+', more) }))
            .where('api_key', '=', key)
            .where('day', '=', day)
            .execute();
        }
      }),
    forgetBefore: (day) =>
      database.write('delete', async (session) => {
        const db = session.kysely<Tables>();
        await db.deleteFrom(RESERVATIONS_TABLE).where('day', '<', day).execute();
        await db.deleteFrom(DAYS_TABLE).where('day', '<', day).execute();
      }),
  };
}

type Reservation = Tables[typeof RESERVATIONS_TABLE];

/** What is added for each key and day, in one order: gateways that settle at once wait for each other's rows. */
function sumsOf(held: readonly Reservation[], usedBy: ReadonlyMap<string, number>) {
  const sums = new Map<string, { readonly key: string; readonly day: number; more: number }>();
  for (const { id, api_key: key, day, tokens } of held) {
    const name = `${day} ${key}`;
    const sum = sums.get(name) ?? { key, day, more: 0 };
    sum.more += (usedBy.get(id) ?? 0) - Number(tokens);
    sums.set(name, sum);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
