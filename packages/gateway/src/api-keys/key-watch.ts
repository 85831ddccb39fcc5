import type { Clock, Logger, Timer } from '@probity/core';
import type { PrimaryPart } from '../cluster/part.ts';
import type { StoredKey } from './key-file.ts';
import type { KeyFileState } from './key-store.ts';
import { faultOfKeys, LOOK_MS, openKeyStore } from './key-store.ts';

/** A change of the API keys. */
export interface KeyChange {
  readonly action: 'key.added' | 'key.changed' | 'key.removed';
  readonly name: string;
  readonly role: StoredKey['role'];
}

/** Dependencies of a watch. */
export interface KeyWatchOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Records a change in the audit table; must not fail. */
  readonly record: (change: KeyChange) => void;
}

/**
 * The part of the primary that says, once for all processes, what changes in the keys file and what is wrong with it. The
 * processes that serve read the file themselves.
 */
export function createKeyWatch(options: KeyWatchOptions): PrimaryPart {
  const { file, clock, logger, record } = options;
  const store = openKeyStore(file, clock);
  let state = store.state();
  let timer: Timer | null = null;
  let isOver = false;
  if (state.keys.size === 0) sayNoKeys(logger, file, state);
  sayFaults(logger, state);
  const look = () => {
    if (isOver) return;
    const next = store.state();
    if (next !== state) {
      const isNews = faultOfKeys(next) !== faultOfKeys(state);
      for (const change of changesOf(state, next)) {
        logger.info('the API keys have changed', { ...change });
        record(change);
      }
      if (next.isMissing && !state.isMissing) sayNoKeys(logger, file, next);
      state = next;
      if (isNews) sayFaults(logger, state);
    }
    timer = clock.setTimer(look, LOOK_MS);
  };
  return {
    name: 'keys',
    start() {
      timer = clock.setTimer(look, LOOK_MS);
    },
    close() {
      isOver = true;
      timer?.cancel();
    },
  };
}

function sayNoKeys(logger: Logger, file: string, { isMissing }: KeyFileState): void {
  const about = isMissing ? 'the keys file is missing' : 'the keys file has no key';
  logger.warn(`${about}: no request with an API key is taken; create a key with`, {
    keys_file: file,
    command: `probity-gateway key create --file ${file} --name NAME`,
  });
}

function sayFaults(logger: Logger, state: KeyFileState): void {
  if (state.unread !== null) {
    logger.error('the keys file cannot be read; the keys stay as they were', {
      error: state.unread,
    });
    return;
  }
  for (const { line, message } of state.faults) {
    logger.error('a line of the keys file holds no key', { line, error: message });
  }
}

function changesOf(before: KeyFileState, after: KeyFileState): KeyChange[] {
  const was = byName(before);
  const is = byName(after);
  const removed = [...was.values()].filter(({ name }) => !is.has(name));
  const added = [...is.values()].filter(({ name }) => !was.has(name));
  const changed = [...is.values()].filter((key) => {
    const old = was.get(key.name);
    return old !== undefined && contentOf(old) !== contentOf(key);
  });
  const as = (action: KeyChange['action']) => (key: StoredKey) => ({
    action,
    name: key.name,
    role: key.role,
  });
  return [
    ...removed.map(as('key.removed')),
    ...changed.map(as('key.changed')),
    ...added.map(as('key.added')),
  ];
}

function byName({ keys }: KeyFileState): ReadonlyMap<string, StoredKey> {
  return new Map([...keys.values()].map((key) => [key.name, key]));
}

function contentOf({ hash, role, users, domains }: StoredKey): string {
  return JSON.stringify([hash, role, users, domains]);
}
