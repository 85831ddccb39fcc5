import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ProbityError } from '../errors.ts';
import { syncFolder } from '../sealing/key-file.ts';
import { openSqliteFile } from './sqlite-driver.ts';

/** Source and target of a backup. */
export interface SqliteBackup {
  /** The database file. */
  readonly path: string;
  /** The file to create; it must not exist. */
  readonly target: string;
  /** Checked after the copy, which cannot be interrupted: true discards it. */
  readonly isCanceled?: () => boolean;
}

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies a SQLite database, consistent as of one moment, while others write to it. The copy is made
 * in a file beside `target` and renamed when it is complete and on disk, readable only by its
 * owner.
 *
 * It uses VACUUM INTO, in one read transaction: writers are not blocked, and it ends however much
 * they write. SQLite's backup interface restarts whenever another process has written, so under
 * load it may never end; and it copies freed pages, including data deleted from them.
 *
 * @returns the size of the copy in bytes; null when it was canceled
 * @throws ProbityError `conflict` that names the file at fault; nothing is left behind
 */
export async function backupSqlite({
  path,
  target,
  isCanceled = () => false,
}: SqliteBackup): Promise<number | null> {
  if (existsSync(target)) throw taken(target);
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.partial`);
  try {
    // VACUUM INTO keeps an existing empty file, so the copy is never readable to others.
    closeSync(openSync(draft, 'wx', 0o600));
  } catch (error) {
    throw unwritable(target, error);
  }
  try {
    copyInto(path, draft);
    // Pending signals are handled between two turns of the event loop.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    if (isCanceled()) return null;
    syncFile(draft);
    place(draft, target);
    syncFolder(dirname(target));
    return statSync(target).size;
  } catch (error) {
    throw error instanceof ProbityError ? error : unwritable(target, error);
  } finally {
    for (const suffix of ['', '-journal']) rmSync(draft + suffix, { force: true });
  }
}

function copyInto(path: string, draft: string): void {
  const connection = openSqliteFile(path, BUSY_TIMEOUT_MS);
  try {
    connection.prepare('vacuum into ?').run(draft);
  } finally {
    connection.close();
  }
}

function syncFile(path: string): void {
  const handle = openSync(path, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Renames the draft without ever replacing a file, if the file system supports links. */
function place(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || existsSync(target)) throw taken(target);
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error))) throw error;
    renameSync(draft, target);
  }
}

function taken(target: string): ProbityError {
  return new ProbityError(
    'conflict',
    `The file ${target} already exists; choose a path that does not exist.`,
  );
}

function unwritable(target: string, error: unknown): ProbityError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The backup ${target} cannot be written: ${reason}`;
  return new ProbityError('conflict', message, { cause: error });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
