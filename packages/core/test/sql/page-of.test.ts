import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobRow, JobTables } from '../../src/jobs/sql/rows.ts';
import { insertMany } from '../../src/sql/insert-many.ts';
import { pageOf, SLICE_ROWS } from '../../src/sql/page-of.ts';
import { sqlTargets } from '../support.ts';

/** More than two slices, with many equal due times. */
const COUNT = 2 * SLICE_ROWS + 5_000;

function jobRow(index: number): JobRow {
  return {
    id: `job_${String(index).padStart(6, '0')}`,
    queue: index % 10 === 0 ? 'tenth' : 'other',
    tenant_id: '',
    group_key: '',
    payload: '{}',
    due_at: Math.floor(index / 7),
    lease_token: null,
    attempts: 0,
    last_error: null,
    event_id: null,
  };
}

const rows = Array.from({ length: COUNT }, (_, index) => jobRow(index));
const ids = rows.map(({ id }) => id);

for (const target of sqlTargets) {
  describe(`${target.name}: pages of long lists`, () => {
    test('each page and the total are those of one statement, and other work runs between the slices', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const { database } = opened;
      await database.transaction((session) => insertMany(session, 'probity_jobs', rows));
      const jobs = database.reader.kysely<JobTables>().selectFrom('probity_jobs').selectAll();
      const list = async (query: typeof jobs, offset: number, limit = 3) => {
        const page = await pageOf(query, { limit, offset }, ({ id }) => id);
        return [page.items, page.total];
      };
      const oldest = jobs.orderBy('due_at').orderBy('id');
      const newest = jobs.orderBy('due_at', 'desc').orderBy('id', 'desc');
      const reversed = ids.toReversed();
      const offsets = [
        0,
        1,
        SLICE_ROWS - 2,
        SLICE_ROWS,
        2 * SLICE_ROWS + 17,
        COUNT - 1,
        COUNT,
        1e15,
      ];
      for (const offset of offsets) {
        const expected = (of: readonly string[]) => [of.slice(offset, offset + 3), COUNT];
        assert.deepEqual(await list(oldest, offset), expected(ids), `${offset}`);
        assert.deepEqual(await list(newest, offset), expected(reversed), `${offset}`);
      }
      const tenth = ids.filter((_, index) => index % 10 === 0);
      const filtered = newest.where('queue', '=', 'tenth');
      for (const offset of [0, 4_000, tenth.length - 2, tenth.length + 1]) {
        const expected = [tenth.toReversed().slice(offset, offset + 3), tenth.length];
        assert.deepEqual(await list(filtered, offset), expected);
      }
      let turns = 0;
      let isOver = false;
      const turn = () => {
        turns += 1;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      await list(newest, 0);
      isOver = true;
      assert.ok(turns >= 2, `${turns} turns`);
    });
  });
}
