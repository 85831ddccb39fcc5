import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import express from 'express';
import { callerOf, login } from './login.js';

const app = express().use(login);
const probity = createProbity({
  database: 'sqlite:./app.db',
  authenticate: ({ raw }) => callerOf(raw), // a customer, a member of the staff, or null
  capabilities: [governance()],
});
await probity.migrate();
await probity.start();
app.use('/probity', probity.node);
app.listen(Number(process.env.PORT ?? 3000));
