import * as probity from '@probity/core';
import { createPlatformRouter } from '@probity/core/koa';
import * as sql from '@probity/core/sql';
import Koa from 'koa';

/** The platform interface on a SQLite file, with a first organization; answers its API key. */
export async function createApp(path: string): Promise<{ app: Koa; apiKey: string }> {
  const database = sql.createSqliteDatabase({ path });
  await sql.migrate(database, sql.coreMigrations);
  const storage = sql.createSqlPlatformStorage(database);
  const clock = probity.systemClock;
  const tools = { storage, clock, ids: probity.createIds(), random: probity.systemRandom };
  const { apiKey } = await probity.bootstrapOrganization(tools, {
    organizationName: 'Acme',
    ownerEmail: 'ann@acme.example',
    plan: 'enterprise',
  });
  const encryptionKey = probity.systemRandom(32);
  const platform = probity.createPlatform({
    baseUrl: () => 'https://probity.acme.example',
    ...tools,
    database,
    memberStorage: sql.createSqlMemberStorage(database),
    secretBox: probity.createSecretBox([encryptionKey]),
    billingStorage: sql.createSqlBillingStorage(database),
    usageStorage: sql.createSqlUsageStorage(database),
    encryptionKey,
  });
  const authenticate = probity.createApiKeyAuthentication({ storage, clock });
  const router = createPlatformRouter(platform, { authenticate, prefix: '/v1' });
  return { app: new Koa().use(router), apiKey };
}
