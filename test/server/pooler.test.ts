import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase, pgBouncerMissing, startPgBouncer } from '@probity/test-support';
import { bootstrap, call, scanLeak, serve } from './support.ts';

const skip = pgBouncerMissing();

test('a server works behind a pooler in transaction mode, with 12 requests at a time', {
  skip,
}, async (t) => {
  const { url: database, drop } = await createTestDatabase();
  const location = `${await startPgBouncer(database, t)}?pgbouncer=true`;
  const { api_key: key, organization_id: id } = await bootstrap(location);
  const { url, program } = await serve(t, location);
  const calls = Array.from({ length: 60 }, async (_, index) => {
    if (index % 2 === 0) return (await scanLeak(url, key)).status;
    return (await call(`${url}/v1/organizations/${id}`, key)).status;
  });
  const statuses = await Promise.all(calls);
  assert.deepEqual(new Set(statuses), new Set([403, 200]));
  const alerts = await call(`${url}/api/v1/alerts`, key);
  assert.equal(alerts.body.total, 30);
  await program.terminate();
  await drop();
});
