import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SqlDatabase } from '@probity/core/sql';
import { tableNames, withDatabase } from './open-database.ts';

const SQLITE = 'sqlite:';

/** The full content of the database, as a thief would read it. */
export async function contentOf(location: string): Promise<string> {
  return location.startsWith(SQLITE)
    ? filesIn(dirname(location.slice(SQLITE.length))).join('\n')
    : withDatabase(location, tablesAsText);
}

/** The files below a folder, each byte as one character. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
}

/** The number of rows of each table. */
export function countRows(location: string): Promise<Map<string, number>> {
  return withDatabase(location, async (database) => {
    const counts = new Map<string, number>();
    for (const table of await tableNames(database)) {
      const sql = `select count(*) as n from "${table}"`;
      const { rows } = await database.reader.execute<{ n: number }>(sql, []);
      counts.set(table, Number(rows[0]?.n));
    }
    return counts;
  });
}

async function tablesAsText(database: SqlDatabase): Promise<string> {
  const dumps: string[] = [];
  for (const table of await tableNames(database)) {
    const { rows } = await database.reader.execute(`select * from "${table}"`, []);
    dumps.push(JSON.stringify(rows));
  }
  return dumps.join('\n');
}
