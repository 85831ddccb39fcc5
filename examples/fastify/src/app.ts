import middie from '@fastify/middie';
import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import { fastify } from 'fastify';
import { findUser } from './users.ts';

const probity = createProbity({
  database: 'sqlite:./app.db',
  authenticate: ({ token }) => findUser(token), // { organizationId, memberId, role }, or null
  capabilities: [governance()],
});
await probity.migrate();
await probity.start();

const app = fastify();
await app.register(middie);
app.use('/probity', probity.node);
app.get('/', () => 'The page of the host.');
await app.listen({ port: Number(process.env.PORT ?? 3000) });
