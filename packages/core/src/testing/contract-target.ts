import type { PlatformStorage } from '../platform/storage.ts';
import type { Database } from '../storage.ts';

/** An empty, migrated database of one test, as the contract suites see it. */
export interface ContractDatabase {
  readonly database: Database;
  /** The platform's storage on it; events and locks belong to organizations. */
  readonly platform: PlatformStorage;
  /** A second connection to the same data, as another process would have it; null where there is none. */
  openAnother(): Database | null;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
}

/** What a contract suite runs on: one kind of database. */
export interface ContractTarget {
  readonly name: string;
  open(): Promise<ContractDatabase>;
}

/** Runs `work` on a database of its own, which is gone afterwards. */
export async function withDatabase(
  target: ContractTarget,
  work: (opened: ContractDatabase) => Promise<void>,
): Promise<void> {
  const opened = await target.open();
  try {
    await work(opened);
  } finally {
    await opened.dispose();
  }
}

/** The database and, where there is one, a second connection to the same data. */
export function connectionsOf(opened: ContractDatabase): readonly Database[] {
  const another = opened.openAnother();
  return another ? [opened.database, another] : [opened.database];
}
