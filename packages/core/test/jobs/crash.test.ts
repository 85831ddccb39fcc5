import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spawnProgram } from '@probity/test-support';
import { LEASE_RAN_OUT } from '../../src/jobs/storage.ts';
import { countJobs, enqueue, newJob } from '../../src/testing/records.ts';
import { programPath, sqlTargets } from '../support.ts';

const LEASE_MS = 4_000;

const CASES = [
  { jobs: 'of one tenant', maxAttempts: 3, toTenant: () => 'tenant', most: 3 },
  // Two attempts with all others, two with suspects of other tenants, then without.
  { jobs: 'of a tenant each', maxAttempts: 8, toTenant: (id: string) => id, most: 5 },
  { jobs: 'of a tenant each, with few attempts', maxAttempts: 3, toTenant: String, most: 3 },
];

for (const target of sqlTargets) {
  describe(`${target.name}: a job that kills its worker`, () => {
    for (const { jobs, maxAttempts, toTenant, most } of CASES) {
      test(`a job that kills its worker fails after its maximum attempts, and the others are done: ${jobs}`, async (t) => {
        const opened = await target.open();
        t.after(opened.dispose);
        assert.ok(opened.kind === 'sql');
        const { database, url } = opened;
        const dueAt = new Date();
        const ids = ['job_poison', 'job_q', 'job_r', 'job_s', 'job_t'];
        const given = ids.map((id) =>
          newJob({ id, queue: 'poison', tenantId: toTenant(id), dueAt }),
        );
        await enqueue(database, ...given);
        const lines: string[] = [];
        const signals: Array<string | null> = [];
        for (let run = 0; run <= maxAttempts; run += 1) {
          const ahead = String(run * (LEASE_MS + 1));
          const settings = [url, ahead, String(maxAttempts)];
          const program = await spawnProgram(process.execPath, [
            programPath('poisoned'),
            ...settings,
          ]);
          await program.exited;
          lines.push(...program.stdout.split('\n').filter(Boolean));
          signals.push(program.stdout.includes('rest') ? null : 'killed');
        }
        assert.deepEqual(signals, [...Array(maxAttempts).fill('killed'), null]);
        const reads = database.kernel(database.reader);
        const { items } = await reads.listFailedJobs({ limit: 9, offset: 0 });
        const failures = items.map(({ id, attempts, lastError }) => [id, attempts, lastError]);
        assert.deepEqual(failures, [['job_poison', maxAttempts, LEASE_RAN_OUT]]);
        assert.equal(await countJobs(database, 'poison'), 0);
        const attempts = lines.map((line) => JSON.parse(line) as { id?: string; attempts: number });
        const done = attempts.filter(({ id }) => id !== undefined);
        assert.deepEqual([...new Set(done.map(({ id }) => id))].sort(), ids.slice(1));
        for (const each of done) assert.ok(each.attempts <= most, JSON.stringify(each));
      });
    }
  });
}
