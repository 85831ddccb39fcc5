import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from '../context.ts';
import { reasonOf, usageFailure } from '../failure.ts';

/** What `probity login` stores. */
export interface StoredCredentials {
  readonly apiKey: string;
  /**
   * The only server that gets the key. Null for a key that was stored without `--base-url`: it is sent
   * to whichever server a command names.
   */
  readonly baseUrl: string | null;
}

/** `credentials.json` below `$XDG_CONFIG_HOME`, `%APPDATA%` on Windows, or `~/.config`. */
export function credentialsPath({ XDG_CONFIG_HOME, APPDATA, HOME }: Environment): string {
  // The specification of the variable has relative paths ignored.
  const base = XDG_CONFIG_HOME?.startsWith('/')
    ? XDG_CONFIG_HOME
    : process.platform === 'win32' && APPDATA
      ? APPDATA
      : join(HOME || homedir(), '.config');
  return join(base, 'probity', 'credentials.json');
}

/**
 * The stored credentials; null when there are none.
 * @throws CommandFailure when the file cannot be read or is not what `probity login` writes
 */
export function readCredentials(env: Environment): StoredCredentials | null {
  const path = credentialsPath(env);
  try {
    return parseCredentials(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    // The message of a parser repeats what it read, and with it the key.
    const reason =
      error instanceof SyntaxError || error instanceof TypeError
        ? 'it is not what `probity login` writes; run `probity login` again'
        : reasonOf(error);
    throw usageFailure(`cannot use ${path}: ${reason}`);
  }
}

function parseCredentials(value: unknown): StoredCredentials {
  const { apiKey, baseUrl = null } = value as Partial<StoredCredentials>;
  if (typeof apiKey === 'string' && (baseUrl === null || typeof baseUrl === 'string')) {
    return { apiKey, baseUrl };
  }
  throw new TypeError('apiKey and baseUrl are expected');
}

/** Whether other users of the machine may read the stored key; never so on Windows, which has no modes. */
export function isReadableByOthers(env: Environment): boolean {
  if (process.platform === 'win32') return false;
  return (statSync(credentialsPath(env)).mode & 0o077) !== 0;
}

/**
 * Stores credentials with mode 0600, whole or not at all.
 * @returns the path
 * @throws CommandFailure when the file cannot be written
 */
export function writeCredentials(env: Environment, credentials: StoredCredentials): string {
  const path = credentialsPath(env);
  const part = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(part, { force: true });
    writeFileSync(part, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    // The umask may have taken the owner's right to write.
    chmodSync(part, 0o600);
    renameSync(part, path);
    return path;
  } catch (error) {
    rmSync(part, { force: true });
    throw usageFailure(`cannot write ${path}: ${reasonOf(error)}`, error);
  }
}

/** Removes the stored credentials. @returns whether there were any */
export function removeCredentials(env: Environment): boolean {
  const path = credentialsPath(env);
  try {
    rmSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw usageFailure(`cannot remove ${path}: ${reasonOf(error)}`, error);
  }
}
