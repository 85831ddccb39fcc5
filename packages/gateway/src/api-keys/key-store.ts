import { readFileSync, statSync } from 'node:fs';
import type { Clock, Logger } from '@probity/core';
import type { StoredKey } from './key-file.ts';
import { hashKey, parseKeyFile } from './key-file.ts';

/** The API keys in force. */
export interface KeyStore {
  /** The key of a token; undefined where there is none. */
  find(token: string): StoredKey | undefined;
  /** The key of a name, as the callers of scans carry it. */
  named(name: string): StoredKey | undefined;
}

/** How often the file is looked at. */
const LOOK_MS = 1_000;

/**
 * Opens a keys file, which is looked at again once a second at most: keys that are added or removed hold at
 * once. A file that cannot be read, or has a bad line, leaves the keys as they are, with an error in the log;
 * a file that is missing has no keys.
 */
export function openKeyStore(
  file: string,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): KeyStore {
  let keys: ReadonlyMap<string, StoredKey> = new Map();
  let names: ReadonlyMap<string, StoredKey> = new Map();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let seen = '';
  const look = () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - lookedAtMs < LOOK_MS) return;
    lookedAtMs = nowMs;
    try {
      const stats = statSync(file, { throwIfNoEntry: false });
      const mark = stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : 'missing';
      if (mark === seen) return;
      seen = mark;
      keys = stats ? parseKeyFile(readFileSync(file, 'utf8')) : new Map();
      names = new Map([...keys.values()].map((key) => [key.name, key]));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      logger.error('the keys file cannot be read; the keys stay as they are', { error: message });
    }
  };
  look();
  return {
    find(token) {
      look();
      return keys.get(hashKey(token));
    },
    named: (name) => names.get(name),
  };
}
