import type { Database } from '../storage/database.ts';

/** What a contract suite opens for one test, such as an empty database. */
export interface OpenedTarget {
  /** Closes and removes it. */
  dispose(): Promise<void>;
}

/** An empty, migrated database of one test, as the contract suites use it. */
export interface ContractDatabase extends OpenedTarget {
  readonly database: Database;
  /** A second connection to the same data, as in another process; null when not supported. */
  openAnother(): Database | null;
}

/** Target of a contract suite: one kind of database. */
export interface ContractTarget<Opened extends OpenedTarget = ContractDatabase> {
  /** Such as `sqlite`; prefix of each test title. */
  readonly name: string;
  open(): Promise<Opened>;
}

/** Checks one guarantee of a contract. */
export type ContractCheck<Opened> = (opened: Opened) => Promise<void>;

/** The checks of a contract suite by test title. */
export type ContractPromises<Opened = ContractDatabase> = Readonly<
  Record<string, ContractCheck<Opened>>
>;

/** Runs `work` on a separate database, which is removed afterwards. */
export async function withDatabase<Opened extends OpenedTarget>(
  target: ContractTarget<Opened>,
  work: ContractCheck<Opened>,
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
