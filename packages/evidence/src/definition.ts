import type { CapabilityDefinition } from '@probity/core';
import {
  isSqlDatabase,
  requireFunctions,
  requireKnownOptions,
  requirePath,
} from '@probity/core/internal';
import type { RedactTexts } from './imports/types.ts';
import { createMemoryEvidenceStorage } from './memory.ts';
import type { EvidenceServices } from './services.ts';
import type { EvidenceStorage } from './storage.ts';

/** Options of {@link evidence}. */
export interface EvidenceSettings {
  /**
   * Days after which records are removed, and only their nodes in the chain stay: a whole number from 1; default null:
   * never.
   */
  readonly retentionDays?: number | null | undefined;
  /**
   * Replaces personal data and secrets in the texts of imported files, such as `redactTexts` of @probity/pipeline;
   * default: they are stored unscanned.
   */
  readonly redactTexts?: RedactTexts | undefined;
  /** A storage of the host; default: on the database of Probity. */
  readonly storage?: EvidenceStorage | undefined;
  /** Path prefix of the endpoints below the mount; default none. */
  readonly prefix?: string | undefined;
}

/** What a storage of the host must have; see {@link EvidenceStorage}. */
const STORAGE = [
  ...['listAiSystems', 'findAiSystem'],
  ...['listEvidence', 'findEvidence', 'findEvidenceAt', 'readEvidence', 'groupEvidence'],
  ...['findEvidenceKeys', 'findEvidenceByKeys', 'hasEvidenceOf'],
  ...['listEvidenceRuns', 'listEvidenceProviders'],
  ...['findEvidenceHead', 'readEvidenceChain', 'listEvidenceChains', 'listSealedEvidenceHeads'],
  ...['transaction', 'withTenantLock'],
];

/**
 * AI systems, evidence and coverage, for `createProbity`.
 * @throws Error that names the setting at fault
 */
export function evidence(
  settings: EvidenceSettings = {},
): CapabilityDefinition<'evidence', EvidenceServices> {
  requireKnownOptions('evidence', settings, ['retentionDays', 'redactTexts', 'storage', 'prefix']);
  const { retentionDays = null, redactTexts, storage, prefix = '' } = settings;
  if (redactTexts !== undefined && typeof redactTexts !== 'function') {
    throw new TypeError(
      'evidence: redactTexts must be a function, such as that of @probity/pipeline.',
    );
  }
  if (storage !== undefined) requireFunctions('evidence: storage', storage, STORAGE);
  requirePath('evidence: prefix', prefix);
  if (retentionDays !== null && !(Number.isInteger(retentionDays) && retentionDays > 0)) {
    throw new RangeError('evidence: retentionDays must be a whole number from 1, or null.');
  }
  return {
    name: 'evidence',
    needsSecretBox: true,
    migrations: async () => (await import('./migrations.ts')).evidenceMigrations,
    async create(runtime) {
      const { createEvidenceCapability } = await import('./capability.ts');
      return createEvidenceCapability(runtime, {
        storage: storage ?? (await createStorage(runtime.database)),
        retentionDays,
        redactTexts,
        prefix,
      });
    },
  };
}

async function createStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<EvidenceStorage> {
  if (!isSqlDatabase(database)) return createMemoryEvidenceStorage(database as never);
  const { createSqlEvidenceStorage } = await import('./sql.ts');
  return createSqlEvidenceStorage(database);
}
