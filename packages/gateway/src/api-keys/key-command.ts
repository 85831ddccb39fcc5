import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs';
import { systemClock, systemRandom } from '@probity/core';
import { mintToken } from '@probity/core/internal';
import { didYouMean } from '@probity/pipeline';
import { domain } from '../config/forms.ts';
import type { ProgramContext } from '../program/context.ts';
import { UsageError } from '../program/context.ts';
import type { KeyFault, KeyFile, KeyRole } from './key-file.ts';
import { hashKey, KEY_NAME, KEY_ROLES, readKeyFile, readKeyLine, toKeyLine } from './key-file.ts';
import { replaceFile } from './replace-file.ts';

/** Options of `key create`. */
export interface KeyOptions {
  readonly file: string;
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly users: string | undefined;
  readonly domains: string | undefined;
}

/**
 * Makes an API key: its hash is added to the file, and the key is printed, once.
 *
 * @throws UsageError for a wrong name, role or domain, and for a file that cannot be read
 */
export function createKey(options: KeyOptions, { out, err }: ProgramContext): number {
  const { file, role = 'member', users = '', domains = '' } = options;
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
  const bound = { users: listOf(users), domains: listOf(domains) };
  const wrong = bound.domains.find((each) => each !== '*' && !domain.safeParse(each).success);
  if (wrong !== undefined) {
    throw new UsageError(
      `--domains has domains such as example.com or *.example.com, or * for all; got ${wrong}`,
    );
  }
  const created = systemClock.now().toISOString();
  const line = toKeyLine({ hash, name, role: role as KeyRole, ...bound, created });
  append(file, line);
  err(`probity-gateway: added ${name} to ${file}; the key is shown only now:\n`);
  out(`${token}\n`);
  return 0;
}

function listOf(text: string): string[] {
  return text.split(',').filter((each) => each !== '');
}

/**
 * Prints the names, roles and times of the keys of a file, neither keys nor hashes.
 *
 * @returns 1 where lines of the file hold no key
 * @throws UsageError for a file that cannot be read
 */
export function listKeys(file: string, { out, err }: ProgramContext): number {
  const { keys, faults } = readKeyFile(textOf(file));
  const rows = [...keys.values()].map(({ name, role, created = '-' }) => [name, role, created]);
  const table = [['NAME', 'ROLE', 'CREATED'], ...rows];
  const widths = [0, 1].map((at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  for (const row of table) {
    const cells = row.map((cell, at) => cell.padEnd(widths[at] ?? 0));
    out(`${cells.join('  ').trimEnd()}\n`);
  }
  for (const fault of faults) err(`probity-gateway: ${file}: ${textOfFault(fault)}\n`);
  return faults.length > 0 ? 1 : 0;
}

/**
 * Removes a key from its file; all other lines stay as they are. A gateway that serves takes it no longer a second later.
 *
 * @throws UsageError for a name that is not there, and for a file that cannot be read or written
 */
export function revokeKey(file: string, name: string, { err }: ProgramContext): number {
  const text = textOf(file);
  const lines = text.split('\n');
  const keyOf = (line: string) => {
    const key = readKeyLine(line);
    return key === null || 'expected' in key ? null : key;
  };
  const keys = lines.map(keyOf).filter((key) => key !== null);
  const hashes = new Set(keys.filter((key) => key.name === name).map(({ hash }) => hash));
  if (hashes.size === 0) {
    const known = keys.map((key) => key.name);
    throw new UsageError(`${file} has no key ${name}.${didYouMean(name, known)}`);
  }
  // A second line of the key, or of the name, would be the one that counts.
  const kept = lines.filter((line) => {
    const key = keyOf(line);
    return key === null || !(key.name === name || hashes.has(key.hash));
  });
  try {
    replaceFile(file, kept.join('\n'));
  } catch (error) {
    throw cannot('write', file, error);
  }
  err(`probity-gateway: revoked ${name} in ${file}\n`);
  return 0;
}

function requireFreeName(file: string, name: string): void {
  if (!existsSync(file)) return;
  const { keys, faults }: KeyFile = readKeyFile(textOf(file));
  const [fault] = faults;
  if (fault) throw new UsageError(`${file}: ${textOfFault(fault)}`);
  if ([...keys.values()].some((key) => key.name === name)) {
    throw new UsageError(`${file} has a key with the name ${name}`);
  }
}

function textOfFault({ line, message }: KeyFault): string {
  return `line ${line}: ${message}`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw cannot('read', file, error);
  }
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
