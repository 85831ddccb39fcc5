import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import express from 'express';
import { callerOf, login } from './login.ts';

const app = express().use(login);
const probity = createProbity({
  database: 'sqlite:./app.db',
  authenticate: ({ raw }) => callerOf(raw), // { organizationId, memberId, role }, or null
  capabilities: [governance()],
});
await probity.migrate();
await probity.start();
app.use('/probity', probity.node);
app.listen(Number(process.env.PORT ?? 3000));
