import { bodyParser } from '@koa/bodyparser';
import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import Koa from 'koa';
import { findUser } from './users.ts';

const probity = createProbity({
  database: 'sqlite:./app.db',
  authenticate: ({ token }) => findUser(token), // { organizationId, memberId, role }, or null
  capabilities: [governance()],
});
await probity.migrate();
await probity.start();

const app = new Koa();
app.use(bodyParser());
app.use(probity.koa()); // serves /probity/…, and passes everything else on
app.use((ctx) => {
  if (ctx.path === '/') ctx.body = 'The page of the host.';
});
app.listen(Number(process.env.PORT ?? 3000));
