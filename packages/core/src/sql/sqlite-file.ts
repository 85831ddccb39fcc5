import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the file of a SQLite database where it is missing, with its folders, and for its owner
 * only: SQLite gives its other files the same mode.
 *
 * @returns the first of what was made, to be removed when the start fails; undefined for nothing
 * @throws Error that names the file or folder that cannot be made; nothing is left of it then
 */
export function prepareSqliteFile(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  const folder = createFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return folder ?? path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    if (folder) rmSync(folder, { recursive: true, force: true });
    throw new Error(`The database file ${path} cannot be made: ${(error as Error).message}`);
  }
}

/** Makes a folder and those above it, one by one: Node 20 never ends where that is impossible. */
function createFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const above = createFolder(dirname(folder));
  try {
    mkdirSync(folder);
    return above ?? folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above;
    if (above) rmSync(above, { recursive: true, force: true });
    const { message } = error as Error;
    throw new Error(`The folder ${folder} for the database cannot be made: ${message}`);
  }
}
