import { createRuntime } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { coreMigrations, migrate } from '@probity/core/sql';
import type { Governance } from '@probity/governance';
import { createGovernance } from '@probity/governance';
import { createSqlGovernanceStorages, governanceMigrations } from '@probity/governance/sql';
import { createPipeline } from '@probity/pipeline';
import { hostMigrations } from './host.ts';

/** Brings the tables up to date, the host's and Probity's, and creates Probity's services. */
export async function openGovernance(database: SqlDatabase): Promise<Governance> {
  await migrate(database, [...hostMigrations, ...coreMigrations, ...governanceMigrations]);
  return createGovernance(createRuntime({ database }), {
    ...createSqlGovernanceStorages(database),
    pipeline: createPipeline(),
  });
}
