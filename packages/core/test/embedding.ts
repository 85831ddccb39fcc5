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
  const signIn = {
    signInStorage: sql.createSqlSignInStorage(database),
    secretBox: probity.createSecretBox([probity.systemRandom(32)]),
  };
  const platform = probity.createPlatform({
    baseUrl: () => 'https://probity.acme.example',
    ...tools,
    ...signIn,
    database,
    memberStorage: sql.createSqlMemberStorage(database),
    billingStorage: sql.createSqlBillingStorage(database),
    usageStorage: sql.createSqlUsageStorage(database),
  });
  const authenticate = probity.createMemberAuthentication({ ...signIn, storage, clock });
  const router = createPlatformRouter(platform, { authenticate, prefix: '/v1' });
  return { app: new Koa().use(router), apiKey };
}
