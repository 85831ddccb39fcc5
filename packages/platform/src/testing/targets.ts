import type {
  ContractDatabase,
  ContractPromises,
  ContractTarget,
  DatabaseTarget,
  TargetOptions,
  TestDatabase,
} from '@probity/core/testing';
import { databaseTargets } from '@probity/core/testing';
import { createMemoryPlatformStorage } from '../memory.ts';
import { createSqlPlatformStorage, platformMigrations } from '../sql.ts';
import type { PlatformStorage } from '../storage.ts';

/** A database with the platform's storage on it. */
export interface PlatformContractDatabase extends ContractDatabase {
  readonly storage: PlatformStorage;
  /** Opens the storage on a second connection, as another process would; null where unsupported. */
  openAnotherStorage(): PlatformStorage | null;
}

/** A target that the platform's contract suites run on. */
export type PlatformContractTarget = ContractTarget<PlatformContractDatabase>;

/** The checks of a contract suite of the platform by test title. */
export type PlatformPromises = ContractPromises<PlatformContractDatabase>;

/** An empty database with the tables of the platform. */
export type PlatformTestDatabase = TestDatabase & PlatformContractDatabase;

/** One of the databases that the platform supports. */
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
  return targets.map(({ name, open }) => ({ name, open: async () => withStorage(await open()) }));
}

function withStorage(opened: TestDatabase): PlatformTestDatabase {
  const storage =
    opened.kind === 'memory'
      ? createMemoryPlatformStorage(opened.database)
      : createSqlPlatformStorage(opened.database);
  return {
    ...opened,
    storage,
    openAnotherStorage() {
      const another = opened.openAnother();
      return another && createSqlPlatformStorage(another);
    },
  };
}
