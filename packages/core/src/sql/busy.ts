import { setTimeout as delay } from 'node:timers/promises';

/** How a connection waits for a lock that another transaction holds. */
export interface BusyWait {
  /** Path of the database file, for the error. */
  readonly path: string;
  /** How long to wait before the error. */
  readonly timeoutMs: number;
  /** Monotonic time in milliseconds. */
  now(): number;
  wait(delayMs: number): Promise<void>;
  /** A random number from 0 to 1. */
  random(): number;
}

/**
 * Waits by timers of the process, which a clock's timers would not keep alive: a command that has
 * nothing else to do would end before its write.
 */
export function createBusyWait(path: string, timeoutMs: number): BusyWait {
  return {
    path,
    timeoutMs,
    now: () => performance.now(),
    wait: (delayMs) => delay(delayMs),
    random: Math.random,
  };
}

/** Whether SQLite did not run a statement because of the lock of another connection. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && /^SQLITE_BUSY(?:_|$)/.test(code);
}

const DELAYS_MS = [1, 2, 5, 10];
const LONGEST_DELAY_MS = 20;

/**
 * Time until the next attempt: short at first, since most transactions take less than a
 * millisecond, and never equal for two processes that wait for the same one.
 */
export function busyDelayMs(attempt: number, random: number): number {
  return (DELAYS_MS[attempt] ?? LONGEST_DELAY_MS) * (0.5 + random / 2);
}

/**
 * Runs `attempt` until no other transaction is in the way. SQLite's own busy timeout is not used:
 * it blocks the event loop, and with it the transaction of the same process that holds the lock.
 *
 * @throws Error `SQLITE_BUSY` after the timeout
 */
export async function retryWhileBusy<T>(busy: BusyWait, attempt: () => T): Promise<T> {
  const startMs = busy.now();
  for (let count = 0; ; count += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waitedMs = busy.now() - startMs;
      if (waitedMs >= busy.timeoutMs) throw busyError(busy, waitedMs, error);
    }
    await busy.wait(busyDelayMs(count, busy.random()));
  }
}

/** The error after the timeout; it keeps SQLite's code, which the interfaces answer with 503. */
export function busyError({ path }: BusyWait, waitedMs: number, cause: unknown): Error {
  const message =
    `Another transaction holds the database file ${path}; waited ${Math.round(waitedMs)} ms for ` +
    'it (busyTimeoutMs). Commit or roll back the transaction before Probity is called, or pass it ' +
    'to Probity (sessionOf); if another program writes for that long, raise ' +
    'busyTimeoutMs of createSqliteDatabase.';
  const { code } = cause as { code?: unknown };
  return Object.assign(new Error(message, { cause }), { code });
}
