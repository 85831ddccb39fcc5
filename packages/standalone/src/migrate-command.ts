import { silentLogger } from '@probity/core';
import type { MigrationProgress } from '@probity/core/sql';
import type { DatabaseFlags } from './command-line.ts';
import { readDatabase } from './config.ts';
import type { CommandContext } from './context.ts';
import { openDatabase } from './database.ts';

/** Brings the schema up to date and prints each migration that was applied. */
export async function migrateDatabase(
  flags: DatabaseFlags,
  { env, print }: CommandContext,
): Promise<void> {
  const database = await openDatabase(readDatabase(flags, env), silentLogger, {
    onApplied: (name) => print(`applied ${name}\n`),
    onProgress: (progress) => print(`${describeProgress(progress)}\n`),
  });
  await database.close();
  print('the schema is up to date\n');
}

function describeProgress(progress: MigrationProgress): string {
  const { migration, number, count, elapsedMs, rows, waitsFor } = progress;
  const parts = [
    `applying ${migration} (${number} of ${count}) for ${Math.round(elapsedMs / 1_000)} s`,
  ];
  if (rows) parts.push(`${rows.done} of ${rows.total} rows`);
  if (waitsFor !== undefined) parts.push(`waits: ${waitsFor}`);
  return parts.join(', ');
}
