import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import type { WebhookReads, WebhookStorage, WebhookWrites } from '../storage.ts';
import { createDeliveryReads, createDeliveryWrites } from './deliveries.ts';
import { createWebhookReads, createWebhookWrites } from './webhooks.ts';

/** The storage of webhooks on SQLite and PostgreSQL. */
export function createSqlWebhookStorage(database: SqlDatabase): WebhookStorage {
  return bindStorage<SqlSession, WebhookReads, WebhookWrites>(database, (session) => ({
    ...createWebhookReads(session),
    ...createDeliveryReads(session),
    ...createWebhookWrites(session),
    ...createDeliveryWrites(session),
  }));
}
