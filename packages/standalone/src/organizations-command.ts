import { createRuntime } from '@probity/core';
import { clearAllowlist } from '@probity/platform';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import type { DatabaseFlags } from './command-line.ts';
import { readKeyConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { findServerSecretBox } from './encryption-key.ts';

/**
 * Empties the IP allowlist of an organization and prints what was on it.
 * @throws ProbityError `not_found`
 */
export function clearIpAllowlist(
  organizationId: string,
  flags: DatabaseFlags,
  { env, print }: CommandContext,
): Promise<void> {
  const config = readKeyConfig(flags, env);
  return withExistingDatabase(config.database, async (database) => {
    const storage = createSqlPlatformStorage(database);
    const runtime = createRuntime({
      database,
      secretBox: await findServerSecretBox(config, database),
    });
    const command = 'organizations clear-allowlist';
    const networks = await clearAllowlist(runtime, { storage }, organizationId, command);
    const was =
      networks.length > 0 ? `is empty; it had ${networks.join(', ')}` : 'was empty already';
    print(`the IP allowlist of ${organizationId} ${was}\n`);
  });
}
