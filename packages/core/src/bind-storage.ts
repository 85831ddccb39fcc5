import { notFound } from './errors.ts';
import type { Database, KernelWrites, Session, Storage, TransactionScope } from './storage.ts';

/**
 * Makes a package's storage from its operations on one session. This is all that stands between a
 * package's queries and transactions, so memory, SQLite and PostgreSQL differ in `bind` alone.
 */
export function bindStorage<S extends Session, Reads extends object, Writes extends object>(
  database: Database<S>,
  bind: (session: S) => Reads & Writes,
): Storage<Reads, Writes> {
  type Tx = Reads & Writes & KernelWrites;
  const open = (session: S): Tx => Object.assign(bind(session), database.kernel(session));

  function transaction<T>(work: (tx: Tx) => Promise<T>, scope?: TransactionScope): Promise<T> {
    if (scope?.session) return work(open(scope.session as S));
    if (scope?.unit) return scope.unit.open().then((session) => work(open(session as S)));
    return database.transaction((session) => work(open(session)));
  }

  function withOrganizationLock<T>(
    organizationId: string,
    work: (tx: Tx) => Promise<T>,
    scope?: TransactionScope,
  ): Promise<T> {
    return transaction(async (tx) => {
      const exists = await database.lockOrganization(tx.session as S, organizationId);
      if (!exists) throw notFound('organization');
      return work(tx);
    }, scope);
  }

  const reads: Reads = bind(database.reader);
  return Object.assign(reads, { transaction, withOrganizationLock });
}
