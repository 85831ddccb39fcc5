import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { JobRow, JobTables } from '../../src/jobs/sql/rows.ts';
import { insertMany } from '../../src/sql/insert-many.ts';
import { countGroups, equalityPaths, pageOfPaths, WALKED_ROWS } from '../../src/sql/list-paths.ts';
import { recordStatements } from '../../src/testing/sql/recorded-statements.ts';
import { sqlTargets } from '../support.ts';

/** Each queue has more than two slices. */
const COUNT = 5 * WALKED_ROWS;
const RARE = 7_001;

function jobRow(index: number): JobRow {
  return {
    id: `job_${String(index).padStart(6, '0')}`,
    queue: index % 2 === 0 ? 'even' : 'odd',
    tenant_id: index === RARE ? 'rare' : '',
    group_key: index % 4 === 0 ? 'fourth' : 'other',
    payload: '{}',
    due_at: Math.floor(index / 7),
    lease_token: null,
    attempts: index % 3,
    last_error: null,
    event_id: null,
  };
}

const rows = Array.from({ length: COUNT }, (_, index) => jobRow(index)).toReversed();

interface Filter {
  readonly queue?: string;
  readonly group_key?: string;
  readonly tenant_id?: string;
  readonly attempts?: number;
  readonly since?: number;
  readonly until?: number;
}

const filters: Readonly<Record<string, Filter>> = {
  'all rows': {},
  'one condition': { queue: 'even' },
  'a condition that is only compared': { attempts: 1 },
  'two conditions that match': { queue: 'even', group_key: 'fourth' },
  'two conditions that never match together': { queue: 'odd', group_key: 'fourth' },
  'a rare condition': { queue: 'odd', group_key: 'other', tenant_id: 'rare' },
  'a value that no row has': { queue: 'odd', tenant_id: 'none', attempts: 2 },
  'one condition from a time to another': { queue: 'even', since: 500, until: 3_000 },
  'two conditions from a time on': { queue: 'even', group_key: 'fourth', since: 100 },
  'two conditions before a time': { queue: 'even', group_key: 'fourth', until: 2_900 },
  'equality and a comparison': { queue: 'even', attempts: 2 },
};

for (const target of sqlTargets) {
  describe(`${target.name}: lists with several conditions`, () => {
    test('pages and totals count exactly the rows that meet all conditions', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      await opened.database.transaction((session) => insertMany(session, 'probity_jobs', rows));
      let statements = 0;
      const { reader } = recordStatements(opened.database, () => {
        statements += 1;
      });
      const newest = reader
        .kysely<JobTables>()
        .selectFrom('probity_jobs')
        .selectAll()
        .orderBy('due_at', 'desc')
        .orderBy('id', 'desc');
      for (const [name, { attempts, since, until, ...conditions }] of Object.entries(filters)) {
        const others = attempts === undefined ? undefined : sql<boolean>`attempts = ${attempts}`;
        const expected = rows
          .filter((row) => attempts === undefined || row.attempts === attempts)
          .filter(({ due_at: dueAt }) => dueAt >= (since ?? 0) && dueAt < (until ?? COUNT))
          .filter((row) =>
            Object.entries(conditions).every(([key, value]) => row[key as 'queue'] === value),
          )
          .map(({ id }) => id);
        const times = {
          ...(since !== undefined && { since: new Date(since) }),
          ...(until !== undefined && { until: new Date(until) }),
        };
        for (const offset of [0, 2, 4_999, Math.max(expected.length - 1, 0), COUNT]) {
          const paths = equalityPaths(newest, conditions, { others, times });
          const { items, total } = await pageOfPaths(paths, { limit: 3, offset }, ({ id }) => id);
          assert.deepEqual(items, expected.slice(offset, offset + 3), `${name}, ${offset}`);
          assert.equal(total, expected.length, name);
        }
        const groups = new Map<unknown, number>();
        const paths = equalityPaths(newest, conditions, { others, times });
        await countGroups(paths, { tries: sql.ref('attempts') }, ({ key, count }) =>
          groups.set(key.tries, (groups.get(key.tries) ?? 0) + count),
        );
        const counted = [...groups.values()].reduce((sum, count) => sum + count, 0);
        assert.equal(counted, expected.length, name);
        if (attempts !== undefined && counted > 0) assert.deepEqual([...groups.keys()], [attempts]);
      }
      statements = 0;
      const rare = equalityPaths(newest, { queue: 'odd', tenant_id: 'rare', group_key: 'other' });
      await pageOfPaths(rare, { limit: 3, offset: 0 }, ({ id }) => id);
      // Two to find the rare condition, and for the end, the number and the page of its only slice.
      assert.equal(statements, 5);
    });
  });
}
