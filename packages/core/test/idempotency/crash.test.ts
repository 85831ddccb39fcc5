import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spawnProgram } from '@probity/test-support';
import { countJobs } from '../../src/testing/records.ts';
import type { TestDatabase } from '../../src/testing/targets.ts';
import { diskTargets, programPath } from '../support.ts';

type SqlTestDatabase = Extract<TestDatabase, { kind: 'sql' }>;

/** Sends the request to a process that dies at `point`; answers what it printed. */
async function handle({ url }: SqlTestDatabase, point: 'written' | 'committed' | 'never') {
  const program = await spawnProgram(process.execPath, [programPath('idempotent'), url, point]);
  const code = await program.exited;
  assert.equal(code, point === 'never' ? 0 : null, program.stderr);
  return program.stdout === '' ? null : (JSON.parse(program.stdout) as object);
}

/** How many effects and how many kept answers there are. */
async function stored({ database }: SqlTestDatabase): Promise<[number, number]> {
  const { rows } = await database.reader.execute<{ n: number }>(
    'select count(*) as n from probity_idempotency_records',
    [],
  );
  return [await countJobs(database), Number(rows[0]?.n)];
}

for (const target of diskTargets) {
  describe(`${target.name}: a process killed while it handles a request`, () => {
    test('a kill before the commit leaves neither effect nor response, after it both', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      assert.equal(await handle(opened, 'written'), null);
      assert.deepEqual(await stored(opened), [0, 0]);
      assert.equal(await handle(opened, 'committed'), null);
      assert.deepEqual(await stored(opened), [1, 1]);
      const answer = await handle(opened, 'never');
      assert.deepEqual({ ...answer, body: null }, { status: 201, body: null, isReplay: true });
      assert.deepEqual(await stored(opened), [1, 1]);
    });
  });
}
