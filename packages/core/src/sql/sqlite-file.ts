import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the file of a SQLite database if missing, with its folders, accessible only by its owner:
 * SQLite gives its other files the same mode.
 *
 * @returns the first path created, to be removed when the start fails; undefined for none
 * @throws Error that names the file or folder that cannot be created; leaves nothing behind
 */
export function prepareSqliteFile(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  const folder = createFolder(dirname(path), path);
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return folder ?? path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    if (folder) rmSync(folder, { recursive: true, force: true });
    throw new Error(`The database file ${path} cannot be created: ${(error as Error).message}`);
  }
}

/** Creates a folder and its parents one by one: Node 20 loops forever when that is impossible. */
function createFolder(folder: string, path: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const above = createFolder(dirname(folder), path);
  try {
    mkdirSync(folder);
    return above ?? folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above;
    if (above) rmSync(above, { recursive: true, force: true });
    const { message } = error as Error;
    throw new Error(`The folder ${folder} for the file ${path} cannot be created: ${message}`);
  }
}
