import { type Authenticate, createIds, createMemoryDatabase, systemClock } from '@probity/core';
import { createAlerts, createGovernance, createMemoryGovernanceStorage } from '@probity/governance';
import { createGovernanceRouter } from '@probity/governance/koa';
import { createPipeline } from '@probity/pipeline';
import express, { type Express } from 'express';
import Koa from 'koa';

/** An application with pages of its own and Probity under /probity; `authenticate` is the host's. */
export function createApp(authenticate: Authenticate): Express {
  const storage = createMemoryGovernanceStorage(createMemoryDatabase());
  const tools = { storage, pipeline: createPipeline(), ids: createIds(), clock: systemClock };
  const services = { governance: createGovernance(tools), alerts: createAlerts(tools) };
  const probity = new Koa().use(createGovernanceRouter(services, { authenticate }).routes());

  const app = express();
  app.use('/probity', probity.callback());
  app.get('/', (_request, response) => {
    response.send('The page of the host.');
  });
  return app;
}
