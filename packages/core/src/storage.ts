import type { AuditReads, AuditWrites } from './audit/storage.ts';
import type { EventRecord } from './events.ts';
import type { IdempotencyReads, IdempotencyWrites } from './idempotency/storage.ts';
import type { JobSignal } from './job-signal.ts';
import type { JobReads, JobWrites } from './jobs.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** An open transaction (or the committed state, for reads) of one database. */
export interface Session {
  /** Calls `callback` after the transaction has committed; never when it rolls back. */
  afterCommit(callback: () => void): void;
}

/** Appends events to the outbox: they exist exactly if the change that caused them does. */
export interface Outbox {
  /** Stores the event and the job that will hand it to the subscribers. */
  append(event: EventRecord): Promise<void>;
}

/** Reads of stored events. */
export interface EventReads {
  /** The event, or null when there is none (any more). */
  findEvent(id: string): Promise<EventRecord | null>;
}

/** Changes of stored events; they come to be by the {@link Outbox}. */
export interface EventWrites {
  /**
   * Deletes up to `limit` events made before `before`, oldest first, with all rows that refer to
   * them, such as deliveries; answers how many. An event stays while a job names it as `eventId`.
   */
  deleteEvents(before: Date, limit: number): Promise<number>;
}

/** What every transaction offers besides the operations of the package whose storage opened it. */
export interface KernelWrites
  extends JobReads,
    JobWrites,
    EventReads,
    EventWrites,
    AuditReads,
    AuditWrites,
    IdempotencyReads,
    IdempotencyWrites {
  /** The transaction itself, for another package's storage to join. */
  readonly session: Session;
  readonly outbox: Outbox;
}

/**
 * A database that storage adapters are bound to: memory, SQLite or PostgreSQL. `S` is its kind of
 * session, which only adapters of the same database understand.
 */
export interface Database<S extends Session = Session> {
  /** Reads of the last committed state, outside any transaction. */
  readonly reader: S;
  /** Fires for each queue that a transaction of this process stored jobs in. */
  readonly jobSignal: JobSignal;
  /**
   * Runs `work` in a transaction: all of its changes are kept when it resolves, none when it
   * rejects. Resolves after the commit is durable. `work` must do nothing but talk to its session:
   * it may run again when the database reports a conflict, and on SQLite it holds the only writer.
   */
  transaction<T>(work: (session: S) => Promise<T>): Promise<T>;
  /**
   * Serialises this transaction with every other that locks the same organization, until it ends.
   * Invariants over an organization (last owner, quotas, the 100th webhook) are decided under it.
   * @returns false when there is no such organization
   */
  lockOrganization(session: S, organizationId: string): Promise<boolean>;
  /** Outbox, events and jobs on a session. */
  kernel(session: S): KernelWrites;
  /**
   * Whether the database answers and, after a write has failed for want of room or the like, takes
   * writes again; rejects with the reason when it does not.
   */
  ping(): Promise<void>;
  /** Ends all connections after open transactions have finished. */
  close(): Promise<void>;
}

/**
 * A package's storage: its reads, on the committed state, and transactions, in which the same
 * reads, its writes and the kernel's are bound to one connection. Writes exist in transactions only.
 */
export type Storage<Reads, Writes> = Reads & Transactions<Reads & Writes & KernelWrites>;

/** How a storage opens transactions. `scope.session` joins one that is open already. */
export interface Transactions<Tx> {
  /** Runs `work` in a transaction; see {@link Database.transaction}. */
  transaction<T>(work: (tx: Tx) => Promise<T>, scope?: TransactionScope): Promise<T>;
  /**
   * Like `transaction`, under {@link Database.lockOrganization}.
   * @throws ProbityError `not_found` when there is no such organization
   */
  withOrganizationLock<T>(
    organizationId: string,
    work: (tx: Tx) => Promise<T>,
    scope?: TransactionScope,
  ): Promise<T>;
}

/**
 * Where a transaction belongs. A joined transaction commits and rolls back with the one it joins,
 * so an error of `work` must be let through.
 */
export interface TransactionScope {
  readonly session?: Session | undefined;
  /** Joins the unit's transaction, and begins it if it has not begun. */
  readonly unit?: UnitOfWork | undefined;
}
