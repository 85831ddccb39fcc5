import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { createDeliveryOperations } from './deliveries/memory.ts';
import { createReplayOperations } from './replays/memory.ts';
import { createSecretOperations } from './secrets/memory.ts';
import { createStatOperations } from './stats/memory.ts';
import type { StorageReads, StorageWrites, WebhookStorage } from './storage.ts';
import { createWebhookOperations } from './webhooks/memory.ts';

/** The storage of webhooks and deliveries in memory. */
export function createMemoryWebhookStorage(database: Database<MemorySession>): WebhookStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(database, (session) => ({
    ...createWebhookOperations(session),
    ...createSecretOperations(session),
    ...createDeliveryOperations(session),
    ...createReplayOperations(session),
    ...createStatOperations(session),
  }));
}
