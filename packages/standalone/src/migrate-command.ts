import { silentLogger } from '@probity/core';
import type { DatabaseFlags, Environment } from './command-line.ts';
import { readDatabase } from './config.ts';
import { openDatabase } from './database.ts';

/** Brings the schema up to date and prints each migration that was applied. */
export async function migrateDatabase(flags: DatabaseFlags, env: Environment): Promise<void> {
  const database = await openDatabase(readDatabase(flags, env), silentLogger, (name) => {
    process.stdout.write(`applied ${name}\n`);
  });
  await database.close();
  process.stdout.write('the schema is up to date\n');
}
