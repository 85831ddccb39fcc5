import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

/** Per month: calls, scans, gateways, agents, gigabytes, the price in cents, and two features. */
const TERMS = {
  free: [1_000, 1_000, 1, 1, 1, 0, false, false],
  starter: [100_000, 100_000, 2, 5, 10, 4_900, false, false],
  professional: [2_000_000, 1_000_000, 10, 50, 100, 49_900, true, false],
  enterprise: [100_000_000, 100_000_000, 1_000, 10_000, 10_000, 499_900, true, true],
} as const;

for (const database of sampleTargets(emptyDatabases)) {
  describe(`${database.name}: plans`, () => {
    it('subscription, usage and invoices agree for organizations created while the server runs', async (t) => {
      const location = await database.create(t);
      const unnamed = await bootstrap(location);
      const { url } = await serve(t, location);
      const ask = async ({ organization_id: id, api_key: key }: typeof unnamed, path = '') =>
        (await call(`${url}/v1/organizations/${id}${path}`, key)).body;
      assert.equal((await ask(unnamed)).plan, 'enterprise');
      for (const [plan, terms] of Object.entries(TERMS)) {
        const made = await bootstrap(location, plan);
        const { features, amount, currency } = await ask(made, '/subscription');
        const usage = await ask(made, '/usage');
        const metered = ['api_requests', 'gateway_scans', 'gateway_instances', 'sentinel_agents'];
        assert.deepEqual(
          [
            ...[...metered, 'storage_gb'].map((name) => usage[name].limit),
            ...[amount, features.advanced_analytics, features.custom_integrations],
          ],
          terms,
        );
        assert.deepEqual(
          [features.api_requests_per_month, features.gateway_instances, features.sentinel_agents],
          [terms[0], terms[2], terms[3]],
        );
        assert.equal(currency, 'usd');
        const { invoices } = await ask(made, '/invoices');
        const amounts = invoices.map((invoice: { amount: number }) => invoice.amount);
        assert.deepEqual(amounts, amount === 0 ? [] : [amount]);
      }
    });
  });
}
