export { webhookMigrations } from './migrations.ts';
export { createSqlWebhookStorage } from './storage.ts';
