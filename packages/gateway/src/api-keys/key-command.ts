import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs';
import { systemRandom } from '@probity/core';
import { mintToken } from '@probity/core/internal';
import type { ProgramContext } from '../program/context.ts';
import { UsageError } from '../program/context.ts';
import type { KeyRole } from './key-file.ts';
import { hashKey, KEY_NAME, KEY_ROLES, KeyFileError, parseKeyFile, toKeyLine } from './key-file.ts';

/** Options of `key create`. */
export interface KeyOptions {
  readonly file: string;
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly users: string | undefined;
}

/**
 * Makes an API key: its hash is added to the file, and the key is printed, once.
 *
 * @throws UsageError for a wrong name or role, and for a file that cannot be read
 */
export function createKey(options: KeyOptions, { out, err }: ProgramContext): number {
  const { file, role = 'member', users = '' } = options;
  if (!KEY_ROLES.some((known) => known === role)) {
    throw new UsageError(`--role is one of ${KEY_ROLES.join(', ')}; got ${role}`);
  }
  const token = mintToken('pbk_', systemRandom);
  const hash = hashKey(token);
  const { name = `key-${hash.slice(0, 8)}` } = options;
  if (!KEY_NAME.test(name)) {
    throw new UsageError('--name has 1 to 64 letters, digits, ".", "_" and "-"');
  }
  requireFreeName(file, name);
  const bound = users.split(',').filter((user) => user !== '');
  const line = toKeyLine({ hash, name, role: role as KeyRole, users: bound });
  append(file, line);
  err(`probity-gateway: added ${name} to ${file}; the key is shown only now:\n`);
  out(`${token}\n`);
  return 0;
}

function requireFreeName(file: string, name: string): void {
  if (!existsSync(file)) return;
  try {
    const keys = parseKeyFile(readFileSync(file, 'utf8'));
    if (![...keys.values()].some((key) => key.name === name)) return;
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw cannot('read', file, error);
    throw new UsageError(`${file}: ${error.message}`);
  }
  throw new UsageError(`${file} has a key with the name ${name}`);
}

function append(file: string, line: string): void {
  const isNew = !existsSync(file);
  try {
    const present = isNew ? '' : readFileSync(file, 'utf8');
    const start = present === '' || present.endsWith('\n') ? '' : '\n';
    appendFileSync(file, start + line, { mode: 0o600, flush: true });
    if (isNew) chmodSync(file, 0o600);
  } catch (error) {
    throw cannot('write', file, error);
  }
}

function cannot(act: string, file: string, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot ${act} ${file}${code ? ` (${code})` : ''}`);
}
