import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A user to run a child process as, in the shape `child_process.spawn` takes. */
export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

const nobody: UserIds = { uid: 65534, gid: 65534 };

/**
 * PostgreSQL refuses to run as root. Returns the user to run it as instead (`postgres`, else
 * `nobody`), or undefined when this process is not root and can run it itself.
 */
export function unprivilegedUser(passwdFile = '/etc/passwd'): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readUsers(passwdFile);
  return users.get('postgres') ?? users.get('nobody') ?? nobody;
}

/** Names and ids from a file in the format of passwd(5); empty when there is none. */
function readUsers(passwdFile: string): Map<string, UserIds> {
  const users = new Map<string, UserIds>();
  for (const line of readLines(passwdFile)) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid) users.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return users;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Whether every folder above `path` can be entered by any user. */
export function isReachableByAll(path: string): boolean {
  const parent = dirname(path);
  const searchable = (statSync(parent).mode & 0o001) !== 0;
  return searchable && (parent === dirname(parent) || isReachableByAll(parent));
}
