import type { EventStorage, TransactionOf } from '@probity/core';
import type { AuditWrites } from '@probity/core/internal';
import type { AlertReads, AlertWrites } from './alerts/storage.ts';
import type { BatchStorage } from './batches/storage.ts';
import type { PolicyStorage } from './policies/storage.ts';
import type { ProtectedTextStorage } from './protected-texts/storage.ts';
import type { ScanReads, ScanWrites } from './scans/storage.ts';
import type { UpkeepStorage } from './settings/storage.ts';

/** Read operations of the storage. */
export type StorageReads = ScanReads & AlertReads;
/** Write operations of the storage. */
export type StorageWrites = ScanWrites & AlertWrites;

/** Storage of scans and alerts. Both are deleted with their organization; alerts outlive scans. */
export type GovernanceStorage = EventStorage<
  StorageReads,
  StorageWrites & Pick<AuditWrites, 'recordAudit'>
>;

/** The operations within a transaction of the storage. */
export type GovernanceTransaction = TransactionOf<GovernanceStorage>;

/**
 * Everything that governance stores, certificates aside: `createMemoryGovernanceStorages` and, from
 * `@probity/governance/sql`, `createSqlGovernanceStorages` make all of them on one database.
 */
export interface GovernanceStorages {
  /** Scans and alerts. */
  readonly storage: GovernanceStorage;
  readonly policyStorage: PolicyStorage;
  readonly batchStorage: BatchStorage;
  /** Settings of organizations, and how far their days were summed up. */
  readonly upkeepStorage: UpkeepStorage;
  readonly protectedTextStorage: ProtectedTextStorage;
}
