import type { ConfirmCredential } from '../context.ts';
import { notFound } from '../errors.ts';
import type {
  Database,
  DatabaseSession,
  KernelOperations,
  Storage,
  TransactionScope,
} from './database.ts';
import { bindOnDemand } from './on-demand.ts';

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
  const createTx = bindOnDemand<S, Tx>([bindTransaction, (session) => database.kernel(session)]);
  // Calls that join a transaction share its operations: a batch joins one for each of its parts.
  const bound = new WeakMap<S, Tx>();
  const open = (session: S): Tx => {
    const known = bound.get(session);
    if (known) return known;
    const tx = createTx(session);
    bound.set(session, tx);
    return tx;
  };

  function run<T>(scope: TransactionScope, work: (session: S) => Promise<T>): Promise<T> {
    if ('session' in scope) return work(scope.session as S);
    const unit = 'unit' in scope ? scope.unit : undefined;
    if (unit) return unit.open().then((session) => work(session as S));
    return database.transaction(work);
  }

  function transaction<T>(scope: TransactionScope, work: (tx: Tx) => Promise<T>): Promise<T> {
    return run(scope, async (session) => {
      await confirmCaller(scope, session);
      return work(open(session));
    });
  }

  function withTenantLock<T>(
    scope: TransactionScope,
    tenantId: string,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    return run(scope, async (session) => {
      await lockOnce(database, session, tenantId);
      // After the lock, which others hold while they change members: the order excludes deadlocks.
      await confirmCaller(scope, session);
      return work(open(session));
    });
  }

  const reads: Reads = bind(database.reader);
  return Object.assign(reads, { transaction, withTenantLock });
}

/** The tenant that each open transaction has locked last: a change of one resource often changes others with it. */
const locked = new WeakMap<DatabaseSession, string>();

async function lockOnce<S extends DatabaseSession>(
  database: Database<S>,
  session: S,
  tenantId: string,
): Promise<void> {
  if (locked.get(session) === tenantId) return;
  if (!(await database.lockTenant(session, tenantId))) throw notFound('organization');
  locked.set(session, tenantId);
}

/** What was confirmed in each open transaction: those of one request's calls may be the same. */
const confirmed = new WeakMap<DatabaseSession, ConfirmCredential>();

async function confirmCaller(scope: TransactionScope, session: DatabaseSession): Promise<void> {
  const confirm = 'confirm' in scope ? scope.confirm : undefined;
  if (!confirm || confirmed.get(session) === confirm) return;
  await confirm(session);
  confirmed.set(session, confirm);
}
