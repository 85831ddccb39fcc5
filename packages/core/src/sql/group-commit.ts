import { runAfterCommit } from '../storage/after-commit.ts';
import type { TransactionOptions } from '../storage/database.ts';
import type { BusyWait } from './busy.ts';
import { busyDelayMs, busyError, isBusy, retryWhileBusy } from './busy.ts';
import type { SqlSession } from './session.ts';
import type { SqliteConnection, SqliteStatement } from './sqlite-driver.ts';

/** Runs transactions on the only writing connection. */
export interface GroupCommit {
  submit<T>(work: (session: SqlSession) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Rejects further transactions and resolves when those submitted have ended. */
  close(): Promise<void>;
}

interface Member {
  /** When the transaction was submitted, in monotonic milliseconds. */
  readonly submittedMs: number;
  /** Whether the commit may return before it is on disk. */
  readonly mayDefer: boolean;
  run(session: SqlSession): Promise<void>;
  /** Reports the outcome to the caller; called after the commit. */
  settle(): void;
  fail(error: unknown): void;
  readonly failed: boolean;
}

/** The statements that delimit transactions, prepared once. */
interface Bounds {
  readonly begin: SqliteStatement;
  readonly commit: SqliteStatement;
  readonly savepoint: SqliteStatement;
  readonly release: SqliteStatement;
  readonly rollbackTo: SqliteStatement;
}

type CreateSession = (callbacks: Array<() => void>, isOpen: () => boolean) => SqlSession;

const MAX_GROUP_SIZE = 256;

/**
 * How long transactions wait for others while several come at a time. The answers to one group call forth the requests
 * of the next, of which the first would otherwise not wait for the last: two groups of half the size would take turns.
 */
const COLLECTING_MS = 1;

/**
 * Group commit: transactions that wait in one turn of the event loop share one outer transaction,
 * each within a separate savepoint, and resolve after its commit. One sync to disk then serves them
 * all; there is none when all of them may be deferred.
 */
export function createGroupCommit(
  connection: SqliteConnection,
  createSession: CreateSession,
  busy: BusyWait,
): GroupCommit {
  const bounds: Bounds = {
    begin: connection.prepare('BEGIN IMMEDIATE'),
    commit: connection.prepare('COMMIT'),
    savepoint: connection.prepare('SAVEPOINT member'),
    release: connection.prepare('RELEASE member'),
    rollbackTo: connection.prepare('ROLLBACK TO member'),
  };
  const keepUndoInMemory = createUndoSetting(connection);
  const setDurability = durabilityOf(connection);
  // Neither can be changed within a transaction.
  const prepare = (next: readonly Member[]) => {
    setDurability(next.some(({ mayDefer }) => !mayDefer));
    keepUndoInMemory(next.length > 1);
  };
  const waiting: Member[] = [];
  let lastSize = 0;
  let draining: Promise<void> | null = null;
  let closed = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      if (lastSize > 1) await busy.wait(COLLECTING_MS);
      await new Promise((resolve) => setImmediate(resolve));
      let group: Member[];
      try {
        group = await begin(bounds, waiting, prepare, busy);
      } catch (error) {
        for (const member of waiting.splice(0, MAX_GROUP_SIZE)) reject(member, error);
        continue;
      }
      lastSize = group.length;
      if (group.length > 0) await runGroup(connection, bounds, group, createSession, busy);
    }
    draining = null;
  }

  return {
    submit<T>(
      work: (session: SqlSession) => Promise<T>,
      { durability }: TransactionOptions = {},
    ): Promise<T> {
      if (closed) return Promise.reject(new Error('The database is closed.'));
      return new Promise<T>((resolve, reject) => {
        const mayDefer = durability === 'deferred';
        waiting.push(new GroupMember(work, resolve, reject, busy.now(), mayDefer));
        draining ??= drain();
      });
    },
    async close() {
      closed = true;
      await draining;
    },
  };
}

/**
 * Keeps the pages that savepoints may have to restore in memory, not in a temporary file of which SQLite writes each
 * page. One transaction alone has no savepoint, and may change more than fits into memory, as migrations do.
 */
function createUndoSetting(connection: SqliteConnection): (isInMemory: boolean) => void {
  let isKept = false;
  return (isInMemory) => {
    if (isKept === isInMemory) return;
    connection.pragma(`temp_store = ${isInMemory ? 'memory' : 'file'}`);
    isKept = isInMemory;
  };
}

/**
 * Sets whether a commit is on disk when it returns. Without it, WAL keeps the order of commits and loses none when
 * the process ends.
 */
