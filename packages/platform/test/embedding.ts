import * as probity from '@probity/core';
import * as sql from '@probity/core/sql';
import * as platformPackage from '@probity/platform';
import { createPlatformRouter } from '@probity/platform/koa';
import * as platformSql from '@probity/platform/sql';
import Koa from 'koa';

/** Serves the platform API on a SQLite file, with a first organization; returns its API key. */
export async function createApp(path: string): Promise<{ app: Koa; apiKey: string }> {
  const database = sql.createSqliteDatabase({ path });
  await sql.migrate(database, [...sql.coreMigrations, ...platformSql.platformMigrations]);
  const storage = platformSql.createSqlPlatformStorage(database);
  const secretBox = probity.createSecretBox([probity.systemRandom(32)]);
  const runtime = probity.createRuntime({ database, secretBox });
  const { apiKey } = await platformPackage.bootstrapOrganization(
    runtime,
    { storage },
    { organizationName: 'Acme', ownerEmail: 'ann@acme.example', plan: 'enterprise' },
  );
  const baseUrl = () => 'https://probity.acme.example';
  const platform = platformPackage.createPlatform(runtime, { storage, baseUrl });
  const authenticate = platformPackage.createMemberAuthentication(runtime, { storage });
  const router = createPlatformRouter(platform, { authenticate, prefix: '/v1' });
  const app = new Koa();
  app.use(router.routes());
  return { app, apiKey };
}
