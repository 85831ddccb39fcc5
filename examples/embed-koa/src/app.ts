import { type Authenticate, createIds, createMemoryDatabase, systemClock } from '@probity/core';
import { createAlerts, createGovernance, createMemoryGovernanceStorage } from '@probity/governance';
import { createGovernanceRouter } from '@probity/governance/koa';
import { createPipeline } from '@probity/pipeline';
import Koa from 'koa';

/** An application with pages of its own and Probity under /probity; `authenticate` is the host's. */
export function createApp(authenticate: Authenticate): Koa {
  const storage = createMemoryGovernanceStorage(createMemoryDatabase());
  const tools = { storage, pipeline: createPipeline(), ids: createIds(), clock: systemClock };
  const services = { governance: createGovernance(tools), alerts: createAlerts(tools) };

  const app = new Koa();
  app.use(createGovernanceRouter(services, { authenticate, prefix: '/probity' }).routes());
  app.use((ctx) => {
    ctx.body = 'The page of the host.';
  });
  return app;
}
