import type { Clock, Timer } from '../clock.ts';
import { ProbityError } from '../errors.ts';
import type { Database, Session } from './database.ts';

/**
 * How long a unit of work may stay open. It is over within milliseconds unless a handler hangs,
 * and then it must not hold a connection, or SQLite's only writer, for ever.
 */
export const UNIT_OF_WORK_LIMIT_MS = 10_000;

/**
 * One transaction around everything that a request stores. It begins with the first write, so that
 * nothing slow (name resolution, a scan) holds it open, and ends when the request's answer is
 * known, so that the answer can be stored with what it tells of.
 */
export interface UnitOfWork {
  /** The transaction, begun at the first call. */
  open(): Promise<Session>;
}

/** A unit of work whose end is in somebody's hands. */
export interface ManagedUnitOfWork extends UnitOfWork {
  /**
   * Runs `last` in the transaction, begun now if nothing was written, and commits.
   * @throws ProbityError `unavailable` when the database undid everything (a conflict with another
   *   transaction, a lost connection), or the unit was open for {@link UNIT_OF_WORK_LIMIT_MS}
   */
  commit(last: (session: Session) => Promise<void>): Promise<void>;
  /**
   * Undoes everything because of `reason`. Resolves when the transaction has ended, to the error
   * that tells best why: what `first` threw, `unavailable` as for `commit`, else `reason`.
   */
  rollback(reason: unknown): Promise<unknown>;
}

type Ending = (session: Session) => Promise<void>;

/**
 * Creates a unit of work on a database. `first` runs at the begin of the transaction; what it
 * throws is thrown to whoever opened it.
 */
export function createUnitOfWork<S extends Session>(
  database: Database<S>,
  clock: Pick<Clock, 'setTimer'>,
  first: (session: S) => Promise<void>,
): ManagedUnitOfWork {
  let opened: Promise<Session> | null = null;
  let ended: Promise<void> = Promise.resolve();
  let finish: (ending: Ending) => void = () => undefined;

  function begin(): Promise<Session> {
    const ending = new Promise<Ending>((resolve) => {
      finish = resolve;
    });
    return new Promise<Session>((resolve, reject) => {
      let limit: Timer | undefined;
      ended = database.transaction(async (session) => {
        // The caller has used the first attempt's session; there is nobody to use another one.
        if (limit) throw notStored('was undone by the database');
        await first(session);
        limit = clock.setTimer(() => finish(giveUp), UNIT_OF_WORK_LIMIT_MS);
        resolve(session);
        await (await ending)(session);
      });
      ended.catch(reject).finally(() => limit?.cancel());
    });
  }

  function open(): Promise<Session> {
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
