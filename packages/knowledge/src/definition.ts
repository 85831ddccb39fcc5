import type { CapabilityDefinition } from '@probity/core';
import {
  isSqlDatabase,
  requireFunctions,
  requireKnownOptions,
  requirePath,
} from '@probity/core/internal';
import type { NamedEmbedder } from './embedders/embedders.ts';
import { createMemoryKnowledgeStorage } from './memory.ts';
import type { KnowledgeServices } from './services.ts';
import type { KnowledgeStorage } from './storage.ts';
import type { VectorStore } from './vectors/types.ts';

/** Options of {@link knowledge}. */
export interface KnowledgeSettings {
  /** Largest number of nuggets of an organization: a whole number from 1; default 1,000,000. */
  readonly maxNuggets?: number | undefined;
  /** A storage of the host; default: on the database of Probity. */
  readonly storage?: KnowledgeStorage | undefined;
  /** Keeps the vectors, and is closed by you; default: the memory of the process, filled after each start. */
  readonly vectors?: VectorStore | undefined;
  /** Makes the vectors; default: the embedder without a model of its own. */
  readonly embedder?: NamedEmbedder | undefined;
  /** Path prefix of the endpoints below the mount; default none. */
  readonly prefix?: string | undefined;
}

const OPTIONS = ['maxNuggets', 'storage', 'vectors', 'embedder', 'prefix'];
/** What a vector store of the host must have; see {@link VectorStore}. */
const VECTORS = ['position', 'apply', 'search', 'collections', 'drop', 'close'];

/** What a storage of the host must have; see {@link KnowledgeStorage}. */
const STORAGE = [
  ...['listNuggets', 'findNugget', 'findNuggets', 'findNuggetsByKeys'],
  ...[
    'listKnowledgeOrganizations',
    'countNuggetChanges',
    'findKnowledgeExtent',
    'readNuggetChanges',
    'listCorrections',
    'findCorrection',
    'listImports',
    'findImport',
  ],
  ...['transaction', 'withTenantLock'],
];

/**
 * The knowledge base, for `createProbity`.
 * @throws Error that names the setting at fault
 */
export function knowledge(
  settings: KnowledgeSettings = {},
): CapabilityDefinition<'knowledge', KnowledgeServices> {
  requireKnownOptions('knowledge', settings, OPTIONS);
  const { maxNuggets, storage, vectors, embedder, prefix = '' } = settings;
  if (vectors !== undefined) requireFunctions('knowledge: vectors', vectors, VECTORS);
  if (embedder !== undefined) requireEmbedder(embedder);
  if (storage !== undefined) requireFunctions('knowledge: storage', storage, STORAGE);
  requirePath('knowledge: prefix', prefix);
  if (maxNuggets !== undefined && !(Number.isInteger(maxNuggets) && maxNuggets > 0)) {
    throw new RangeError('knowledge: maxNuggets must be a whole number from 1.');
  }
  return {
    name: 'knowledge',
    migrations: async () => (await import('./migrations.ts')).knowledgeMigrations,
    async create(runtime) {
      const { createKnowledgeCapability } = await import('./capability.ts');
      return createKnowledgeCapability(runtime, {
        storage: storage ?? (await createStorage(runtime.database)),
        ...{ maxNuggets, vectors, embedder, prefix },
      });
    },
  };
}

function requireEmbedder({ name, embedder }: NamedEmbedder): void {
  if (typeof name !== 'string' || name === '') {
    throw new TypeError('knowledge: embedder.name must name the vectors, such as the model.');
  }
  requireFunctions('knowledge: embedder.embedder', embedder, ['embed']);
}

async function createStorage(
  database: Parameters<typeof isSqlDatabase>[0],
): Promise<KnowledgeStorage> {
  if (!isSqlDatabase(database)) return createMemoryKnowledgeStorage(database as never);
  const { createSqlKnowledgeStorage } = await import('./sql.ts');
  return createSqlKnowledgeStorage(database);
}
