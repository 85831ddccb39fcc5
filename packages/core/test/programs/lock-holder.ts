// Holds the write lock of a SQLite file for a while, then commits and ends.
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';

const [path = '', holdMs = '0'] = process.argv.slice(2);
const connection = openSqliteFile(path, 1_000);
connection.exec('BEGIN IMMEDIATE');
process.stdout.write(`${JSON.stringify({ locked: true })}\n`);
setTimeout(() => {
  connection.exec('COMMIT');
  connection.close();
}, Number(holdMs));
