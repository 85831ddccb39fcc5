import type { CapabilityDefinition } from '@probity/core';
import {
  isSqlDatabase,
  requireFunctions,
  requireKnownOptions,
  requirePath,
} from '@probity/core/internal';
import type { Pipeline, Policy, StageConfig, StageValue } from '@probity/pipeline';
import { createPipeline, parsePolicies } from '@probity/pipeline';
import type { Governance } from './governance.ts';
import { createMemoryGovernanceStorage } from './memory.ts';
import { createMemoryPolicyStorage } from './policies/memory.ts';
import type { PolicyStorage } from './policies/storage.ts';
import { createMemoryProtectedTextStorage } from './protected-texts/memory.ts';
import type { ProtectedTextStorage } from './protected-texts/storage.ts';
import type { KnowledgeSource } from './scans/material.ts';
import type { GovernanceStorage } from './storage.ts';

/** Options of {@link governance}. */
export interface GovernanceSettings {
  /** The stages of the scans and their options; default: every built-in stage that needs none. */
  readonly stages?: readonly (StageConfig | StageValue)[] | undefined;
  /** A pipeline made by the host, such as one with back ends, in place of `stages`. */
  readonly pipeline?: Pipeline | undefined;
  /** The policies that every organization starts with; default the built-in one. */
  readonly policies?: readonly Policy[] | undefined;
  /** A storage of the host for scans and alerts; default: on the database of Probity, as policies always are. */
  readonly storage?: GovernanceStorage | undefined;
  /**
   * The statements that organizations take for true, for the truth stages: a search of `@probity/knowledge`, or your
   * own. Default: those of the options of the stages.
   */
  readonly knowledge?: KnowledgeSource | undefined;
  /** Path prefix of the endpoints below the mount; default none. */
  readonly prefix?: string | undefined;
}

const SETTINGS = ['stages', 'pipeline', 'policies', 'storage', 'knowledge', 'prefix'];

/** What a storage of the host must have; see {@link GovernanceStorage}. */
const STORAGE = [
  'findScan',
  'listScans',
  'readJudgedScans',
  'findAlert',
  'listAlerts',
  'transaction',
];

/**
 * Scans, policies and alerts, for `createProbity`.
 * @throws TypeError that names the setting at fault
 * @throws PipelineConfigError that names the member of a policy or a stage at fault
 */
export function governance(
  settings: GovernanceSettings = {},
): CapabilityDefinition<'governance', Governance> {
  requireKnownOptions('governance', settings, SETTINGS);
  const { stages, prefix = '', storage, knowledge } = settings;
  if (settings.pipeline && stages) {
    throw new TypeError(
      'governance: pipeline has its own stages; give one of stages and pipeline.',
    );
  }
  const pipeline = settings.pipeline ?? createPipeline(stages && { stages });
  requireFunctions('governance: pipeline', pipeline, ['scan']);
  if (storage !== undefined) requireFunctions('governance: storage', storage, STORAGE);
  if (knowledge !== undefined) requireFunctions('governance: knowledge', knowledge, ['nearest']);
  requirePath('governance: prefix', prefix);
  const policies = settings.policies && parsePolicies(settings.policies, { pipeline });
  return {
    name: 'governance',
    migrations: async () => (await import('./migrations.ts')).governanceMigrations,
    async create(runtime) {
      const { createGovernanceCapability } = await import('./capability.ts');
      return createGovernanceCapability(runtime, {
        storage: storage ?? (await createStorage(runtime.database)),
        policyStorage: await createPolicyStorage(runtime.database),
        protectedTextStorage: await createProtectedTextStorage(runtime.database),
        knowledge,
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

async function createPolicyStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<PolicyStorage> {
  if (!isSqlDatabase(database)) return createMemoryPolicyStorage(database as never);
  const { createSqlPolicyStorage } = await import('./policies/sql.ts');
  return createSqlPolicyStorage(database);
}

async function createProtectedTextStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<ProtectedTextStorage> {
  if (!isSqlDatabase(database)) return createMemoryProtectedTextStorage(database as never);
  const { createSqlProtectedTextStorage } = await import('./protected-texts/sql.ts');
  return createSqlProtectedTextStorage(database);
}
