import { hash as hashAtOnce } from 'node:crypto';

/** What a key may do: scan, or administer the gateway too. */
export const KEY_ROLES = ['member', 'admin'] as const;

/** One of {@link KEY_ROLES}. */
export type KeyRole = (typeof KEY_ROLES)[number];

/** An API key as it is stored: its hash, never the key. */
export interface StoredKey {
  /** SHA-256 of the key in lower-case hex. */
  readonly hash: string;
  /** What logs and limits call the client: 1 to 64 letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  readonly role: KeyRole;
  /** Users of `allowlists.exempt_users` that requests with the key may name; `*` for all. */
  readonly users: readonly string[];
}

/** A line of a keys file that cannot be read. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

const HASH = /^sha256:([0-9a-f]{64})$/;
const MEMBER = /^(name|role|users)=(\S*)$/;

/** The form of a key's name. */
export const KEY_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** The hash by which a key is stored and found. */
export function hashKey(token: string): string {
  return hashAtOnce('sha256', token);
}

/** A key as a line of the file. */
export function toKeyLine({ hash, name, role, users }: StoredKey): string {
  const bound = users.length > 0 ? ` users=${users.map(encodeURIComponent).join(',')}` : '';
  return `sha256:${hash} name=${name} role=${role}${bound}\n`;
}

/**
 * Reads a keys file: one key a line, `sha256:<hex> name=<name> role=<member|admin> users=<a,b>`; empty
 * lines and those with # are left out.
 *
 * @throws KeyFileError naming the line, never what stands in it
 */
export function parseKeyFile(text: string): ReadonlyMap<string, StoredKey> {
  const keys = new Map<string, StoredKey>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const key = parseLine(line.trim(), index + 1);
    if (keys.has(key.hash)) throw new KeyFileError(`line ${index + 1}: the key is there twice`);
    const isTaken = [...keys.values()].some(({ name }) => name === key.name);
    if (isTaken) throw new KeyFileError(`line ${index + 1}: the name ${key.name} is taken`);
    keys.set(key.hash, key);
  }
  return keys;
}

function parseLine(line: string, number: number): StoredKey {
  const [first = '', ...others] = line.split(/\s+/);
  const hash = HASH.exec(first)?.[1];
  const fail = (expected: string) => new KeyFileError(`line ${number}: expected ${expected}`);
  if (hash === undefined) throw fail('sha256:<64 hexadecimal digits>');
  const members = new Map<string, string>();
  for (const other of others) {
    const [, name, value] = MEMBER.exec(other) ?? [];
    if (name === undefined || value === undefined) throw fail('name=, role= and users= alone');
    members.set(name, value);
  }
  const { name = hash.slice(0, 12), role = 'member', users = '' } = Object.fromEntries(members);
  if (!KEY_NAME.test(name)) throw fail('a name of 1 to 64 letters, digits, ".", "_" and "-"');
  if (!KEY_ROLES.some((known) => known === role)) throw fail('the role member or admin');
  try {
    const bound = users === '' ? [] : users.split(',').map(decodeURIComponent);
    return { hash, name, role: role as KeyRole, users: bound };
  } catch {
    throw fail('users as in users=alice,bob');
  }
}
