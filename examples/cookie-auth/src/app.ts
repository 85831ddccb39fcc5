import { createServer } from 'node:http';
import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import { handleLogin } from './login.ts';
import { callerOf } from './sessions.ts';

const probity = createProbity({
  database: 'sqlite:./app.db',
  authenticate: ({ headers }) => callerOf(headers.cookie), // the user of the host's session, or null
  capabilities: [governance()],
});
await probity.migrate();
await probity.start();

const server = createServer((request, response) => {
  // Probity refuses POST, PATCH and DELETE by cookie from pages of another origin with 403.
  probity.node(request, response, () => {
    // The client has closed the connection, or sends too much.
    handleLogin(request, response).catch(() => response.destroy());
  });
});
server.listen(Number(process.env.PORT ?? 3000));
