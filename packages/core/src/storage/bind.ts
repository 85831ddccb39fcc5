import { notFound } from '../errors.ts';
import type {
  Database,
  DatabaseSession,
  KernelOperations,
  Storage,
  TransactionScope,
} from './database.ts';

/**
 * Creates a package's storage from its operations on one session. Nothing else separates a
 * package's queries from transactions, so memory, SQLite and PostgreSQL differ in `bind` alone.
 * @param bindTransaction how each transaction is bound; default `bind`. See {@link
 *   combineResources}
 */
export function bindStorage<S extends DatabaseSession, Reads extends object, Writes extends object>(
  database: Database<S>,
  bind: (session: S) => Reads & Writes,
  bindTransaction: (session: S) => Reads & Writes = bind,
): Storage<Reads, Writes> {
  type Tx = Reads & Writes & KernelOperations;
  const open = (session: S): Tx =>
    Object.assign(bindTransaction(session), database.kernel(session));

  function transaction<T>(scope: TransactionScope, work: (tx: Tx) => Promise<T>): Promise<T> {
    if ('session' in scope) return work(open(scope.session as S));
    const unit = 'unit' in scope ? scope.unit : undefined;
    if (unit) return unit.open().then((session) => work(open(session as S)));
    return database.transaction((session) => work(open(session)));
  }

  function withTenantLock<T>(
    scope: TransactionScope,
    tenantId: string,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    return transaction(scope, async (tx) => {
      const exists = await database.lockTenant(tx.session as S, tenantId);
      if (!exists) throw notFound('organization');
      return work(tx);
    });
  }

  const reads: Reads = bind(database.reader);
  return Object.assign(reads, { transaction, withTenantLock });
}
