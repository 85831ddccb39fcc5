import type { Storage, TransactionOf } from '@probity/core';
import type { DeliveryReads, DeliveryWrites } from './deliveries/storage.ts';
import type { WebhookReads, WebhookWrites } from './webhooks/storage.ts';

/** What the storage reads. */
export type StorageReads = WebhookReads & DeliveryReads;
/** What the storage changes. */
export type StorageWrites = WebhookWrites & DeliveryWrites;

/**
 * Storage of webhooks and deliveries. A webhook goes with its organization, a delivery with its
 * webhook and with its event.
 */
export type WebhookStorage = Storage<StorageReads, StorageWrites>;

/** The operations within a transaction of the storage. */
export type WebhookTransaction = TransactionOf<WebhookStorage>;
