import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobRow } from '../../src/jobs/sql/rows.ts';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { insertMany } from '../../src/sql/insert-many.ts';
import type { ExecuteOptions, ExecuteSql, SqlSession } from '../../src/sql/session.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
import { sqlTargets } from '../support.ts';

interface Statement {
  readonly sql: string;
  readonly parameters: number;
  readonly options: ExecuteOptions | undefined;
}

function jobRow(index: number): JobRow {
  return {
    id: `job_${String(index).padStart(6, '0')}`,
    queue: 'test',
    tenant_id: '',
    group_key: `"group" ${index % 3}`,
    payload: '{"text":"grün ✓"}',
    due_at: index,
    lease_token: null,
    attempts: 0,
    last_error: null,
    event_id: null,
  };
}

function jobRows(count: number): JobRow[] {
  return Array.from({ length: count }, (_, index) => jobRow(index));
}

/** The session, which also keeps what is executed. */
function recording(session: SqlSession, statements: Statement[]): SqlSession {
  const execute: ExecuteSql = (sql, parameters, options) => {
    statements.push({ sql, parameters: parameters.length, options });
    return session.execute(sql, parameters, options);
  };
  return { ...session, execute };
}

async function withSql(
  target: DatabaseTarget,
  work: (database: SqlDatabase) => Promise<void>,
): Promise<void> {
  const opened = await target.open();
  try {
    assert.ok(opened.kind === 'sql');
    await work(opened.database);
  } finally {
    await opened.dispose();
  }
}

async function allRows({ reader }: SqlDatabase): Promise<JobRow[]> {
  return (await reader.execute<JobRow>('select * from probity_jobs order by id', [])).rows;
}

for (const target of sqlTargets) {
  describe(`${target.name}: insertMany`, () => {
    test('5,000 rows are inserted as they are, with as few statements as parameters allow', () =>
      withSql(target, async (database) => {
        const statements: Statement[] = [];
        const rows = jobRows(5_000);
        const answered = await database.transaction((session) =>
          insertMany(recording(session, statements), 'probity_jobs', rows),
        );
        assert.deepEqual(answered, []);
        assert.deepEqual(await allRows(database), rows);
        const expected = target.name === 'sqlite' ? [32_760, 17_240] : [50_000];
        assert.deepEqual(
          statements.map(({ parameters }) => parameters),
          expected,
        );
        assert.ok(statements.every(({ options }) => options?.keep === false && !options.name));
      }));

    test('20,000 rows take several statements, and none of them is kept when a later one fails', () =>
      withSql(target, async (database) => {
        const rows = [...jobRows(20_000), jobRow(0)];
        const statements: Statement[] = [];
        const failing = database.transaction((session) =>
          insertMany(recording(session, statements), 'probity_jobs', rows),
        );
        await assert.rejects(failing, /unique/i);
        assert.ok(statements.length > 1);
        assert.deepEqual(await allRows(database), []);
      }));

    test('insertMany without rows runs no statement', () =>
      withSql(target, async (database) => {
        const statements: Statement[] = [];
        const options = { onConflictDoNothing: ['id'], returning: ['id'] } as const;
        const answered = await database.transaction((session) =>
          insertMany<JobRow, 'id'>(recording(session, statements), 'probity_jobs', [], options),
        );
        assert.deepEqual([answered, statements], [[], []]);
      }));

    test('insertMany skips existing and duplicate rows and does not return them', () =>
      withSql(target, async (database) => {
        const options = { onConflictDoNothing: ['id'], returning: ['id', 'due_at'] } as const;
        await database.transaction((session) =>
          insertMany(session, 'probity_jobs', jobRows(2_000)),
        );
        const again = [...jobRows(5_000), jobRow(4_999)].map((row) => ({ ...row, queue: 'again' }));
        const answered = await database.transaction((session) =>
          insertMany(session, 'probity_jobs', again, options),
        );
        const expected = jobRows(5_000).slice(2_000);
        assert.deepEqual(
          answered.sort((left, right) => left.due_at - right.due_at),
          expected.map(({ id, due_at }) => ({ id, due_at })),
        );
        const stored = await allRows(database);
        const ofFirst = stored.filter(({ queue }) => queue === 'test');
        assert.deepEqual([stored.length, ofFirst.length], [5_000, 2_000]);
      }));

    test('insertMany of few rows runs a statement that stays prepared', () =>
      withSql(target, async (database) => {
        const statements: Statement[] = [];
        await database.transaction(async (session) => {
          await insertMany(recording(session, statements), 'probity_jobs', [jobRow(0)]);
          await insertMany(recording(session, statements), 'probity_jobs', [jobRow(1)]);
        });
        const names = statements.map(({ options }) => options?.name);
        assert.equal(names.length, 2);
        assert.ok(names[0] !== undefined && names[0] === names[1]);
      }));

    test('insertMany rejects a row that lacks a column of the first before inserting anything', () =>
      withSql(target, async (database) => {
        const { payload: _, ...incomplete } = jobRow(1);
        const refused = database.transaction((session) =>
          insertMany(session, 'probity_jobs', [jobRow(0), incomplete as JobRow]),
        );
        await assert.rejects(refused, { name: 'TypeError', message: /jobs has no .*payload/ });
        assert.deepEqual(await allRows(database), []);
      }));

    test('enqueueing one job runs the one prepared statement, and 5,000 jobs a few long ones', () =>
      withSql(target, async (database) => {
        const statements: Statement[] = [];
        const jobs = jobRows(5_000).map(({ id }) => ({
          ...{ id, queue: 'test', tenantId: null, group: 'g', payload: {} },
          dueAt: new Date(0),
        }));
        await database.transaction(async (session) => {
          const { enqueueJobs } = database.kernel(recording(session, statements));
          await enqueueJobs(jobs.slice(0, 1));
          await enqueueJobs(jobs.slice(1));
          await enqueueJobs([]);
        });
        assert.ok(statements[0]?.options?.name !== undefined);
        assert.equal(statements.length, target.name === 'sqlite' ? 3 : 2);
        assert.equal((await allRows(database)).length, 5_000);
      }));
  });
}
