import type { Database } from '../storage/database.ts';

/** An empty, migrated database of one test, as the contract suites use it. */
export interface ContractDatabase {
  readonly database: Database;
  /** A second connection to the same data, as in another process; null when not supported. */
  openAnother(): Database | null;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
}

/** Target of a contract suite: one kind of database. */
export interface ContractTarget<Opened extends ContractDatabase = ContractDatabase> {
  readonly name: string;
  open(): Promise<Opened>;
}

/** Runs `work` on a separate database, which is removed afterwards. */
export async function withDatabase<Opened extends ContractDatabase>(
  target: ContractTarget<Opened>,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const opened = await target.open();
  try {
    await work(opened);
  } finally {
    await opened.dispose();
  }
}

/** The database and, if supported, a second connection to the same data. */
export function connectionsOf(opened: ContractDatabase): readonly Database[] {
  const another = opened.openAnother();
  return another ? [opened.database, another] : [opened.database];
}
