import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { bootstrap, call, emptyDatabases, runBootstrap, serve } from './support.ts';

const CALLS = 25;

describe('billing over the whole program', { concurrency: true }, () => {
  for (const database of sampleTargets(emptyDatabases)) {
    it(`an invoice opens by its link, and call counts survive a restart, on ${database.name}`, async (t) => {
      const location = await database.create(t);
      const { api_key: key, organization_id: id } = await bootstrap(location);
      const first = await serve(t, location);
      const organization = `/v1/organizations/${id}`;
      const { body } = await call(`${first.url}${organization}/invoices`, key);
      const [{ pdf_url: pdfUrl, status }] = body.invoices;
      assert.equal(status, 'paid');
      assert.ok(pdfUrl.startsWith(`${first.url}/v1/invoices/`), pdfUrl);
      const pdf = await fetch(pdfUrl);
      assert.equal(pdf.headers.get('content-type'), 'application/pdf');
      assert.match(Buffer.from(await pdf.arrayBuffer()).toString('latin1'), /^%PDF-1/);
      for (let count = 1; count < CALLS; count += 1) await call(first.url + organization, key);
      assert.equal(await first.program.terminate(), 0);

      const second = await serve(t, location);
      const heartbeat = { kind: 'sentinel', instance_id: 'agent-1', version: '1.0.0' };
      const beat = `${second.url}/api/v1/instances/heartbeat`;
      assert.equal((await call(beat, key, 'POST', heartbeat)).status, 200);
      const usage = await call(`${second.url}${organization}/usage`, key);
      assert.deepEqual(usage.body.api_requests, { limit: 100_000_000, used: CALLS + 2 });
      assert.deepEqual(usage.body.sentinel_agents, { limit: 10_000, used: 1 });
      await second.program.terminate();
    });
  }
});

it('an organization without --plan has the enterprise plan, costs nothing and has no invoice', async (t) => {
  const [{ create }] = emptyDatabases as [(typeof emptyDatabases)[number]];
  const location = await create(t);
  const { api_key: key, organization_id: id } = await runBootstrap(t, location);
  const { url } = await serve(t, location);
  const organization = `${url}/v1/organizations/${id}`;
  const subscription = await call(`${organization}/subscription`, key);
  assert.deepEqual([subscription.body.plan, subscription.body.amount], ['enterprise', 0]);
  assert.equal((await call(`${organization}/invoices`, key)).body.total, 0);
  const change = { plan: 'professional' };
  const changed = await call(`${organization}/subscription`, key, 'PATCH', change);
  assert.deepEqual([changed.body.plan, changed.body.amount], ['professional', 49_900]);
  assert.equal((await call(`${organization}/invoices`, key)).body.total, 1);
});
