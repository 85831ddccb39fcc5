import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { silentLogger, systemClock } from '@probity/core';
import { auditMigrations } from '../audit/migrations.ts';
import { createSqlAuditStore } from '../audit/sql.ts';
import { formatIssue } from '../config/issues.ts';
import { readConfig } from '../config/read-config.ts';
import { createGatewayDatabase } from '../database/gateway-database.ts';
import { databaseOf } from '../database/location.ts';
import type { ProgramContext } from './context.ts';
import { UsageError } from './context.ts';
import { readConfigFile } from './read-file.ts';

const NO_METRICS = { count() {}, observe() {}, gauge() {} };

/**
 * `audit verify`: walks the hash chain of the acts in the audit table of a configuration. A gateway may serve meanwhile.
 *
 * @returns 0 where the chain is intact, else 1
 * @throws UsageError where the configuration is invalid, or there is no database file
 */
export async function verifyAudit(file: string, { env, out, err }: ProgramContext): Promise<0 | 1> {
  const { config, issues } = await readConfig(readConfigFile(file), env, dirname(file));
  if (config === undefined) {
    for (const issue of issues) err(`${formatIssue(file, issue)}\n`);
    return 1;
  }
  const location = databaseOf(file, env);
  if (location.kind === 'sqlite' && !existsSync(location.path)) {
    throw new UsageError(`there is no database file ${location.path}`);
  }
  const { audit, database: settings } = config;
  const database = createGatewayDatabase({
    ...{ location, settings, migrations: auditMigrations(audit.table_name) },
    ...{ clock: systemClock, logger: silentLogger, metrics: NO_METRICS },
  });
  try {
    const { links, fault } = await createSqlAuditStore(database, audit.table_name).verify();
    if (fault === null) {
      out(`${audit.table_name}: ${links} acts, intact\n`);
      return 0;
    }
    const { sequence, reason } = fault;
    out(
      `${audit.table_name}: ${links} acts are intact; the one with sequence ${sequence}: ${reason}\n`,
    );
    return 1;
  } finally {
    await database.close();
  }
}
