import { once } from 'node:events';
import { createServer } from 'node:http';
import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';

const probity = createProbity({
  database: process.env.DATABASE,
  authenticate: () => ({ organizationId: 'acme', memberId: 'ann', role: 'admin' }),
  capabilities: [governance()],
});

/** Scans a leak over HTTP; the answer names the violation and how each stage ended. */
export async function scanLeak() {
  await probity.migrate();
  const server = createServer(probity.node).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/probity/governance/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ response: 'Her SSN is 536-22-8145.' }),
  });
  const body = await answer.json();
  server.close();
  await probity.stop();
  const stages = body.governance.stages.map(({ status }) => status);
  return `${answer.status} ${body.error.code} ${stages.join()}`;
}
