import type { Clock, Timer } from '../clock.ts';
import { ProbityError } from '../errors.ts';
import type { Database, DatabaseSession } from './database.ts';

/**
 * Maximum duration of a unit of work. It takes milliseconds unless a handler hangs, in which case
 * it must not hold a connection, or SQLite's only writer, forever.
 */
export const UNIT_OF_WORK_LIMIT_MS = 10_000;

/**
 * One transaction around everything that a request stores. It begins with the first write, so that
 * nothing slow (name resolution, a scan) holds it open, and ends when the request's response is
 * known, so that the response is stored together with its effect.
 */
export interface UnitOfWork {
  /** The transaction, begun at the first call. */
  open(): Promise<DatabaseSession>;
}

/** A unit of work, with the operations that end it. */
export interface ManagedUnitOfWork extends UnitOfWork {
  /**
   * Runs `last` in the transaction, begun now if nothing was written, and commits.
   * @throws ProbityError `unavailable` when the database rolled everything back (a conflict with
   *   another transaction, a lost connection), or the unit was open for {@link
   *   UNIT_OF_WORK_LIMIT_MS}
   */
  commit(last: (session: DatabaseSession) => Promise<void>): Promise<void>;
  /**
   * Rolls everything back because of `reason`. Resolves when the transaction has ended, to the
   * error that explains the failure best: that of `first`, `unavailable` as for `commit`, else
   * `reason`.
   */
  rollback(reason: unknown): Promise<unknown>;
}

type Ending = (session: DatabaseSession) => Promise<void>;

/**
 * Creates a unit of work on a database. `first` runs at the start of the transaction; its error is
 * thrown to the caller that opened it.
 */
export function createUnitOfWork<S extends DatabaseSession>(
  database: Database<S>,
  clock: Pick<Clock, 'setTimer'>,
  first: (session: S) => Promise<void>,
): ManagedUnitOfWork {
  let opened: Promise<DatabaseSession> | null = null;
  let ended: Promise<void> = Promise.resolve();
  let finish: (ending: Ending) => void = () => undefined;

  function begin(): Promise<DatabaseSession> {
    const ending = new Promise<Ending>((resolve) => {
      finish = resolve;
    });
    return new Promise<DatabaseSession>((resolve, reject) => {
      let limit: Timer | undefined;
      ended = database.transaction(async (session) => {
        // The caller has used the first attempt's session, so a retry would have no user.
        if (limit) throw notStored('was undone by the database');
        await first(session);
        limit = clock.setTimer(() => finish(giveUp), UNIT_OF_WORK_LIMIT_MS);
        resolve(session);
        await (await ending)(session);
      });
      ended.catch(reject).finally(() => limit?.cancel());
    });
  }

  function open(): Promise<DatabaseSession> {
    opened ??= begin();
    return opened;
  }

  return {
    open,
    async commit(last) {
      await open();
      finish(last);
      await ended;
    },
    async rollback(reason) {
      if (!opened) return reason;
      finish(() => Promise.reject(reason));
      return ended.then(
        () => reason,
        (error: unknown) => error,
      );
    },
  };
}

async function giveUp(): Promise<never> {
  throw notStored('took too long');
}

function notStored(what: string): ProbityError {
  return new ProbityError(
    'unavailable',
    `The request ${what} and nothing was stored; send it again.`,
    { headers: { 'Retry-After': '1' } },
  );
}
