import { test } from 'node:test';
import type {
  ContractCheck,
  ContractPromises,
  ContractTarget,
  OpenedTarget,
} from './contract-target.ts';
import { withDatabase } from './contract-target.ts';
import { createTestTenant } from './fixtures.ts';
import type { DatabaseTarget, TestDatabase } from './targets.ts';

/** A storage adapter on an empty database used by one test only. */
export interface OpenedStorage<Storage> extends OpenedTarget {
  readonly storage: Storage;
  /** Stores a new tenant in the same database; returns its id. */
  createTenant(): Promise<string>;
  /** The same storage on a second connection, as in another process; null when not supported. */
  openAnother(): Storage | null;
}

/** A storage adapter as contract suites open it, anew for each check. */
export type StorageTarget<Storage> = ContractTarget<OpenedStorage<Storage>>;

/** Checks one guarantee of a storage's contract. */
export type PromiseCheck<Storage> = ContractCheck<OpenedStorage<Storage>>;

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
export function describeStorage<Opened extends OpenedTarget>(
  target: ContractTarget<Opened>,
  promises: ContractPromises<Opened>,
): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${target.name}: ${title}`, () => withDatabase(target, check));
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
