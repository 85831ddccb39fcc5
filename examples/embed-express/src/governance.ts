import { createIds, systemClock } from '@probity/core';
import { coreMigrations, migrate, type SqlDatabase } from '@probity/core/sql';
import { type Alerts, createAlerts, createGovernance, type Governance } from '@probity/governance';
import { createSqlGovernanceStorage, governanceMigrations } from '@probity/governance/sql';
import { createPipeline } from '@probity/pipeline';
import { hostMigrations } from './host.ts';

/** Brings the tables up to date, the host's and Probity's, and creates Probity's services. */
export async function openGovernance(
  database: SqlDatabase,
): Promise<{ governance: Governance; alerts: Alerts }> {
  await migrate(database, [...hostMigrations, ...coreMigrations, ...governanceMigrations]);
  const storage = createSqlGovernanceStorage(database);
  const tools = { storage, pipeline: createPipeline(), ids: createIds(), clock: systemClock };
  return { governance: createGovernance(tools), alerts: createAlerts(tools) };
}
