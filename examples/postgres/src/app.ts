import { createServer } from 'node:http';
import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import pg from 'pg';
import { findUser } from './users.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const probity = createProbity({
  database: pool, // its size and timeouts stay the host's
  authenticate: ({ token }) => findUser(token), // { organizationId, memberId, role }, or null
  capabilities: [governance()],
});
await probity.migrate();
await probity.start();

const server = createServer((request, response) => {
  probity.node(request, response, () => response.end('The page of the host.'));
});
server.listen(Number(process.env.PORT ?? 3000));

process.once('SIGTERM', () => {
  // After the requests in progress, which may still call services.
  server.close(async () => {
    await probity.stop(); // the pool stays open
    await pool.end();
  });
});
