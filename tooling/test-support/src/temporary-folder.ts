import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of node:test's context that helpers use to clean up after the test. */
export interface TestLifetime {
  after(cleanup: () => void | Promise<void>): void;
}

/** An empty folder of one test. */
export interface TemporaryFolder {
  /** Absolute path. */
  readonly path: string;
  /** Removes the folder and all in it. Idempotent. */
  remove(): void;
}

/**
 * Makes an empty folder under the system's temporary folder. It is removed after `test`, or at
 * the end of the process when no test is given.
 */
export function temporaryFolder(test?: TestLifetime): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'probity-test-'));
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', remove);
  test?.after(remove);
  return { path, remove };
}
