import {
  coreRetentionRules,
  createLogger,
  createRetention,
  type Logger,
  type Retention,
  signInRetentionRules,
  systemClock,
} from '@probity/core';
import { createSqlSignInStorage, createSqlUsageStorage, type SqlDatabase } from '@probity/core/sql';
import { governanceRetentionRules } from '@probity/governance';
import { createSqlGovernanceStorage } from '@probity/governance/sql';
import { type Environment, readDatabase, type ServerFlags } from './config.ts';
import { withExistingDatabase } from './database.ts';

/** The retention rules of all packages on one database. */
export function createServerRetention(database: SqlDatabase, logger: Logger): Retention {
  const usageStorage = createSqlUsageStorage(database);
  const rules = [
    ...coreRetentionRules({ database, usageStorage, logger }),
    ...signInRetentionRules(createSqlSignInStorage(database)),
    ...governanceRetentionRules(createSqlGovernanceStorage(database)),
  ];
  return createRetention({ rules, clock: systemClock });
}

/** Applies every rule once and prints one line of JSON: how many records went, by rule. */
export function runRetention(
  flags: Pick<ServerFlags, 'database'>,
  env: Environment,
): Promise<void> {
  return withExistingDatabase(readDatabase(flags, env), async (database) => {
    const logger = createLogger({ write: (line) => process.stderr.write(line) });
    const removed = await createServerRetention(database, logger).run();
    process.stdout.write(`${JSON.stringify(removed)}\n`);
  });
}
