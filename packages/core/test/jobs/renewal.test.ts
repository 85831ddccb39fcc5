import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import type { Database, KernelOperations } from '../../src/storage/database.ts';
import { at, claim, countJobs, enqueue, newJob } from '../../src/testing/records.ts';
import { targets } from '../support.ts';

test('a renewal does not wait for a transaction that ends some of the jobs', async (t) => {
  const postgres = targets.find(({ name }) => name === 'postgres') as (typeof targets)[number];
  const { database: opened, dispose } = await postgres.open();
  const database = opened as Database;
  t.after(dispose);
  const run = <Result>(work: (tx: KernelOperations) => Promise<Result>) =>
    database.transaction((session) => work(database.kernel(session)));
  const jobs = ['a', 'b', 'c'].map((group) => newJob({ id: `job_${group}`, group }));
  await enqueue(database, ...jobs);
  await claim(database, 'w', { leaseUntil: at(10_000) });
  const leases = jobs.map(({ id }) => ({ id, leaseToken: 'w' }));
  const renewing = new EventEmitter();
  const renewed = once(renewing, 'end');
  // With a renewal that waits, the two would wait for each other, and PostgreSQL would end one of them.
  const ending = run(async (tx) => {
    assert.deepEqual(await tx.finishJobs([{ id: 'job_b', leaseToken: 'w' }]), ['job_b']);
    renewing.emit('start');
    await renewed;
    assert.deepEqual(await tx.finishJobs([{ id: 'job_a', leaseToken: 'w' }]), ['job_a']);
  });
  await once(renewing, 'start');
  assert.deepEqual((await run((tx) => tx.renewJobs(leases, at(50_000)))).sort(), [
    'job_a',
    'job_c',
  ]);
  renewing.emit('end');
  await ending;
  assert.equal(await countJobs(database), 1);
});
