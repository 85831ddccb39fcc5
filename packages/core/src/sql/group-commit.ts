import { setTimeout as delay } from 'node:timers/promises';
import type { SqlSession } from './session.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

/** Runs transactions on the one writing connection. */
export interface GroupCommit {
  submit<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Refuses further transactions and resolves when those submitted have ended. */
  close(): Promise<void>;
}

interface Member {
  run(session: SqlSession): Promise<void>;
  /** Tells the caller how it ended; called after the commit. */
  settle(): void;
  fail(error: unknown): void;
  readonly failed: boolean;
}

type CreateSession = (callbacks: Array<() => void>, isOpen: () => boolean) => SqlSession;

const MAX_GROUP_SIZE = 256;
const BUSY_RETRIES = 10;

/**
 * Group commit: the transactions that wait in one turn of the event loop share one outer
 * transaction, each within a savepoint of its own, and are answered after its commit. One sync to
 * disk then serves them all.
 */
export function createGroupCommit(
  connection: SqliteConnection,
  createSession: CreateSession,
): GroupCommit {
  const waiting: Member[] = [];
  let draining: Promise<void> | null = null;
  let closed = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting.splice(0, MAX_GROUP_SIZE);
      await runGroup(connection, group, createSession);
    }
    draining = null;
  }

  return {
    submit<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new Error('The database is closed.'));
      return new Promise<T>((resolve, reject) => {
        waiting.push(createMember(work, resolve, reject));
        draining ??= drain();
      });
    },
    async close() {
      closed = true;
      await draining;
    },
  };
}

function createMember<T>(
  work: (session: SqlSession) => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Member {
  let settle: () => void = () => undefined;
  let failed = false;
  return {
    async run(session) {
      const value = await work(session);
      settle = () => resolve(value);
    },
    settle: () => settle(),
    fail(error) {
      failed = true;
      settle = () => reject(error);
    },
    get failed() {
      return failed;
    },
  };
}

async function runGroup(
  connection: SqliteConnection,
  group: readonly Member[],
  createSession: CreateSession,
): Promise<void> {
  const callbacks: Array<() => void> = [];
  try {
    await begin(connection);
    for (const member of group)
      callbacks.push(...(await runMember(connection, member, createSession)));
    connection.exec('COMMIT');
  } catch (error) {
    // The outer transaction is lost and with it every member's work.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    callbacks.length = 0;
    for (const member of group) if (!member.failed) member.fail(error);
  }
  for (const member of group) member.settle();
  for (const callback of callbacks) callback();
}

/** Runs one member in its savepoint; answers what to call after the commit. */
async function runMember(
  connection: SqliteConnection,
  member: Member,
  createSession: CreateSession,
): Promise<Array<() => void>> {
  const callbacks: Array<() => void> = [];
  let open = true;
  connection.exec('SAVEPOINT member');
  try {
    await member.run(createSession(callbacks, () => open));
    connection.exec('RELEASE member');
    return callbacks;
  } catch (error) {
    member.fail(error);
    // A full disk or an I/O error ends the outer transaction by itself.
    if (!connection.inTransaction) throw error;
    connection.exec('ROLLBACK TO member');
    connection.exec('RELEASE member');
    return [];
  } finally {
    open = false;
  }
}

/** Begins as a writer at once, so that no statement later fails for want of the lock. */
async function begin(connection: SqliteConnection): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      connection.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      const busy = (error as { code?: unknown }).code === 'SQLITE_BUSY';
      if (!busy || attempt === BUSY_RETRIES) throw error;
      await delay(20 * attempt);
    }
  }
}
