import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createTestDatabase, pgBouncerMissing, startPgBouncer } from '@probity/test-support';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';

const skip = pgBouncerMissing();

interface Pooled {
  readonly database: SqlDatabase;
  readonly warnings: readonly string[];
}

/** A database behind a pooler in transaction mode that has fewer connections than the pool. */
async function openPooled(
  t: TestContext,
  query = '',
  settings: readonly string[] = [],
): Promise<Pooled> {
  const { url, drop } = await createTestDatabase();
  const warnings: string[] = [];
  const note = (message: string) => warnings.push(message);
  const logger = { debug: note, info: note, warn: note, error: note };
  const pooler = await startPgBouncer(url, t, settings);
  const database = createPostgresDatabase({ url: `${pooler}${query}`, poolSize: 12, logger });
  t.after(async () => {
    await database.close();
    await drop();
  });
  return { database, warnings };
}

/** Statements under names in more transactions at a time than the pooler has connections. */
async function crowd(database: SqlDatabase): Promise<number[]> {
  const one = async (n: number): Promise<number> => {
    const text = `select ${n % 5}::int as n, pg_sleep(0.001)`;
    const name = `crowd_${n % 5}`;
    const { rows } = await database.transaction((session) =>
      session.execute<{ n: number }>(text, [], { name }),
    );
    return rows[0]?.n as number;
  };
  const calls = Array.from({ length: 120 }, (_, n) => one(n));
  return Promise.all(calls);
}

test('pgbouncer=true works behind a pooler in transaction mode', { skip }, async (t) => {
  const { database, warnings } = await openPooled(t, '?pgbouncer=true');
  await database.ping();
  const values = await crowd(database);
  assert.deepEqual(
    values,
    values.map((_, n) => n % 5),
  );
  assert.deepEqual(warnings, []);
});

test('a pooled transaction has the statement timeout and no setting outlives it', {
  skip,
}, async (t) => {
  const { database } = await openPooled(t, '?pgbouncer=true');
  const settings =
    "select current_setting('statement_timeout') as timeout, current_setting('jit') as jit";
  const inside = await database.transaction((session) => session.execute(settings, []));
  assert.deepEqual(inside.rows, [{ timeout: '10s', jit: 'off' }]);
  const outside = await database.reader.execute(settings, []);
  assert.deepEqual(outside.rows, [{ timeout: '0', jit: 'on' }]);
});

test('a session refused by a pooler fails with the flag to add', {
  skip,
}, async (t) => {
  const { database } = await openPooled(t);
  await assert.rejects(database.ping(), /is a pooler: add pgbouncer=true to the query/);
});

test('the log names the flag once when a pooler ignores session settings', {
  skip,
}, async (t) => {
  const { database, warnings } = await openPooled(t, '', [
    'ignore_startup_parameters = statement_timeout',
  ]);
  const values = await crowd(database);
  assert.deepEqual(
    values,
    values.map((_, n) => n % 5),
  );
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /add pgbouncer=true to the query of the URL/);
});
