import type { CapabilityDefinition } from '@probity/core';
import { isSqlDatabase, requireKnownOptions } from '@probity/core/internal';
import type { Pipeline, Policy } from '@probity/pipeline';
import { createPipeline } from '@probity/pipeline';
import type { Governance } from './governance.ts';
import { createMemoryGovernanceStorage } from './memory.ts';
import type { GovernanceStorage } from './storage.ts';

/** Options of {@link governance}. */
export interface GovernanceSettings {
  /** Default: every built-in stage, without back ends. */
  readonly pipeline?: Pipeline | undefined;
  /** The policies that every organization starts with; default the built-in one. */
  readonly policies?: readonly Policy[] | undefined;
  /** A storage of the host; default: on the database of Probity. */
  readonly storage?: GovernanceStorage | undefined;
  /** Path prefix of the endpoints below the mount; default none. */
  readonly prefix?: string | undefined;
}

/** Scans, policies and alerts, for `createProbity`. */
export function governance(
  settings: GovernanceSettings = {},
): CapabilityDefinition<'governance', Governance> {
  requireKnownOptions('governance', settings, ['pipeline', 'policies', 'storage', 'prefix']);
  const { pipeline = createPipeline(), policies, prefix = '', storage } = settings;
  return {
    name: 'governance',
    migrations: async () => (await import('./migrations.ts')).governanceMigrations,
    async create(runtime) {
      const { createGovernanceCapability } = await import('./capability.ts');
      return createGovernanceCapability(runtime, {
        storage: storage ?? (await createStorage(runtime.database)),
        pipeline,
        policies,
        prefix,
      });
    },
  };
}

async function createStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<GovernanceStorage> {
  if (!isSqlDatabase(database)) return createMemoryGovernanceStorage(database as never);
  const { createSqlGovernanceStorage } = await import('./sql.ts');
  return createSqlGovernanceStorage(database);
}
