import type { Storage, TransactionOf } from '@probity/core';
import type { IntegrationReads, IntegrationWrites } from './integrations/storage.ts';

/** Reads of all resources; for a second resource, intersect its reads here. */
export type StorageReads = IntegrationReads;
/** Writes of all resources. */
export type StorageWrites = IntegrationWrites;

/** Storage of integrations; deleting an organization deletes its integrations. */
export type IntegrationsStorage = Storage<StorageReads, StorageWrites>;

/** The operations within a transaction of the storage. */
export type IntegrationsTransaction = TransactionOf<IntegrationsStorage>;
