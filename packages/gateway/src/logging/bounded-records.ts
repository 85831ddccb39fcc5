import type { Clock, LogFields, Logger, LogLevel, Timer } from '@probity/core';

/** Records of events that others cause, and which could come as a flood. */
export interface BoundedRecords {
  /** @param key what the event counts as where it has no record of its own; one of a few */
  write(level: Exclude<LogLevel, 'silent'>, message: string, fields: LogFields, key: string): void;
  /** Writes what has only been counted. */
  close(): void;
}

/** What bounded records are written with. */
export interface BoundedRecordsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The message of the record that counts the rest. */
  readonly rest: string;
}

/** Records of one second in each process; what comes on top is one record. */
const MOST_RECORDS = 10;
const SECOND_MS = 1_000;

/** Creates the bound. */
export function createBoundedRecords(options: BoundedRecordsOptions): BoundedRecords {
  const { clock, logger, rest } = options;
  let written = 0;
  let timer: Timer | null = null;
  const left = new Map<string, number>();
  const tell = () => {
    timer = null;
    written = 0;
    if (left.size === 0) return;
    const count = [...left.values()].reduce((sum, each) => sum + each, 0);
    logger.warn(rest, { count, reasons: Object.fromEntries(left) });
    left.clear();
  };
  return {
    write(level, message, fields, key) {
      timer ??= clock.setTimer(tell, SECOND_MS);
      if (written === MOST_RECORDS) left.set(key, (left.get(key) ?? 0) + 1);
      else {
        written += 1;
        logger[level](message, fields);
      }
    },
    close() {
      timer?.cancel();
      tell();
    },
  };
}