function durabilityOf(connection: SqliteConnection): (isDurable: boolean) => void {
  let current: boolean | undefined;
  return (isDurable) => {
    if (isDurable === current) return;
    connection.pragma(`synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
    current = isDurable;
  };
}

// A class: an accessor in an object literal costs every member a separate hidden class.
class GroupMember<T> implements Member {
  readonly #work: (session: SqlSession) => Promise<T>;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: unknown) => void;
  #end: () => void = () => undefined;
  readonly submittedMs: number;
  readonly mayDefer: boolean;
  failed = false;

  constructor(
    work: (session: SqlSession) => Promise<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
    submittedMs: number,
    mayDefer: boolean,
  ) {
    this.submittedMs = submittedMs;
    this.mayDefer = mayDefer;
    this.#work = work;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  async run(session: SqlSession): Promise<void> {
    const value = await this.#work(session);
    this.#end = () => this.#resolve(value);
  }

  fail(error: unknown): void {
    this.failed = true;
    this.#end = () => this.#reject(error);
  }

  settle(): void {
    this.#end();
  }
}

async function runGroup(
  connection: SqliteConnection,
  bounds: Bounds,
  group: readonly Member[],
  createSession: CreateSession,
  busy: BusyWait,
): Promise<void> {
  const callbacks: Array<() => void> = [];
  // Undone with the outer transaction, a member that is alone needs no savepoint, whose pages are kept twice.
  const isAlone = group.length === 1;
  try {
    for (const member of group) {
      const run = () => runMember(member, createSession);
      callbacks.push(
        ...(await (isAlone ? run() : runInSavepoint(connection, bounds, member, run))),
      );
    }
    await commit(bounds, busy);
  } catch (error) {
    // The outer transaction is lost, and every member's work with it.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    callbacks.length = 0;
    for (const member of group) if (!member.failed) member.fail(error);
  }
  for (const member of group) member.settle();
  runAfterCommit(callbacks);
}

/** Runs one member; returns the functions to call after the commit. */
async function runMember(member: Member, createSession: CreateSession): Promise<Array<() => void>> {
  const callbacks: Array<() => void> = [];
  let open = true;
  try {
    await member.run(createSession(callbacks, () => open));
    return callbacks;
  } finally {
    open = false;
  }
}

/** Runs one member of several, of which an error undoes its own work only. */
async function runInSavepoint(
  connection: SqliteConnection,
  bounds: Bounds,
  member: Member,
  run: () => Promise<Array<() => void>>,
): Promise<Array<() => void>> {
  bounds.savepoint.run();
  try {
    const callbacks = await run();
    bounds.release.run();
    return callbacks;
  } catch (error) {
    member.fail(error);
    // A full disk or an I/O error ends the outer transaction implicitly.
    if (!connection.inTransaction) throw error;
    bounds.rollbackTo.run();
    bounds.release.run();
    return [];
  }
}

/**
 * Begins as a writer at once, so that no later statement fails to obtain the lock. Transactions
 * that are submitted in the meantime wait too; each is removed and fails after its own timeout.
 *
 * @returns the members of the transaction that has begun; none when none waits any more
 */
async function begin(
  { begin: statement }: Bounds,
  waiting: Member[],
  prepare: (next: readonly Member[]) => void,
  busy: BusyWait,
): Promise<Member[]> {
  const startMs = busy.now();
  for (let attempt = 0; waiting.length > 0; attempt += 1) {
    try {
      const next = waiting.slice(0, MAX_GROUP_SIZE);
      prepare(next);
      statement.run();
      return waiting.splice(0, next.length);
    } catch (error) {
      if (!isBusy(error)) throw error;
      rejectOverdue(waiting, startMs, busy, error);
    }
    await busy.wait(busyDelayMs(attempt, busy.random()));
  }
  return [];
}

/** A transaction has waited for the lock since it was submitted, but not before `startMs`. */
function rejectOverdue(waiting: Member[], startMs: number, busy: BusyWait, cause: unknown): void {
  const nowMs = busy.now();
  const waitedMs = ({ submittedMs }: Member) => nowMs - Math.max(submittedMs, startMs);
  const first = waiting.findIndex((member) => waitedMs(member) < busy.timeoutMs);
  // At once: to remove the first of a long array moves all others.
  for (const member of waiting.splice(0, first < 0 ? waiting.length : first)) {
    reject(member, busyError(busy, waitedMs(member), cause));
  }
}

/** In WAL a commit is never busy; without WAL it waits for readers, and can be repeated. */
async function commit({ commit: statement }: Bounds, busy: BusyWait): Promise<void> {
  try {
    statement.run();
  } catch (error) {
    if (!isBusy(error)) throw error;
    await retryWhileBusy(busy, () => statement.run());
  }
}

function reject(member: Member, error: unknown): void {
  member.fail(error);
  member.settle();
}
