import { silentLogger } from '@probity/core';
import type { DatabaseFlags } from './command-line.ts';
import { readDatabase } from './config.ts';
import type { CommandContext } from './context.ts';
import { openDatabase } from './database.ts';

/** Brings the schema up to date and prints each migration that was applied. */
export async function migrateDatabase(
  flags: DatabaseFlags,
  { env, print }: CommandContext,
): Promise<void> {
  const database = await openDatabase(readDatabase(flags, env), silentLogger, (name) => {
    print(`applied ${name}\n`);
  });
  await database.close();
  print('the schema is up to date\n');
}
