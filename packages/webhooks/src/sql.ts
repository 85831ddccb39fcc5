import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createDeliveryReads, createDeliveryWrites } from './deliveries/sql.ts';
import { createReplayReads, createReplayWrites } from './replays/sql.ts';
import { createSecretReads, createSecretWrites } from './secrets/sql.ts';
import { createStatReads, createStatWrites } from './stats/sql.ts';
import type { StorageReads, StorageWrites, WebhookStorage } from './storage.ts';
import { createWebhookReads, createWebhookWrites } from './webhooks/sql.ts';

export { webhookMigrations } from './migrations.ts';

/** The storage of webhooks and deliveries on SQLite and PostgreSQL. */
export function createSqlWebhookStorage(database: SqlDatabase): WebhookStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, (session) => ({
    ...createWebhookReads(session),
    ...createWebhookWrites(session),
    ...createSecretReads(session),
    ...createSecretWrites(session),
    ...createDeliveryReads(session),
    ...createDeliveryWrites(session),
    ...createReplayReads(session),
    ...createReplayWrites(session),
    ...createStatReads(session),
    ...createStatWrites(session),
  }));
}
