import { readFileSync, statSync } from 'node:fs';
import type { Clock } from '@probity/core';
import type { KeyFile, StoredKey } from './key-file.ts';
import { hashKey, readKeyFile } from './key-file.ts';

/** The API keys in force. */
export interface KeyStore {
  /** The key of a token; undefined where there is none. */
  find(token: string): StoredKey | undefined;
  /** The key of a name, as the callers of scans carry it. */
  named(name: string): StoredKey | undefined;
  /** The file as it was read last. */
  state(): KeyFileState;
}

/** A keys file with what is wrong with it. */
export interface KeyFileState extends KeyFile {
  readonly isMissing: boolean;
  /** Why the file could not be read, such as `EACCES`: the keys are those of before; null where it was. */
  readonly unread: string | null;
}

/** How often the file is looked at, in milliseconds. */
export const LOOK_MS = 1_000;

/**
 * Opens a keys file, which is looked at again once a second at most: keys that are added or removed hold at
 * once, whatever other lines there are. A file that cannot be opened leaves the keys as they are; a file that is
 * missing has no keys. What is wrong is said by a {@link KeyFileState} alone.
 */
export function openKeyStore(file: string, clock: Clock): KeyStore {
  let state: KeyFileState = { keys: new Map(), faults: [], isMissing: true, unread: null };
  let names: ReadonlyMap<string, StoredKey> = new Map();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let seen = '';
  const look = () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - lookedAtMs < LOOK_MS) return;
    lookedAtMs = nowMs;
    try {
      const stats = statSync(file, { throwIfNoEntry: false });
      const mark = stats
        ? `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
        : 'missing';
      if (mark === seen) return;
      const read = readKeyFile(stats ? readFileSync(file, 'utf8') : '');
      // Only what was read is not read again.
      seen = mark;
      state = { ...read, isMissing: !stats, unread: null };
      names = new Map([...state.keys.values()].map((key) => [key.name, key]));
    } catch (error) {
      seen = '';
      const { code, name } = error as NodeJS.ErrnoException;
      state = { ...state, isMissing: false, unread: code ?? name };
    }
  };
  look();
  return {
    find(token) {
      look();
      return state.keys.get(hashKey(token));
    },
    named: (name) => names.get(name),
    state() {
      look();
      return state;
    },
  };
}

/** What is wrong with a keys file, without what stands in it; null where nothing is. */
export function faultOfKeys({ faults, unread }: KeyFileState): string | null {
  if (unread !== null)
    return `the keys file cannot be read (${unread}); the keys stay as they were`;
  const [first] = faults;
  if (first === undefined) return null;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return `line ${first.line} of the keys file holds no key: ${first.message}${more}`;
}
