import type { Storage, TransactionOf } from '@probity/core';
import type { DeliveryReads, DeliveryWrites } from './deliveries/storage.ts';
import type { WebhookReads, WebhookWrites } from './webhooks/storage.ts';

/** Read operations of the storage. */
export type StorageReads = WebhookReads & DeliveryReads;
/** Write operations of the storage. */
export type StorageWrites = WebhookWrites & DeliveryWrites;

/**
 * Storage of webhooks and deliveries. Deleting an organization deletes its webhooks; deleting a
 * webhook or an event deletes its deliveries.
 */
export type WebhookStorage = Storage<StorageReads, StorageWrites>;

/** The operations within a transaction of the storage. */
export type WebhookTransaction = TransactionOf<WebhookStorage>;
