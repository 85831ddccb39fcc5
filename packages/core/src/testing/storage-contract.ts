import { test } from 'node:test';
import { createTestTenant } from './fixtures.ts';
import type { DatabaseTarget, TestDatabase } from './targets.ts';

/** A storage adapter on an empty database used by one test only. */
export interface OpenedStorage<Storage> {
  readonly storage: Storage;
  /** Stores a new tenant in the same database; returns its id. */
  createTenant(): Promise<string>;
  /** The same storage on a second connection, as in another process; null when not supported. */
  openAnother(): Storage | null;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
}

/** A storage adapter as contract suites open it, anew for each check. */
export interface StorageTarget<Storage> {
  /** Such as `sqlite`; prefix of each test title. */
  readonly name: string;
  open(): Promise<OpenedStorage<Storage>>;
}

/** Checks one guarantee of a storage's contract. */
export type PromiseCheck<Storage> = (opened: OpenedStorage<Storage>) => Promise<void>;

/**
 * A contract suite: runs each check as a separate test, on a separate database. The keys are the
 * titles, so that the suite reads as an index of every adapter's guarantees.
 *
 * @example
 * describeStorage(target, {
 *   'a thing is read as it was stored': readsBack,
 *   'things are listed oldest first': lists,
 * });
 */
export function describeStorage<Storage>(
  target: StorageTarget<Storage>,
  promises: Readonly<Record<string, PromiseCheck<Storage>>>,
): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${target.name}: ${title}`, async () => {
      const opened = await target.open();
      try {
        await check(opened);
      } finally {
        await opened.dispose();
      }
    });
  }
}

/** The adapters that `storageOf` creates for the databases, as targets of contract suites. */
export function storageTargets<Storage>(
  targets: readonly DatabaseTarget[],
  storageOf: (opened: TestDatabase) => Storage,
): StorageTarget<Storage>[] {
  return targets.map((target) => ({
    name: target.name,
    async open() {
      const opened = await target.open();
      return {
        storage: storageOf(opened),
        createTenant: async () => (await createTestTenant(opened)).organizationId,
        openAnother() {
          const database = opened.openAnother();
          return database && opened.kind === 'sql' ? storageOf({ ...opened, database }) : null;
        },
        dispose: () => opened.dispose(),
      };
    },
  }));
}
