import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { temporaryFolder, until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { bootstrap, call, emptyDatabases, run, scanLeak, serve } from './support.ts';

/** Runs the command; returns its output. */
async function maintenance(t: TestContext, mode: string, location: string): Promise<string> {
  const program = run(t, ['maintenance', mode, '--database', location]);
  assert.equal(await program.exited, 0, program.stderr);
  return program.stdout;
}

/** Repeats the scan until it has this status. */
async function waitForScan(url: string, key: string, status: number) {
  let answer = await scanLeak(url, key);
  await until(async () => {
    answer = await scanLeak(url, key);
    return answer.status === status;
  }, `the scan is answered ${status}`);
  return answer;
}

for (const database of sampleTargets(emptyDatabases)) {
  describe(`maintenance on ${database.name}`, () => {
    it('maintenance closes the general API of every instance, and nothing else, until it ends', async (t) => {
      const location = await database.create(t);
      const { api_key: key } = await bootstrap(location);
      const servers = await Promise.all([serve(t, location), serve(t, location)]);
      const statusOf = async (url: string) => (await call(`${url}/api/status`, null)).body.data;
      for (const { url } of servers) {
        assert.equal((await scanLeak(url, key)).status, 403);
        const { status, lastMaintenance } = await statusOf(url);
        assert.deepEqual([status, lastMaintenance], ['operational', null]);
      }

      const since = /^maintenance is on since (\S+Z)\n$/.exec(
        await maintenance(t, 'on', location),
      )?.[1];
      for (const { url } of servers) {
        const { body, headers } = await waitForScan(url, key, 503);
        assert.equal(body.error.code, 'SERVICE_UNAVAILABLE');
        assert.ok(Number(headers.get('retry-after')) > 0);
        assert.equal((await call(`${url}/api/v1/alerts`, key)).status, 503);
        assert.equal((await call(`${url}/v1/roles`, key)).status, 200);
        assert.equal((await call(`${url}/ready`, null)).status, 200);
        const { status, lastMaintenance } = await statusOf(url);
        assert.deepEqual([status, lastMaintenance], ['maintenance', since]);
      }
      assert.equal(await maintenance(t, 'on', location), `maintenance is on since ${since}\n`);

      assert.equal(await maintenance(t, 'off', location), 'maintenance is off\n');
      for (const { url } of servers) {
        await waitForScan(url, key, 403);
        const { status, lastMaintenance } = await statusOf(url);
        assert.deepEqual([status, lastMaintenance], ['operational', since]);
      }
    });
  });
}

describe('probity-server maintenance', () => {
  it('maintenance refuses a missing database file, and creates none', async (t) => {
    const folder = temporaryFolder(t).path;
    const args = ['maintenance', 'on', '--database', `sqlite:${folder}/typo.db`];
    const program = run(t, args);
    assert.equal(await program.exited, 1);
    assert.match(program.stderr, /There is no database file .*typo\.db/);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('maintenance refuses any mode but on and off', async (t) => {
    for (const args of [['maintenance'], ['maintenance', 'maybe']]) {
      const program = run(t, args);
      assert.equal(await program.exited, 2);
      assert.match(program.stderr, /mode/);
    }
  });
});
