import type { AuditReads, AuditWrites } from '../audit/storage.ts';
import type { CallContext } from '../context.ts';
import type { EventReads, EventWrites, Outbox } from '../events/storage.ts';
import type { IdempotencyReads, IdempotencyWrites } from '../idempotency/storage.ts';
import type { JobSignal } from '../jobs/signal.ts';
import type { JobReads, JobWrites } from '../jobs/storage.ts';
import type { ScopedTokenReads, ScopedTokenWrites } from '../scoped-tokens/storage.ts';
import type { TenantReads, TenantWrites } from '../tenants/storage.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** An open transaction (or the committed state, for reads) of one database. */
export interface DatabaseSession {
  /** Calls `callback` after the transaction has committed; never when it rolls back. */
  afterCommit(callback: () => void): void;
}

/** Operations of every transaction besides those of the package whose storage opened it. */
export interface KernelOperations
  extends JobReads,
    JobWrites,
    EventReads,
    EventWrites,
    AuditReads,
    AuditWrites,
    IdempotencyReads,
    IdempotencyWrites,
    TenantReads,
    TenantWrites,
    ScopedTokenReads,
    ScopedTokenWrites {
  /** The transaction itself, for another package's storage to join. */
  readonly session: DatabaseSession;
  readonly outbox: Outbox;
}

/** How a transaction commits. */
export interface TransactionOptions {
  /**
   * `deferred` resolves as soon as others see the changes, before they are on disk: a failure of the power or of
   * the operating system may undo them, with all later ones that are not durable either, and never a part of them.
   * The end of the process undoes nothing. For changes that are made again when they are missing, such as the
   * lease of a job. Default: `full`.
   */
  readonly durability?: 'full' | 'deferred';
  /**
   * Whether its queries read the first rows of large tables in the order of an index. PostgreSQL is then kept from
   * reading and sorting all rows where it expects few, as of a table that has grown since it was analyzed. Default:
   * false.
   */
  readonly readsInOrder?: boolean;
  /**
   * Whether the time limits on statements and on idle transactions are off, as for migrations, whose duration grows
   * with the data. Default: false.
   */
  readonly hasNoTimeLimit?: boolean;
}

/**
 * A database that storage adapters are bound to: memory, SQLite or PostgreSQL. `S` is its session
 * type, which only adapters of the same database understand.
 */
export interface Database<S extends DatabaseSession = DatabaseSession> {
  /** Reads of the last committed state, outside any transaction. */
  readonly reader: S;
  /** Emits a signal for each queue in which a transaction of this process stored jobs. */
  readonly jobSignal: JobSignal;
  /**
   * Runs `work` in a transaction: all of its changes are kept when it resolves, none when it
   * rejects. Resolves after the commit is durable, unless `options` say otherwise. `work` may only use its session: it may run
   * again when the database reports a conflict, and on SQLite it holds the only writer.
   */
  transaction<T>(work: (session: S) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Serialises this transaction with all others that lock the same tenant, until it ends.
   * Invariants of a tenant (last owner, quotas, the 100th webhook) are checked under it.
   * @returns false when there is no such tenant, or it was removed
   */
  lockTenant(session: S, tenantId: string): Promise<boolean>;
  /** Outbox, events and jobs on a session. */
  kernel(session: S): KernelOperations;
  /**
   * Checks that the database answers and, after a write has failed for lack of space or the like,
   * accepts writes again; rejects with the reason when it does not.
   */
  ping(): Promise<void>;
  /** Closes all connections after open transactions have finished. */
  close(): Promise<void>;
}

/**
 * A package's storage: its reads, on the committed state, and transactions, in which the same
 * reads, its writes and the kernel's are bound to one connection. Writes exist only in
 * transactions.
 */
export type Storage<Reads, Writes> = Reads & Transactions<Reads & Writes & KernelOperations>;

/**
 * A storage whose package uses, of the kernel, the outbox alone: as little as a host's own adapter
 * has to implement.
 */
export type EventStorage<Reads, Writes> = Reads &
  Pick<Transactions<Reads & Writes & EventOperations>, 'transaction'>;

/** Appends events within a transaction. */
interface EventOperations {
  readonly outbox: Pick<Outbox, 'append'>;
}

/** The operations within a transaction of a storage. */
export type TransactionOf<S> = S extends Pick<Transactions<infer Tx>, 'transaction'> ? Tx : never;

/** How a storage opens transactions. */
export interface Transactions<Tx> {
  /**
   * Runs `work` in a transaction; see {@link Database.transaction}.
   * @param scope the call that causes the change, whose unit of work the transaction joins; its
   *   credential is confirmed first
   */
  transaction<T>(scope: TransactionScope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, under {@link Database.lockTenant}.
   * @throws ProbityError `not_found` when there is no such tenant
   */
  withTenantLock<T>(
    scope: TransactionScope,
    tenantId: string,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T>;
}

/**
 * Where a transaction belongs: to the request of a call, to another open transaction, or to
 * neither. A joined transaction commits and rolls back with the one it joins, so an error of `work`
 * must be rethrown.
 */
export type TransactionScope =
  | Pick<CallContext, 'requestId' | 'unit' | 'confirm'>
  | { readonly unit: UnitOfWork }
  | { readonly session: DatabaseSession }
  | typeof OUTSIDE_REQUEST;

/** The scope of work without a request, such as a worker's: a separate transaction. */
export const OUTSIDE_REQUEST: Readonly<{ outsideRequest: true }> = Object.freeze({
  outsideRequest: true,
});
