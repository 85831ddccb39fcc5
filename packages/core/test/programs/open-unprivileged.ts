// Opens a SQLite file as the user `nobody` (or as is, when it is not root) and prints the error.
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';

// Loads the native part while its folder can still be read.
openSqliteFile(':memory:', 0).close();
if (process.getuid?.() === 0) process.setuid?.(65_534);
let message = 'opened';
try {
  await createSqliteDatabase({ path: process.argv[2] ?? '' }).close();
} catch (error) {
  message = (error as Error).message;
}
process.stdout.write(`${JSON.stringify({ message })}\n`);
