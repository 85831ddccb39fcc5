import { test } from 'node:test';
import { createTestTenant } from './fixtures.ts';
import type { DatabaseTarget, TestDatabase } from './targets.ts';

/** A storage adapter on an empty database of one test's own. */
export interface OpenedStorage<Storage> {
  readonly storage: Storage;
  /** Stores a new tenant in the same database; its id. */
  createTenant(): Promise<string>;
  /** The same storage on a second connection, as another process has it; null where there is none. */
  openAnother(): Storage | null;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
}

/** A storage adapter as contract suites open it, anew for each promise. */
export interface StorageTarget<Storage> {
  /** Such as `sqlite`; begins the title of each test. */
  readonly name: string;
  open(): Promise<OpenedStorage<Storage>>;
}

/** Checks one promise of a storage's contract. */
export type PromiseCheck<Storage> = (opened: OpenedStorage<Storage>) => Promise<void>;

/**
 * A contract suite: runs each check as a test of its own, on a database of its own. The keys are
 * the titles, so that the suite reads as an index of what every adapter promises.
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

/** The adapters that `storageOf` makes for the databases, for contract suites to run on. */
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
