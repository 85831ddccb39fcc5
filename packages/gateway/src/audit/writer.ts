import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Logger, Metrics, Timer } from '@probity/core';
import { METRICS } from '../metrics/definitions.ts';
import type { AuditRow, AuditSink } from './rows.ts';
import type { AuditStore } from './store.ts';

/** Writes rows in batches, in the order in which they come. */
export interface AuditWriter extends AuditSink {
  /** Rows that wait. */
  readonly waiting: number;
  /** Writes all that waits at the call; resolves at the latest when a batch has failed. */
  flush(): Promise<void>;
  /** Removes rows that wait, when no batch is on its way any more. Returns how many. */
  forget(isMeant: (row: AuditRow) => boolean): Promise<number>;
  /**
   * Writes all that waits, and tries for `withinMs` where the database is down or rows keep coming; a try in progress is
   * waited for. What is then still waiting is counted and logged as lost. Idempotent.
   */
  stop(withinMs?: number): Promise<void>;
}

/** Dependencies of a writer. */
export interface AuditWriterOptions {
  readonly store: Pick<AuditStore, 'insert'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Most rows that wait; default 100,000. */
  readonly capacity?: number | undefined;
}

/** How long a row waits for others, in milliseconds. */
const GATHER_MS = 200;
const BATCH_ROWS = 500;
const CAPACITY = 100_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
const STOP_MS = 10_000;
const STOP_RETRY_MS = 100;

/**
 * Creates a writer. A batch that fails stays at the front of the queue and is tried again, later each time. A row
 * that comes when the queue is full is lost, which is counted and logged.
 */
export function createAuditWriter(options: AuditWriterOptions): AuditWriter {
  const { store, clock, logger, metrics, capacity = CAPACITY } = options;
  let queue: AuditRow[] = [];
  let timer: Timer | null = null;
  let writing: Promise<boolean> | null = null;
  let failures = 0;
  let isLosing = false;
  let stopping: Promise<void> | null = null;

  function schedule(delayMs: number): void {
    timer?.cancel();
    timer = clock.setTimer(() => {
      timer = null;
      void writeWaiting();
    }, delayMs);
  }

  /** Writes what waits when a run begins, one run at a time. False when a batch has failed. */
  function writeWaiting(): Promise<boolean> {
    writing ??= writeBatches().finally(() => {
      writing = null;
      if (failures === 0 && queue.length > 0 && stopping === null) schedule(GATHER_MS);
    });
    return writing;
  }

  /** Rows that come meanwhile are left to the next run: while they keep coming, this one would not end. */
  async function writeBatches(): Promise<boolean> {
    for (let left = queue.length; left > 0; left -= BATCH_ROWS) {
      const batch = queue.slice(0, Math.min(left, BATCH_ROWS));
      try {
        await store.insert(batch);
      } catch (error) {
        failures++;
        if (failures === 1) logger.error('audit rows cannot be written, and wait', { error });
        const delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
        if (stopping === null) schedule(delayMs);
        return false;
      }
      queue = queue.slice(batch.length);
      metrics.count(METRICS.auditRows, { result: 'written' }, batch.length);
      if (failures > 0) logger.info('audit rows are written again');
      failures = 0;
      isLosing = false;
    }
    return true;
  }

  function lose(count: number): void {
    metrics.count(METRICS.auditRows, { result: 'lost' }, count);
    if (!isLosing) logger.error('audit rows are lost: too many wait', { waiting: queue.length });
    isLosing = true;
  }

  async function end(withinMs: number): Promise<void> {
    timer?.cancel();
    // It leaves what came since it began.
    await writing;
    const untilMs = clock.monotonicMs() + withinMs;
    let tries = Math.ceil(withinMs / STOP_RETRY_MS);
    do {
      if (await writeWaiting()) continue;
      if (tries-- <= 0) break;
      await wait(STOP_RETRY_MS);
      // A database that hangs takes long for each try, and rows may still come.
    } while (queue.length > 0 && clock.monotonicMs() < untilMs);
    if (queue.length === 0) return;
    metrics.count(METRICS.auditRows, { result: 'lost' }, queue.length);
    logger.error('audit rows are lost: the database did not take them before the end', {
      rows: queue.length,
    });
  }

  /** Whether there was room for all of them. */
  function put(rows: readonly AuditRow[]): boolean {
    const room = Math.max(0, capacity - queue.length);
    for (const row of rows.slice(0, room)) queue.push(row);
    if (rows.length > room) lose(rows.length - room);
    return rows.length <= room;
  }

  return {
    get waiting() {
      return queue.length;
    },
    write(rows) {
      put(rows);
      if (timer === null && writing === null && queue.length > 0) schedule(GATHER_MS);
    },
    async writeNow(rows) {
      if (!put(rows)) return false;
      while (rows.some((row) => queue.includes(row))) if (!(await writeWaiting())) return false;
      return true;
    },
    async flush() {
      // A run in progress leaves what came since it began.
      if (writing === null || (await writing)) await writeWaiting();
    },
    async forget(isMeant) {
      while (writing !== null) await writing;
      const before = queue.length;
      queue = queue.filter((row) => !isMeant(row));
      return before - queue.length;
    },
    stop(withinMs = STOP_MS) {
      stopping ??= end(withinMs);
      return stopping;
    },
  };
}
