// Rewrites every row of a large table by a migration: in one statement, and in slices with a kill
// half-way. node migrations/run.mjs [ROWS]; PostgreSQL too where PROBITY_BENCH_POSTGRES names an empty database.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createPostgresDatabase,
  createSqliteDatabase,
  migrate,
} from '../../packages/core/dist/src/sql/index.js';

const SET = `replace(replace(findings, '"stage":"a"', '"stage":"b"'), '","', '", "')`;
const whole = {
  name: 'bench/0001_whole',
  statements: [`update rows_of_bench set findings = ${SET}`],
};
const sliced = {
  name: 'bench/0002_sliced',
  slices: {
    table: 'rows_of_bench',
    key: 'id',
    statement: `update rows_of_bench set findings = ${SET}, runs = runs + 1 where :rows`,
  },
};

const [, , role, url] = process.argv;
if (role === 'child') await migrateAsChild();
else await main(Number(role ?? 1_000_000));

async function main(count) {
  const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
  try {
    await measure(`sqlite:${join(folder, 'bench.db')}`, count);
    const postgres = process.env.PROBITY_BENCH_POSTGRES;
    if (postgres) await measure(postgres, count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(address, count) {
  const database = open(address);
  console.log(`${database.dialect}, ${count} rows`);
  await fill(database, count);
  await timed('one statement', database, () => migrate(database, [whole]));
  const killed = await startAndKill(address, count, database);
  console.log(`  killed at ${killed.done} of ${killed.total} rows`);
  await timed('slices, the rest', database, () => migrate(database, [sliced]));
  const result = await database.reader.execute(
    'select min(runs) as least, max(runs) as most, count(*) as count from rows_of_bench',
    [],
  );
  console.log('  each row rewritten', result.rows[0]);
  await database.close();
}

/** Time of the work, and the longest time that another connection waited for a read or a write meanwhile. */
async function timed(name, database, work) {
  let isRunning = true;
  const longest = { read: 0, write: 0 };
  const note = async (kind, act) => {
    while (isRunning) {
      const startMs = performance.now();
      await act();
      longest[kind] = Math.max(longest[kind], performance.now() - startMs);
      await delay(5);
    }
  };
  const read = () => database.reader.execute("select id from rows_of_bench where id = 'r1'", []);
  const write = () =>
    database.transaction(({ execute }) => execute('insert into others_of_bench values (1)', []));
  const startMs = performance.now();
  const others = [note('read', read), note('write', write)];
  await work();
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  isRunning = false;
  await Promise.all(others);
  const [readMs, writeMs] = [longest.read, longest.write].map(Math.round);
  console.log(`  ${name}: ${seconds} s, longest read ${readMs} ms, longest write ${writeMs} ms`);
}

/** Starts the migration in slices in another process and kills it past the middle. */
async function startAndKill(address, count, database) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'child', address, count]);
  for (;;) {
    await delay(50);
    const { rows: found } = await database.reader
      .execute('select done, total from probity_migration_positions', [])
      .catch(() => ({ rows: [] }));
    if (found[0]?.done < count / 2) continue;
    if (!found[0] && child.exitCode === null) continue;
    child.kill('SIGKILL');
    return found[0] ?? { done: count, total: count };
  }
}

async function migrateAsChild() {
  const database = open(url);
  await migrate(database, [sliced], { onProgress: (progress) => console.log(progress) });
  await database.close();
}

async function fill(database, count) {
  await database.transaction(async ({ execute }) => {
    await execute(
      'create table rows_of_bench (id text primary key, findings text, runs integer not null)',
      [],
    );
    await execute('create table others_of_bench (n integer)', []);
  });
  for (let first = 1; first <= count; first += 10_000) {
    const last = Math.min(count, first + 9_999);
    const findings = JSON.stringify(Array(8).fill({ stage: 'a', type: 'email', start: 1, end: 2 }));
    await database.transaction(({ execute }) =>
      execute(
        `with recursive numbers (n) as (select ${first} union all select n + 1 from numbers where n < ${last})
          insert into rows_of_bench select 'r' || n, '${findings}', 0 from numbers`,
        [],
      ),
    );
  }
}

function open(address) {
  return address.startsWith('sqlite:')
    ? createSqliteDatabase({ path: address.slice('sqlite:'.length) })
    : createPostgresDatabase({ url: address });
}
