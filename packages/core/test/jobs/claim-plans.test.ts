import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createJobSignal } from '../../src/jobs/signal.ts';
import { createJobWrites } from '../../src/jobs/sql/jobs.ts';
import { onceKysely } from '../../src/sql/kysely-session.ts';
import type { ExecuteSql, SqlSession } from '../../src/sql/session.ts';
import { at, enqueue, newJob } from '../../src/testing/records.ts';
import { sqlTargets } from '../support.ts';

const BACKLOG = 5_000;

/** Rows that a claim of eight may read, remove by a filter, or sort; far below the backlog. */
const ROWS = 200;

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The session, which also keeps the queries that it runs. */
function recording(session: SqlSession, statements: Statement[]): SqlSession {
  const execute: ExecuteSql = (sql, parameters, options) => {
    if (/^\s*(?:select|with)/.test(sql)) statements.push({ sql, parameters });
    return session.execute(sql, parameters, options);
  };
  return { ...session, execute, kysely: onceKysely(session.dialect, execute) };
}

/** Claims eight jobs of a queue and returns its queries. */
async function claimRecorded(session: SqlSession): Promise<Statement[]> {
  const statements: Statement[] = [];
  const writes = createJobWrites(recording(session, statements), createJobSignal());
  const lease = { now: at(10), leaseUntil: at(20), leaseToken: 'w' };
  const groupCapacity = (group: string) => (group === 'full' ? 0 : 8);
  const jobs = await writes.claimJobs({ queue: 'test', limit: 8, groupCapacity, ...lease });
  assert.deepEqual(
    jobs.map(({ tenantId }) => tenantId),
    ['late', 'zeal'],
  );
  return statements;
}

/** The largest number of rows that a part of the plan read, or removed by a filter. */
async function rowsOf(session: SqlSession, { sql, parameters }: Statement): Promise<number> {
  await session.execute('set local jit = on', []);
  const { rows } = await session.execute<{ 'QUERY PLAN': unknown }>(
    `explain (analyze, format json) ${sql}`,
    parameters,
  );
  const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
  assert.ok(!plan.includes('"JIT"'), `is compiled at each run: ${sql}`);
  const counts = plan.matchAll(/"(?:Actual Rows|Rows Removed by [^"]+)":(\d+)/g);
  return Math.max(...[...counts].map(([, count]) => Number(count)));
}

async function requireFewRows(session: SqlSession, statements: readonly Statement[]) {
  for (const statement of statements) {
    if (session.dialect === 'postgres') {
      const rows = await rowsOf(session, statement);
      assert.ok(rows >= 0 && rows <= ROWS, `${rows} rows: ${statement.sql}`);
      continue;
    }
    const { sql, parameters } = statement;
    const plan = await session.execute<{ detail: string }>(`explain query plan ${sql}`, parameters);
    const details = plan.rows.map(({ detail }) => detail).join('\n');
    assert.doesNotMatch(details, /SCAN (?:probity_jobs|probity_job_groups|rules)|TEMP B-TREE/, sql);
    assert.match(details, /probity_jobs_(?:due|tenant|lane) \(queue=\?/);
  }
}

/** Rules of groups whose first job is claimed and whose others wait. */
const SHUT = {
  'a group whose limit is used up': { startsPerSecond: 1, isOrdered: false },
  'an ordered group whose first job is in progress': { startsPerSecond: null, isOrdered: true },
};

for (const target of sqlTargets) {
  describe(`${target.name}: claims from a backlog`, () => {
    for (const [name, rule] of Object.entries(SHUT)) {
      test(`a claim reads a number of rows that does not depend on the backlog of ${name}`, async (t) => {
        const opened = await target.open();
        t.after(opened.dispose);
        assert.ok(opened.kind === 'sql');
        const { database } = opened;
        const backlog = Array.from({ length: BACKLOG }, () =>
          newJob({ tenantId: 'greedy', group: 'limited', dueAt: at(-5_000) }),
        );
        const others = ['late', 'zeal'].map((tenantId) => newJob({ tenantId, dueAt: at(5) }));
        await enqueue(database, ...backlog, ...others);
        await database.transaction(async (session) => {
          const kernel = database.kernel(session);
          for (let index = 0; index < 1_000; index += 1) {
            const group = { queue: 'test', tenantId: `t${index}`, group: 'g' };
            await kernel.ensureTenant(group.tenantId);
            await kernel.setJobGroup(group, rule);
          }
          await kernel.ensureTenant('greedy');
          await kernel.setJobGroup({ queue: 'test', tenantId: 'greedy', group: 'limited' }, rule);
          await session.execute('analyze probity_jobs', []);
          await session.execute('analyze probity_job_groups', []);
          const lease = { now: at(0), leaseUntil: at(86_400_000), leaseToken: 'first' };
          const first = { queue: 'test', limit: 1, groupCapacity: () => 8, ...lease };
          assert.equal((await kernel.claimJobs(first)).length, 1);
          await requireFewRows(session, await claimRecorded(session));
        });
      });
    }

    test('the next job of an ordered group is found behind older jobs of other groups', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const { database } = opened;
      const jobsOf = (group: string, ms: number) =>
        Array.from({ length: BACKLOG }, (_, index) =>
          newJob({ tenantId: 'greedy', group, dueAt: at(ms + index) }),
        );
      await enqueue(database, ...jobsOf('full', -50_000), ...jobsOf('ordered', -10_000));
      await database.transaction(async (session) => {
        const kernel = database.kernel(session);
        await kernel.ensureTenant('greedy');
        const group = { queue: 'test', tenantId: 'greedy', group: 'ordered' };
        await kernel.setJobGroup(group, { startsPerSecond: null, isOrdered: true });
        await session.execute('analyze probity_jobs', []);
        const statements: Statement[] = [];
        const writes = createJobWrites(recording(session, statements), createJobSignal());
        const lease = { now: at(10), leaseUntil: at(20), leaseToken: 'w' };
        const groupCapacity = (name: string) => (name === 'full' ? 0 : 8);
        const jobs = await writes.claimJobs({ queue: 'test', limit: 8, groupCapacity, ...lease });
        assert.deepEqual(
          jobs.map(({ dueAt, group: name }) => [name, dueAt]),
          [['ordered', at(20)]],
        );
        const ofGroup = statements.filter(({ sql }) => sql.includes('coalesce(event_id'));
        assert.equal(ofGroup.length, 1);
        if (session.dialect === 'postgres') await requireFewRows(session, ofGroup);
      });
    });

    test('a claim reads a number of rows that does not depend on the backlog of a full group', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const { database } = opened;
      const backlog = Array.from({ length: BACKLOG }, () =>
        newJob({ tenantId: 'greedy', group: 'full' }),
      );
      const others = ['late', 'zeal'].map((tenantId) => newJob({ tenantId, dueAt: at(5) }));
      await enqueue(database, ...backlog, ...others);
      await database.transaction(async (session) => {
        // Without statistics the planner of PostgreSQL does not know how large the group is.
        await session.execute('analyze probity_jobs', []);
        const statements = await claimRecorded(session);
        assert.equal(statements.length > 1, true);
        await requireFewRows(session, statements);
      });
    });
  });
}
