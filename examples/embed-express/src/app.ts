import type { RequestListener } from 'node:http';
import { Router } from '@koa/router';
import { type Authenticate, createTenants } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { createGovernanceRouter, type GovernanceServices } from '@probity/governance/koa';
import express, { type Express } from 'express';
import Koa from 'koa';
import { openGovernance } from './governance.ts';
import { findCaller } from './host.ts';

/** The host's application, with Probity under /probity/api. */
export async function createApp(database: SqlDatabase): Promise<Express> {
  const services = await openGovernance(database);
  const tenants = createTenants(database);
  const authenticate: Authenticate = async (token) => {
    const caller = await findCaller(database, token);
    if (caller) await tenants.ensure(caller.organizationId);
    return caller;
  };

  const app = express();
  app.use('/probity', toListener(services, authenticate));
  app.get('/', (_request, response) => {
    response.send('The page of the host.');
  });
  return app;
}

/** Probity inside a router of the host, as a handler for Express, Fastify or node:http. */
function toListener(services: GovernanceServices, authenticate: Authenticate): RequestListener {
  const router = new Router();
  router.use('/api', createGovernanceRouter(services, { authenticate }).routes());
  return new Koa().use(router.routes()).callback();
}
