import { serve } from '@hono/node-server';
import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import { Hono } from 'hono';
import { findUser } from './users.ts';

const probity = createProbity({
  database: 'sqlite:./app.db',
  authenticate: ({ token }) => findUser(token), // { organizationId, memberId, role }, or null
  capabilities: [governance()],
});
await probity.migrate();
await probity.start();

const app = new Hono();
app.all('/probity/*', (context) => probity.fetch(context.req.raw));
app.get('/', (context) => context.text('The page of the host.'));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
