import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from './once.ts';

/** The part of node:test's context that helpers use to clean up after the test. */
export interface TestLifetime {
  after(cleanup: () => void | Promise<void>): void;
}

/** An empty folder for one test. */
export interface TemporaryFolder {
  /** Absolute path. */
  readonly path: string;
  /** Removes the folder and its contents. Idempotent. */
  remove(): void;
}

/**
 * Where a folder is created: in memory, where a flush to disk costs nothing, or on the disk, for
 * tests of crashes, backups and full disks.
 */
export type TemporaryStorage = 'memory' | 'disk';

const MEMORY_FOLDER = '/dev/shm';
/** Containers have 64 MB of it by default, which databases of a few tests fill. */
const LEAST_FREE_BYTES = 1024 ** 3;

/**
 * The folder in which temporary folders are created. Memory-backed storage is used where the system
 * has `/dev/shm`, it is writable, and at least 1 GiB of it is free; else the system's temporary
 * folder is.
 */
export function temporaryRoot(storage: TemporaryStorage = 'memory'): string {
  return storage === 'memory' && isMemoryUsable() ? MEMORY_FOLDER : tmpdir();
}

const isMemoryUsable = once(() => {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= LEAST_FREE_BYTES;
  } catch {
    return false;
  }
});

/**
 * Creates an empty folder in {@link temporaryRoot}. It is removed after `test`, or at the end of
 * the process without a test.
 */
export function temporaryFolder(
  test?: TestLifetime,
  storage: TemporaryStorage = 'memory',
): TemporaryFolder {
  const path = mkdtempSync(join(temporaryRoot(storage), 'probity-test-'));
  const remove = (): void => {
    process.off('exit', remove);
    removeWhole(path);
  };
  process.once('exit', remove);
  test?.after(remove);
  return { path, remove };
}

/** Programs of the test may run until the hooks after this one, and write into the folder meanwhile. */
function removeWhole(path: string): void {
  for (let left = 10; ; left -= 1) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
      return;
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}
