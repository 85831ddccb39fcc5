import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnProgram } from '../src/process.ts';

const entry = new URL('../src/index.js', import.meta.url).href;

/** Waits for a real process to go, which no injected clock can hasten. */
async function untilGone(isThere: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 10_000;
  while (isThere()) {
    assert.ok(Date.now() < deadlineMs, 'still there after 10 s');
    await sleep(20);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a PostgreSQL server ends, and its folder goes, when its process is killed', async (t) => {
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
  const { folder, pid } = await owner.waitForLine((line) => 'pid' in line, 30_000);
  assert.ok(isRunning(Number(pid)));
  await owner.kill9();
  await untilGone(() => isRunning(Number(pid)));
  await untilGone(() => existsSync(String(folder)));
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
  const { pid } = await owner.waitForLine((line) => 'pid' in line, 30_000);
  assert.ok(isRunning(Number(pid)));
  await owner.kill9();
  await untilGone(() => isRunning(Number(pid)));
});
