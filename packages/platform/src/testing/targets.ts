import type {
  ContractDatabase,
  ContractTarget,
  DatabaseTarget,
  TargetOptions,
  TestDatabase,
} from '@probity/core/testing';
import { databaseTargets } from '@probity/core/testing';
import { createMemoryPlatformStorage } from '../organizations/memory.ts';
import { createSqlPlatformStorage } from '../organizations/sql/storage.ts';
import type { PlatformStorage } from '../organizations/storage.ts';
import { platformMigrations } from '../sql/migrations.ts';

/** A database with the platform's storage on it. */
export interface PlatformContractDatabase extends ContractDatabase {
  readonly platform: PlatformStorage;
}

/** What the contract suites of the platform run on. */
export type PlatformContractTarget = ContractTarget<PlatformContractDatabase>;

/** An empty database with the tables of the platform. */
export type PlatformTestDatabase = TestDatabase & { readonly platform: PlatformStorage };

/** One of the databases that the platform works on. */
export interface PlatformTarget {
  readonly name: DatabaseTarget['name'];
  open(): Promise<PlatformTestDatabase>;
}

/** Memory, SQLite and PostgreSQL with the tables of the platform and of `migrations`. */
export function platformTargets({ migrations = [], ...options }: TargetOptions): PlatformTarget[] {
  const targets = databaseTargets({
    ...options,
    migrations: [...platformMigrations, ...migrations],
  });
  return targets.map(({ name, open }) => ({ name, open: async () => withPlatform(await open()) }));
}

function withPlatform(opened: TestDatabase): PlatformTestDatabase {
  const platform =
    opened.kind === 'memory'
      ? createMemoryPlatformStorage(opened.database)
      : createSqlPlatformStorage(opened.database);
  return { ...opened, platform };
}
