import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { spawnProgram } from '../src/process.ts';
import { until } from '../src/until.ts';
import { isRunning } from './running.ts';

const entry = new URL('../src/index.js', import.meta.url).href;

test('a PostgreSQL server ends, and its folder is removed, when its process is killed', async (t) => {
  const source = `
    import { readFileSync } from 'node:fs';
    import { acquirePostgres } from ${JSON.stringify(entry)};
    import pg from ${JSON.stringify(import.meta.resolve('pg'))};
    const { url } = await acquirePostgres();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const folder = (await client.query('show data_directory')).rows[0].data_directory;
    const pid = Number(readFileSync(folder + '/postmaster.pid', 'utf8').split('\\n')[0]);
    console.log(JSON.stringify({ folder, pid }));
  `;
  const owner = await spawnProgram(process.execPath, ['--input-type=module', '-e', source], {
    env: { TEST_POSTGRES_URL: undefined },
    test: t,
  });
  const { folder, pid } = await owner.waitForLine((line) => 'pid' in line);
  assert.ok(isRunning(Number(pid)));
  await owner.kill9();
  await until(() => !isRunning(Number(pid)), 'the server has ended');
  await until(() => !existsSync(String(folder)), 'its folder is gone');
});

test('a program ends when the process that spawned it is killed', async (t) => {
  const source = `
    import { spawnProgram } from ${JSON.stringify(entry)};
    const quick = await spawnProgram('true', []);
    await quick.exited;
    const program = await spawnProgram('sleep', ['600']);
    console.log(JSON.stringify({ pid: program.pid }));
  `;
  const owner = await spawnProgram(process.execPath, ['--input-type=module', '-e', source], {
    test: t,
  });
  const { pid } = await owner.waitForLine((line) => 'pid' in line);
  assert.ok(isRunning(Number(pid)));
  await owner.kill9();
  await until(() => !isRunning(Number(pid)), 'the program has ended');
});
