import type { Storage, TransactionOf } from '@probity/core';
import type { AlertReads, AlertWrites } from './alerts/storage.ts';
import type { ScanReads, ScanWrites } from './scans/storage.ts';

/** What the storage reads. */
export type StorageReads = ScanReads & AlertReads;
/** What the storage changes. */
export type StorageWrites = ScanWrites & AlertWrites;

/** Storage of scans and alerts; both go with their organization, an alert outlives its scan. */
export type GovernanceStorage = Storage<StorageReads, StorageWrites>;

/** The operations within a transaction of the storage. */
export type GovernanceTransaction = TransactionOf<GovernanceStorage>;
