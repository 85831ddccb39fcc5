// Adds entries to a SQLite file, each in a transaction that first reads, then ends.
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';

const [path = '', count = '0'] = process.argv.slice(2);
const database = createSqliteDatabase({ path, busyTimeoutMs: 120_000 });
for (let index = 0; index < Number(count); index += 1) {
  await database.transaction(async ({ execute }) => {
    await execute('select count(*) as n from entries', []);
    await execute('insert into entries (text) values (?)', [String(index)]);
  });
}
await database.close();
process.stdout.write(`${JSON.stringify({ done: true })}\n`);
