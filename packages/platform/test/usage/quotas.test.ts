import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Principal } from '@probity/core';
import type { SqlSession } from '@probity/core/sql';
import { sampleTargets } from '@probity/test-support/combinations';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import type { BillingWorld } from '../billing/world.ts';
import { createBillingWorld } from '../billing/world.ts';
import { targets } from '../support.ts';

/** The owner of the world's organization, which is on the free plan. */
function ownerOf({ organization: { organizationId } }: BillingWorld): Principal {
  return { organizationId, memberId: 'mem_1', keyId: 'key_1', role: 'owner', plan: 'free' };
}

/** A target whose SQLite refuses the writes of the platform's storage while a condition holds. */
function refusingWrites(target: PlatformTarget, isReadOnly: () => boolean): PlatformTarget {
  return {
    ...target,
    async open() {
      const opened = await target.open();
      const { storage } = opened;
      const transaction: typeof storage.transaction = (scope, work) =>
        storage.transaction(scope, async (tx) => {
          if (!isReadOnly()) return work(tx);
          const { execute } = tx.session as SqlSession;
          await execute('pragma query_only = on', []);
          return work(tx).finally(() => execute('pragma query_only = off', []));
        });
      return { ...opened, storage: { ...storage, transaction } };
    },
  };
}

for (const target of targets.filter(({ name }) => name === 'sqlite')) {
  test('reads are answered and counted later while the database cannot be written', async (t) => {
    let isReadOnly = false;
    const world = await createBillingWorld(
      t,
      refusingWrites(target, () => isReadOnly),
      { plan: 'free' },
    );
    const { clock } = world;
    const read = async () => (await world.send('GET', world.path)).status;
    isReadOnly = true;
    for (let call = 0; call < 30; call += 1) assert.equal(await read(), 200);
    const scan = await world.send('POST', '/api/v1/scan');
    assert.equal(scan.status, 503);
    isReadOnly = false;
    await clock.advance(1_000);
    assert.equal(await read(), 200);
    const { body } = await world.send('GET', `${world.path}/usage`);
    assert.equal(body.api_requests.used, 32);
    for (let call = 0; call < 968; call += 1) {
      await world.meter.spend(ownerOf(world), 'api_requests', 1);
    }
    assert.equal(await read(), 429);
  });
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: quotas over HTTP`, () => {
    test('requests and scans are counted, and usage shows them', async (t) => {
      const world = await createBillingWorld(t, target);
      for (let call = 0; call < 12; call += 1) await world.send('GET', world.path);
      for (let call = 0; call < 3; call += 1) await world.send('POST', '/api/v1/scan');
      assert.equal((await world.send('GET', '/v1/organizations', { token: 'no' })).status, 401);
      const { status, body } = await world.send('GET', `${world.path}/usage`);
      assert.equal(status, 200);
      assert.deepEqual(body, {
        period: { start: '2026-01-01', end: '2026-01-31' },
        gateway_instances: { limit: 10, used: 0 },
        sentinel_agents: { limit: 50, used: 0 },
        api_requests: { limit: 2_000_000, used: 16 },
        gateway_scans: { limit: 1_000_000, used: 3 },
        storage_gb: { limit: 100, used: 0 },
      });
    });

    test('a spent request quota is 429 until the next month, but billing stays reachable', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'free' });
      await world.meter.spend(ownerOf(world), 'api_requests', 999);
      assert.equal((await world.send('GET', world.path)).status, 200);
      const spent = await world.send('GET', world.path);
      assert.equal(spent.status, 429);
      assert.equal(spent.body.error, 'rate_limited');
      assert.match(spent.body.message, /1000 api_requests/);
      assert.equal(spent.headers.get('retry-after'), String(31 * 86_400));
      const general = await world.send('POST', '/api/v1/scan');
      assert.equal(general.body.error.code, 'RATE_LIMIT_EXCEEDED');
      for (const what of ['subscription', 'invoices', 'usage']) {
        assert.equal((await world.send('GET', `${world.path}/${what}`)).status, 200, what);
      }
      const used = (await world.send('GET', `${world.path}/usage`)).body.api_requests;
      assert.deepEqual(used, { limit: 1_000, used: 1_000 });
      const upgrade = { body: { plan: 'starter' } };
      assert.equal((await world.send('PATCH', `${world.path}/subscription`, upgrade)).status, 200);
      assert.equal((await world.send('GET', world.path)).status, 200);
    });

    test('a replay by Idempotency-Key spends no scan, and a spent quota is not replayed', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'free' });
      const headers = { 'idempotency-key': 'once' };
      for (let call = 0; call < 4; call += 1) {
        assert.equal((await world.send('POST', '/api/v1/scan', { headers })).status, 200);
      }
      const usage = () => world.send('GET', `${world.path}/usage`);
      assert.equal((await usage()).body.gateway_scans.used, 1);
      await world.meter.spend(ownerOf(world), 'gateway_scans', 999);
      const other = { 'idempotency-key': 'later' };
      const refused = await world.send('POST', '/api/v1/scan', { headers: other });
      assert.equal(refused.status, 429);
      assert.match(refused.body.error.message, /1000 gateway_scans/);
      await world.send('PATCH', `${world.path}/subscription`, { body: { plan: 'starter' } });
      assert.equal((await world.send('POST', '/api/v1/scan', { headers: other })).status, 200);
    });

    test('two instances under load never accept more calls than the quota', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'free' });
      const instances = [world, world.other ?? world];
      const { createKey, clock } = world;
      const token = await createKey('owner');
      // Most of the month is spent at once, by the same meter: the race is about the rest.
      await world.meter.spend(ownerOf(world), 'api_requests', 780);
      let allowed = 1 + 780;
      for (let round = 0; round < 4; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 80 }, (_, index) =>
            (instances[index % 2] as typeof world).send('GET', world.path, { token }),
          ),
        );
        for (const { status } of answers) assert.ok(status === 200 || status === 429, `${status}`);
        allowed += answers.filter(({ status }) => status === 200).length;
        await clock.advance(1_100);
      }
      assert.ok(allowed <= 1_000 && allowed > 970, `${allowed}`);
    });
  });
}
