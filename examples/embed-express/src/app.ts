import type { RequestListener } from 'node:http';
import { Router } from '@koa/router';
import { createTenants } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { createGovernanceRouter } from '@probity/governance/koa';
import type { Express } from 'express';
import express from 'express';
import Koa from 'koa';
import { openGovernance } from './governance.ts';
import { findCaller } from './host.ts';

/** The host's application, with Probity under /probity/api. */
export async function createApp(database: SqlDatabase): Promise<Express> {
  const governance = await openGovernance(database);
  const probity = createGovernanceRouter(governance, {
    authenticate: ({ token }) => findCaller(database, token),
    tenants: createTenants(database),
  });

  const app = express();
  app.use('/probity', toListener(probity));
  app.get('/', (_request, response) => {
    response.send('The page of the host.');
  });
  return app;
}

/** Probity under /api of a router, as a handler for Express, Fastify or node:http. */
function toListener(probity: Router): RequestListener {
  const router = new Router().use('/api', probity.routes());
  return new Koa().use(router.routes()).callback();
}
