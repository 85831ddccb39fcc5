import type { SqlDatabase } from '../../src/sql/database.ts';
import type { Migration } from '../../src/sql/migration.ts';

/** Counts in each row how often it was rewritten. */
export const fill: Migration = {
  name: 'test/0002_fill',
  slices: { table: 'items', key: 'id', statement: 'update items set runs = runs + 1 where :rows' },
};

/** Creates the table of {@link fill} with this many rows. */
export async function createItems(database: SqlDatabase, count: number): Promise<void> {
  await database.transaction(async ({ execute }) => {
    await execute('create table items (id text primary key, runs integer not null)', []);
    await execute(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
        insert into items select 'itm_' || n, 0 from numbers`,
      [],
    );
  });
}

/** How often rows were rewritten, and how many rows that is. */
export async function countRuns({ reader }: SqlDatabase): Promise<Record<number, number>> {
  const { rows } = await reader.execute<{ runs: number; count: number }>(
    'select runs, count(*) as count from items group by runs order by runs',
    [],
  );
  return Object.fromEntries(rows.map(({ runs, count }) => [runs, count]));
}
