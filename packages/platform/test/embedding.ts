import * as probity from '@probity/core';
import * as sql from '@probity/core/sql';
import * as platformPackage from '@probity/platform';
import { createPlatformRouter } from '@probity/platform/koa';
import * as platformSql from '@probity/platform/sql';
import Koa from 'koa';

/** The platform interface on a SQLite file, with a first organization; answers its API key. */
export async function createApp(path: string): Promise<{ app: Koa; apiKey: string }> {
  const database = sql.createSqliteDatabase({ path });
  await sql.migrate(database, [...sql.coreMigrations, ...platformSql.platformMigrations]);
  const storage = platformSql.createSqlPlatformStorage(database);
  const clock = probity.systemClock;
  const tools = { storage, clock, ids: probity.createIds(), random: probity.systemRandom };
  const { apiKey } = await platformPackage.bootstrapOrganization(tools, {
    organizationName: 'Acme',
    ownerEmail: 'ann@acme.example',
    plan: 'enterprise',
  });
  const signIn = {
    signInStorage: platformSql.createSqlSignInStorage(database),
    secretBox: probity.createSecretBox([probity.systemRandom(32)]),
  };
  const platform = platformPackage.createPlatform({
    baseUrl: () => 'https://probity.acme.example',
    ...tools,
    ...signIn,
    database,
    memberStorage: platformSql.createSqlMemberStorage(database),
    billingStorage: platformSql.createSqlBillingStorage(database),
    usageStorage: platformSql.createSqlUsageStorage(database),
  });
  const authenticate = platformPackage.createMemberAuthentication({ ...signIn, storage, clock });
  const router = createPlatformRouter(platform, { authenticate, prefix: '/v1' });
  const app = new Koa();
  app.use(router.routes());
  return { app, apiKey };
}
