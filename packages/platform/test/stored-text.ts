import { existsSync, readFileSync } from 'node:fs';
import type { PlatformTestDatabase } from '../src/testing/targets.ts';

/** The entire content of the database as text: rows of all tables, or the files of SQLite. */
export async function storedText(opened: PlatformTestDatabase): Promise<string> {
  if (opened.kind === 'memory') {
    const { reader } = opened.database;
    return JSON.stringify(reader.tables().map((table) => reader.table(table).filter(() => true)));
  }
  if (opened.url.startsWith('sqlite:')) {
    const path = opened.url.slice('sqlite:'.length);
    const files = [path, `${path}-wal`].filter((file) => existsSync(file));
    return files.map((file) => readFileSync(file, 'latin1')).join('');
  }
  const { reader } = opened.database;
  const tables = await reader.execute<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = current_schema()',
    [],
  );
  const texts: unknown[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await reader.execute(`select "${name}"::text as text from "${name}"`, []);
    texts.push(...rows);
  }
  return JSON.stringify(texts);
}
