import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { silentLogger, silentMetrics, systemClock } from '@probity/core';
import type { DatabaseLocation } from '@probity/core/internal';
import { createTestDatabase, temporaryFolder } from '@probity/test-support';
import { createGatewayDatabase } from '../../src/database/gateway-database.ts';
import { createSqlTokenLedger } from '../../src/limits/sql.ts';
import type { TokenLedger } from '../../src/limits/token-ledger.ts';
import { TOKEN_MIGRATIONS } from '../../src/limits/token-ledger.ts';
import { settings } from '../database/world.ts';

const DAY = 20_000;
const PER_DAY = 1_000;

async function openLedger(t: TestContext, location: DatabaseLocation): Promise<TokenLedger> {
  const database = createGatewayDatabase({
    ...{ location, settings: settings({ pool_size: 2 }), migrations: TOKEN_MIGRATIONS },
    ...{ clock: systemClock, logger: silentLogger, metrics: silentMetrics },
  });
  t.after(() => database.close());
  return createSqlTokenLedger(database);
}

/** What is used and reserved of a key's day: a reservation that does not fit tells it. */
const usedOf = (ledger: TokenLedger, key: string, day = DAY) =>
  ledger.reserve({ id: `tok_${key}_${day}`, key, day, tokens: PER_DAY + 1 }, PER_DAY);

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`reservations of several keys and days are settled together, and each once (${kind})`, async (t) => {
    const location: DatabaseLocation =
      kind === 'sqlite'
        ? { kind, path: join(temporaryFolder(t).path, 'gateway.db') }
        : { kind, url: (await createTestDatabase(t)).url };
    const ledger = await openLedger(t, location);
    const reserve = (id: string, key: string, day = DAY) =>
      ledger.reserve({ id, key, day, tokens: 100 }, PER_DAY);
    await reserve('tok_1', 'a');
    await reserve('tok_2', 'a');
    await reserve('tok_3', 'b');
    await reserve('tok_4', 'a', DAY + 1);
    const settlements = [
      { id: 'tok_1', used: 10 },
      { id: 'tok_2', used: 120 },
      { id: 'tok_3', used: 0 },
      { id: 'tok_4', used: 1 },
      { id: 'tok_unknown', used: 5 },
    ];
    await ledger.settle(settlements);
    await ledger.settle(settlements);
    assert.equal(await usedOf(ledger, 'a'), 130);
    assert.equal(await usedOf(ledger, 'b'), 0);
    assert.equal(await usedOf(ledger, 'a', DAY + 1), 1);
  });
}
