import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spawnProgram } from '@probity/test-support';
import { LEASE_RAN_OUT } from '../../src/jobs/storage.ts';
import { countJobs, enqueue, newJob } from '../../src/testing/records.ts';
import { programPath, sqlTargets } from '../support.ts';

const LEASE_MS = 15_000;

for (const target of sqlTargets) {
  describe(`${target.name}: a job that kills its worker`, () => {
    test('a job that kills its worker fails after its maximum attempts, and the others are done', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const { database, url } = opened;
      const dueAt = new Date();
      const ids = ['job_poison', 'job_q', 'job_r', 'job_s', 'job_t'];
      await enqueue(database, ...ids.map((id) => newJob({ id, queue: 'poison', dueAt })));
      const lines: string[] = [];
      const signals: Array<string | null> = [];
      for (let run = 0; run < 4; run += 1) {
        const ahead = String(run * (LEASE_MS + 1));
        const program = await spawnProgram(process.execPath, [programPath('poisoned'), url, ahead]);
        await program.exited;
        lines.push(...program.stdout.split('\n').filter(Boolean));
        signals.push(program.stdout.includes('rest') ? null : 'killed');
      }
      assert.deepEqual(signals, ['killed', 'killed', 'killed', null]);
      const reads = database.kernel(database.reader);
      const { items } = await reads.listFailedJobs({ limit: 9, offset: 0 });
      const given = items.map(({ id, attempts, lastError }) => [id, attempts, lastError]);
      assert.deepEqual(given, [['job_poison', 3, LEASE_RAN_OUT]]);
      assert.equal(await countJobs(database, 'poison'), 0);
      const done = new Set(lines.map((line) => (JSON.parse(line) as { id?: string }).id));
      assert.deepEqual([...done].filter(Boolean).sort(), ids.slice(1));
    });
  });
}
