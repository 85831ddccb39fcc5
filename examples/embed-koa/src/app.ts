import { Router } from '@koa/router';
import { createRuntime, createTenants } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { coreMigrations, migrate } from '@probity/core/sql';
import { createGovernance } from '@probity/governance';
import { createGovernanceRouter } from '@probity/governance/koa';
import { createSqlGovernanceStorages, governanceMigrations } from '@probity/governance/sql';
import { createPipeline } from '@probity/pipeline';
import Koa from 'koa';
import { findCaller, hostMigrations } from './host.ts';

/** The host's application, with Probity under /probity; `createSqliteDatabase` opens the database. */
export async function createApp(database: SqlDatabase): Promise<Koa> {
  await migrate(database, [...hostMigrations, ...coreMigrations, ...governanceMigrations]);
  const runtime = createRuntime({ database });
  const governance = createGovernance(runtime, {
    ...createSqlGovernanceStorages(database),
    pipeline: createPipeline(),
  });

  const router = new Router();
  const probity = createGovernanceRouter(governance, {
    authenticate: ({ token }) => findCaller(database, token), // a user of the host, or null
    tenants: createTenants(database), // the organizations are the host's own
  });
  router.use('/probity', probity.routes());
  router.get('/', (ctx) => {
    ctx.body = 'The page of the host.';
  });
  const app = new Koa();
  app.use(router.routes());
  return app;
}
