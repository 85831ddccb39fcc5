import { backupSqlite, pgDumpCommand } from '@probity/core/sql';
import type { DatabaseFlags } from './command-line.ts';
import { readDatabase } from './config.ts';
import type { CommandContext } from './context.ts';
import { requireExisting } from './database.ts';
import { StartFailure } from './failure.ts';

/**
 * Copies the SQLite database to a new file while servers run, and says what belongs to it.
 * @throws StartFailure on PostgreSQL, whose own tool it names, and when it was interrupted
 */
export async function backup(
  file: string,
  flags: DatabaseFlags,
  { env, print, tell, stopSignal }: CommandContext,
): Promise<void> {
  const location = readDatabase(flags, env);
  if (location.kind === 'postgres') {
    const command = pgDumpCommand(location.url, file);
    throw new StartFailure(`PostgreSQL has its own tool, which asks for the password: ${command}`);
  }
  requireExisting(location);
  let isCanceled = false;
  void stopSignal().then(() => {
    isCanceled = true;
  });
  const { path } = location;
  const bytes = await backupSqlite({ path, target: file, isCanceled: () => isCanceled });
  if (bytes === null) throw new StartFailure('The backup was interrupted; nothing was written');
  const key = env.PROBITY_ENCRYPTION_KEY?.trim() ? 'PROBITY_ENCRYPTION_KEY' : `${path}.key`;
  print(`${path} was copied to ${file}, ${bytes} bytes\n`);
  tell(`The backup does not contain the encryption key: keep a copy of ${key} separately.\n`);
}
