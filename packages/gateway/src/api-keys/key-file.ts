import { hash } from 'node:crypto';

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
  /** Domains of `allowlists.whitelisted_domains` that requests with the key may name; `*` for all. */
  readonly domains: readonly string[];
  /** When it was made, in ISO 8601; absent where the line does not say. */
  readonly created?: string | undefined;
}

/** A line of a keys file that cannot be read, without what stands in it. */
export interface KeyFault {
  /** From 1. */
  readonly line: number;
  /** What was expected. */
  readonly message: string;
}

/** A keys file, line by line. */
export interface KeyFile {
  /** The keys of the lines that can be read, by their hashes. */
  readonly keys: ReadonlyMap<string, StoredKey>;
  /** The other lines. */
  readonly faults: readonly KeyFault[];
}

const HASH = /^sha256:([0-9a-f]{64})$/;
const MEMBER = /^(name|role|users|domains|created)=(\S*)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The form of a key's name. */
export const KEY_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** The hash by which a key is stored and found. */
export function hashKey(token: string): string {
  return hash('sha256', token);
}

/** A key as a line of the file. */
export function toKeyLine({ hash, name, role, users, domains, created }: StoredKey): string {
  const bound = toMember('users', users) + toMember('domains', domains);
  const made = created === undefined ? '' : ` created=${created}`;
  return `sha256:${hash} name=${name} role=${role}${bound}${made}\n`;
}

function toMember(name: string, values: readonly string[]): string {
  return values.length > 0 ? ` ${name}=${values.map(encodeURIComponent).join(',')}` : '';
}

/**
 * Reads a keys file: one key a line, `sha256:<hex> name=<name> role=<member|admin> users=<a,b> domains=<a,b> created=<time>`; empty
 * lines and those with # are left out. A line that cannot be read says nothing about the others.
 */
export function readKeyFile(text: string): KeyFile {
  const keys = new Map<string, StoredKey>();
  const lineOf = new Map<string, number>();
  const faults: KeyFault[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const number = index + 1;
    const key = readKeyLine(line);
    if (key === null) continue;
    if ('expected' in key) {
      faults.push({ line: number, message: `expected ${key.expected}` });
      continue;
    }
    const sameKey = lineOf.get(key.hash);
    const sameName = lineOf.get(`name=${key.name}`);
    if (sameKey !== undefined) {
      faults.push({ line: number, message: `the key of line ${sameKey} again` });
    } else if (sameName !== undefined) {
      faults.push({ line: number, message: `the name of line ${sameName} again` });
    } else {
      keys.set(key.hash, key);
      lineOf.set(key.hash, number).set(`name=${key.name}`, number);
    }
  }
  return { keys, faults };
}

/** The key of a line; null for an empty one and a comment. */
export function readKeyLine(line: string): StoredKey | { readonly expected: string } | null {
  const [first = '', ...others] = line.trim().split(/\s+/);
  if (first === '' || first.startsWith('#')) return null;
  const hash = HASH.exec(first)?.[1];
  if (hash === undefined) return { expected: 'sha256:<64 hexadecimal digits>' };
  const members = new Map<string, string>();
  for (const other of others) {
    const [, name, value] = MEMBER.exec(other) ?? [];
    if (name === undefined || value === undefined) {
      return { expected: 'name=, role=, users=, domains= and created= alone' };
    }
    members.set(name, value);
  }
  const {
    name = hash.slice(0, 12),
    role = 'member',
    users = '',
    domains = '',
    created,
  } = Object.fromEntries(members);
  if (!KEY_NAME.test(name)) {
    return { expected: 'a name of 1 to 64 letters, digits, ".", "_" and "-"' };
  }
  if (!KEY_ROLES.some((known) => known === role)) return { expected: 'the role member or admin' };
  if (created !== undefined && !TIME.test(created)) {
    return { expected: 'a time as in created=2026-01-31T12:00:00Z' };
  }
  try {
    const bound = { users: readList(users), domains: readList(domains) };
    const made = created === undefined ? {} : { created };
    return { hash, name, role: role as KeyRole, ...bound, ...made };
  } catch {
    return { expected: 'users as in users=alice,bob, and domains as in domains=a.example' };
  }
}

function readList(text: string): string[] {
  return text === '' ? [] : text.split(',').map(decodeURIComponent);
}
