import { createLogger, createRuntime, createSecretBox, systemRandom } from '@probity/core';
import { createProgramRetention } from '@probity/core/program';
import { configuredBaseUrl } from './base-url.ts';
import { createCapabilities } from './capabilities.ts';
import type { DatabaseFlags } from './command-line.ts';
import { readConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { findServerSecretBox } from './encryption-key.ts';

/** Applies every rule once and prints one line of JSON: how many records went, by rule. */
export function runRetention(flags: DatabaseFlags, context: CommandContext): Promise<void> {
  const { env, print, tell } = context;
  const config = readConfig(flags, env);
  return withExistingDatabase(config.database, async (database) => {
    const logger = createLogger({ write: tell });
    // Without the database's key everything is removed but the entries of sealed audit logs.
    const secretBox =
      (await findServerSecretBox(config, database)) ?? createSecretBox([systemRandom(32)]);
    const runtime = createRuntime({ database, logger, secretBox });
    const baseUrl = () => configuredBaseUrl(config);
    const { all } = createCapabilities({ runtime, database, config, baseUrl });
    const removed = await createProgramRetention(runtime, all, config.retention).run();
    print(`${JSON.stringify(removed)}\n`);
  });
}
