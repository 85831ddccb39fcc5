import type { Database, Session } from './storage.ts';

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
  /** Runs `last` in the transaction, begun now if nothing was written, and commits. */
  commit(last: (session: Session) => Promise<void>): Promise<void>;
  /** Undoes everything; does nothing when nothing was begun. */
  rollback(): Promise<void>;
}

/** Why a transaction is given up on purpose. */
class RolledBack extends Error {}

/**
 * Creates a unit of work on a database. `first` runs at the begin of the transaction; what it
 * throws is thrown to whoever opened it.
 */
export function createUnitOfWork<S extends Session>(
  database: Database<S>,
  first: (session: S) => Promise<void>,
): ManagedUnitOfWork {
  let opened: Promise<Session> | null = null;
  let ended: Promise<void> = Promise.resolve();
  let finish: (last: (session: Session) => Promise<void>) => void = () => undefined;

  function begin(): Promise<Session> {
    const finishing = new Promise<(session: Session) => Promise<void>>((resolve) => {
      finish = resolve;
    });
    return new Promise<Session>((resolve, reject) => {
      let isRepeated = false;
      ended = database.transaction(async (session) => {
        // The caller has used the first attempt's session; there is nobody to use another one.
        if (isRepeated) throw new Error('The transaction met a conflict; send the request again.');
        isRepeated = true;
        await first(session);
        resolve(session);
        await (await finishing)(session);
      });
      ended.catch(reject);
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
    async rollback() {
      if (!opened) return;
      finish(async () => {
        throw new RolledBack('The unit of work was rolled back.');
      });
      await ended.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    },
  };
}
