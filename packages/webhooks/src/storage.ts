import type { Storage, TransactionOf } from '@probity/core';
import type { DeliveryReads, DeliveryWrites } from './deliveries/storage.ts';
import type { ReplayReads, ReplayWrites } from './replays/storage.ts';
import type { SecretReads, SecretWrites } from './secrets/storage.ts';
import type { StatReads, StatWrites } from './stats/storage.ts';
import type { WebhookReads, WebhookWrites } from './webhooks/storage.ts';

/** Read operations of the storage. */
export type StorageReads = WebhookReads & SecretReads & DeliveryReads & ReplayReads & StatReads;
/** Write operations of the storage. */
export type StorageWrites = WebhookWrites &
  SecretWrites &
  DeliveryWrites &
  ReplayWrites &
  StatWrites;

/**
 * Storage of webhooks, their secrets and deliveries. Deleting an organization deletes its webhooks; deleting a
 * webhook deletes its secrets, deliveries and replays, deleting an event its deliveries.
 */
export type WebhookStorage = Storage<StorageReads, StorageWrites>;

/** The operations within a transaction of the storage. */
export type WebhookTransaction = TransactionOf<WebhookStorage>;
