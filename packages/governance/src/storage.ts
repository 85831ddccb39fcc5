import type { EventStorage, TransactionOf } from '@probity/core';
import type { AuditWrites } from '@probity/core/internal';
import type { AlertReads, AlertWrites } from './alerts/storage.ts';
import type { ScanReads, ScanWrites } from './scans/storage.ts';

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
