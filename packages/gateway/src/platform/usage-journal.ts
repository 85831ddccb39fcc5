import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Logger } from '@probity/core';

const MINUTE_MS = 60_000;
/** Time after a minute until it is reported: a scan that ends with it may still be counted. */
const SETTLING_MS = 5_000;
const FILE = /^scans-(\d+)-[0-9a-f]{16}$/;

/** Scans of one minute that are not reported yet. */
export interface JournalMinute {
  readonly minute: Date;
  readonly scans: number;
  /** The files that hold them. */
  readonly files: readonly string[];
}

/** Counts scans durably: what is counted survives the end of the process, however it ends. */
export interface UsageJournal {
  /** Counts a scan; call it before the scan is answered. */
  count(): void;
  /** The minutes that have ended and are not settled, of all processes of the folder; oldest first. */
  closed(): JournalMinute[];
  /** Forgets a minute that was accepted. */
  settle(minute: JournalMinute): void;
  close(): void;
}

/**
 * Opens the journal of a folder. Each process has a file for each minute, of which each byte is a scan: one small
 * write that needs no lock, and is there as soon as it is made. Several processes may share the folder.
 *
 * @throws Error when the folder cannot be made
 */
export function openUsageJournal(
  folder: string,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): UsageJournal {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const writer = randomBytes(8).toString('hex');
  let current = -1;
  let file: number | null = null;
  let unwritten = 0;
  const fileOf = (minute: number): number => {
    if (file !== null && minute === current) return file;
    if (file !== null) closeSync(file);
    file = null;
    file = openSync(join(folder, `scans-${minute}-${writer}`), 'a', 0o600);
    return file;
  };
  return {
    count() {
      // A clock that goes back must not count into a minute that was reported already.
      const minute = Math.max(current, Math.floor(clock.now().getTime() / MINUTE_MS));
      unwritten += 1;
      try {
        const target = fileOf(minute);
        current = minute;
        unwritten -= writeSync(target, '.'.repeat(unwritten));
      } catch (error) {
        // Tried again with the next scan; a full disk stops no scan.
        logger.error('a scan could not be counted', { error });
      }
    },
    closed() {
      const end = Math.floor((clock.now().getTime() - SETTLING_MS) / MINUTE_MS);
      const minutes = new Map<number, { scans: number; files: string[] }>();
      for (const name of readdirSync(folder)) {
        const minute = Number(FILE.exec(name)?.[1] ?? Number.NaN);
        if (Number.isNaN(minute) || minute >= end) continue;
        const held = minutes.get(minute) ?? { scans: 0, files: [] };
        const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
        minutes.set(minute, { scans: held.scans + size, files: [...held.files, name] });
      }
      return [...minutes]
        .sort(([one], [other]) => one - other)
        .map(([minute, held]) => ({ minute: new Date(minute * MINUTE_MS), ...held }));
    },
    settle({ files }) {
      for (const name of files) rmSync(join(folder, name), { force: true });
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
