import type {
  CallContext,
  DatabaseSession,
  EventStorage,
  Storage,
  TransactionOf,
} from '@probity/core';
import type { AuditWrites } from '@probity/core/internal';
import type { GroupReads, GroupWrites } from './groups/storage.ts';
import type { UserReads, UserWrites } from './users/storage.ts';

/** Read operations of the storage. */
export type StorageReads = UserReads & GroupReads;
/** Write operations of the storage. */
export type StorageWrites = UserWrites & GroupWrites;

/**
 * Storage of users and groups. A host's own adapter implements it over its tables: every operation names the
 * organization, and none returns resources of another. `transaction` runs its work atomically; a transaction that
 * joins another (`scope.session`) commits with it. One on a database of Probity also locks the organization.
 */
export type ScimStorage = EventStorage<StorageReads, StorageWrites> &
  Partial<Pick<Storage<StorageReads, StorageWrites>, 'withTenantLock'>> & {
    /** False in an application without groups, see `NO_GROUPS`: discovery does not have them then. Default: true. */
    readonly hasGroups?: boolean;
  };

/**
 * The operations within a transaction of the storage. One on a database of Probity also has the transaction itself,
 * for the provisioning to join, and the audit log; an adapter of a host need not.
 */
export type ScimTransaction = TransactionOf<ScimStorage> & {
  readonly session?: DatabaseSession;
} & Partial<Pick<AuditWrites, 'recordAudit'>>;

/**
 * Runs a transaction with the organization locked, if it can be: changes of users lock it first, as does all that changes
 * accounts or ends credentials, and deletions, which change several groups. In another order two of them could wait for
 * each other.
 */
export function withOrganizationLock<T>(
  storage: ScimStorage,
  context: CallContext,
  work: (tx: ScimTransaction) => Promise<T>,
): Promise<T> {
  const { organizationId } = context.principal;
  return storage.withTenantLock
    ? storage.withTenantLock(context, organizationId, work)
    : storage.transaction(context, work);
}
