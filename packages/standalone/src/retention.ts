import {
  createLogger,
  createRetention,
  type Logger,
  type Retention,
  systemClock,
} from '@probity/core';
import { coreRetentionRules } from '@probity/core/internal';
import type { SqlDatabase } from '@probity/core/sql';
import { governanceRetentionRules } from '@probity/governance';
import { createSqlGovernanceStorage } from '@probity/governance/sql';
import { signInRetentionRules, usageRetentionRules } from '@probity/platform';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import type { DatabaseFlags, Environment } from './command-line.ts';
import { readDatabase } from './config.ts';
import { withExistingDatabase } from './database.ts';

/** The retention rules of all packages on one database. */
export function createServerRetention(database: SqlDatabase, logger: Logger): Retention {
  const storage = createSqlPlatformStorage(database);
  const rules = [
    ...coreRetentionRules({ database, logger }),
    ...usageRetentionRules(storage),
    ...signInRetentionRules(storage),
    ...governanceRetentionRules(createSqlGovernanceStorage(database)),
  ];
  return createRetention({ rules, clock: systemClock });
}

/** Applies every rule once and prints one line of JSON: how many records went, by rule. */
export function runRetention(flags: DatabaseFlags, env: Environment): Promise<void> {
  return withExistingDatabase(readDatabase(flags, env), async (database) => {
    const logger = createLogger({ write: (line) => process.stderr.write(line) });
    const removed = await createServerRetention(database, logger).run();
    process.stdout.write(`${JSON.stringify(removed)}\n`);
  });
}
