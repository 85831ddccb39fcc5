import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareQuery } from '../../src/sql/prepared-query.ts';
import type { ExecuteOptions, SqlDialect, SqlSession } from '../../src/sql/session.ts';

interface Tables {
  keys: { id: string; hash: string; uses: number };
}

interface Run {
  sql: string;
  parameters: readonly unknown[];
  options: ExecuteOptions | undefined;
}

function recordingSession(dialect: SqlDialect, runs: Run[]): SqlSession {
  return {
    dialect,
    execute: async (sql, parameters, options) => {
      runs.push({ sql, parameters, options });
      return { rows: [], changes: 0 };
    },
    kysely: () => assert.fail('a prepared query needs no builder when it runs'),
    afterCommit: () => undefined,
  };
}

test('a query is built once per dialect and run with the values of each call', async () => {
  const runs: Run[] = [];
  let built = 0;
  const find = prepareQuery<Tables, { hash: string; least: number }, { id: string }>(
    (db, value) => {
      built += 1;
      return db
        .selectFrom('keys')
        .select('id')
        .where('hash', '=', value('hash'))
        .where('uses', '>', value('least'))
        .where('uses', '<', 99);
    },
  );
  for (const dialect of ['sqlite', 'postgres', 'sqlite'] as const) {
    await find(recordingSession(dialect, runs), { hash: dialect, least: 5 });
  }
  assert.equal(built, 2);
  assert.deepEqual(
    runs.map(({ parameters }) => parameters),
    [
      ['sqlite', 5, 99],
      ['postgres', 5, 99],
      ['sqlite', 5, 99],
    ],
  );
  assert.match(runs[0]?.sql ?? '', /"hash" = \? and "uses" > \?/);
  assert.match(runs[1]?.sql ?? '', /"hash" = \$1 and "uses" > \$2/);
  assert.ok(runs.every(({ options }) => options?.name));
  assert.equal(runs[0]?.options?.name, runs[2]?.options?.name);
  assert.notEqual(runs[0]?.options?.name, runs[1]?.options?.name);
});

test('a prepared query may use a value twice, and null is a value', async () => {
  const runs: Run[] = [];
  const touch = prepareQuery<Tables, { hash: string | null }, object>((db, value) =>
    db
      .selectFrom('keys')
      .select('id')
      .where((eb) => eb.or([eb('hash', '=', value('hash')), eb('id', '=', value('hash'))])),
  );
  await touch(recordingSession('sqlite', runs), { hash: null });
  assert.deepEqual(runs[0]?.parameters, [null, null]);
});
