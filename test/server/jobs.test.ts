import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { migrate } from '@probity/core/sql';
import { migrations } from '@probity/standalone';
import { withDatabase } from './open-database.ts';
import type { EmptyDatabase } from './support.ts';
import { emptyDatabases, run } from './support.ts';

const DUE = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-01T00:01:00Z');

/** A database with three failed jobs, two of them of `mail.send`, and one that is pending. */
async function createDatabase(t: TestContext, empty: EmptyDatabase): Promise<string> {
  const location = await empty.create(t);
  await withDatabase(location, async (database) => {
    await migrate(database, migrations);
    const queues = ['mail.send', 'mail.send', 'other'];
    await database.transaction(async (session) => {
      const tx = database.kernel(session);
      for (const [index, queue] of queues.entries()) {
        const id = `job_${index}`;
        await tx.enqueueJobs([
          { id, queue, tenantId: 'org_1', group: 'org_1', payload: { n: `${index}` }, dueAt: DUE },
        ]);
        const lease = { leaseToken: 'w', now: DUE, leaseUntil: LATER };
        await tx.claimJobs({ queue, limit: 1, groupCapacity: () => 1, ...lease });
        const error = 'Error: refused\n\u001b[2Jby 10.0.0.1';
        await tx.failJob(id, 'w', { error, failedAt: new Date(+LATER + index), attempts: 20 });
      }
      const pending = {
        queue: 'other',
        tenantId: 'org_2',
        group: 'org_2',
        payload: {},
        dueAt: DUE,
      };
      await tx.enqueueJobs([{ id: 'job_pending', ...pending }]);
    });
  });
  return location;
}

/** Runs `jobs …` on the database. */
async function jobs(t: TestContext, location: string, ...args: string[]) {
  const program = run(t, ['jobs', ...args, '--database', location]);
  const code = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

async function idsOf(t: TestContext, location: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await jobs(t, location, 'list', '--json', ...args);
  return (JSON.parse(stdout) as Array<{ id: string }>).map(({ id }) => id);
}

for (const empty of emptyDatabases) {
  describe(`jobs on ${empty.name}`, () => {
    it('jobs list prints a line for each job, of one queue or all, pending or failed', async (t) => {
      const location = await createDatabase(t, empty);
      const pending = await jobs(t, location, 'list');
      const due = 'job_pending  other  org_2  0 attempts  due 2026-01-01T00:00:00.000Z';
      assert.deepEqual(pending, { code: 0, stdout: `${due}\n`, stderr: '' });
      const { stdout } = await jobs(t, location, 'list', '--failed', '--queue', 'mail.send');
      const facts = (id: string, ms: number) =>
        `${id}  mail.send  org_1  20 attempts  failed 2026-01-01T00:01:00.00${ms}Z  `;
      const error = 'Error: refused [2Jby 10.0.0.1\n';
      assert.equal(stdout, `${facts('job_1', 1)}${error}${facts('job_0', 0)}${error}`);
      assert.deepEqual(await idsOf(t, location, '--failed'), ['job_2', 'job_1', 'job_0']);
      assert.deepEqual(await idsOf(t, location, '--queue', 'mail.send'), []);
    });

    it('jobs retry makes failed jobs due again, by id or by queue', async (t) => {
      const location = await createDatabase(t, empty);
      const one = await jobs(t, location, 'retry', 'job_1', 'job_none');
      assert.deepEqual([one.code, one.stdout], [1, '1 job is due\n']);
      assert.match(one.stderr, /No failed job has the id job_none/);
      assert.deepEqual(await idsOf(t, location, '--failed'), ['job_2', 'job_0']);
      const rest = await jobs(t, location, 'retry', '--queue', 'other');
      assert.deepEqual(rest, { code: 0, stdout: '1 job is due\n', stderr: '' });
      assert.deepEqual(await idsOf(t, location), ['job_pending', 'job_1', 'job_2']);
    });

    it('jobs retry makes all failed jobs of a queue due, in more than one transaction', async (t) => {
      const location = await createDatabase(t, empty);
      const count = 1_100;
      await withDatabase(location, (database) =>
        database.transaction(async (session) => {
          const tx = database.kernel(session);
          const shared = { queue: 'many', tenantId: 'org_1', group: 'org_1', payload: {} };
          const added = Array.from({ length: count }, (_, index) => `job_many_${index}`);
          await tx.enqueueJobs(added.map((id) => ({ ...shared, id, dueAt: DUE })));
          const lease = { leaseToken: 'w', now: DUE, leaseUntil: LATER };
          await tx.claimJobs({ queue: 'many', limit: count, groupCapacity: () => count, ...lease });
          for (const id of added) {
            await tx.failJob(id, 'w', { error: 'refused', failedAt: LATER, attempts: 20 });
          }
        }),
      );
      const all = await jobs(t, location, 'retry', '--queue', 'many');
      assert.deepEqual(all, { code: 0, stdout: '1100 jobs are due\n', stderr: '' });
      assert.equal((await idsOf(t, location, '--queue', 'many')).length, count);
      assert.deepEqual(await idsOf(t, location, '--failed'), ['job_2', 'job_1', 'job_0']);
    });
  });
}

describe('jobs retry', () => {
  const wrong: ReadonlyArray<readonly [string, readonly string[]]> = [
    ['neither ids nor a queue', []],
    ['both ids and a queue', ['job_1', '--queue', 'other']],
  ];
  for (const [what, args] of wrong) {
    it(`jobs retry refuses ${what}`, async (t) => {
      const { code, stderr } = await jobs(t, 'sqlite:missing.db', 'retry', ...args);
      assert.equal(code, 1);
      assert.match(stderr, /--queue NAME for all failed jobs of a queue/);
    });
  }
});
