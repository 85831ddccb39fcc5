import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plan, Principal, Runtime } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { TestClock } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import type { PlatformStorage } from '../../src/storage.ts';
import { newOrganization } from '../../src/testing/records.ts';
import type { QuotaMeter } from '../../src/usage/quota-meter.ts';
import { createQuotaMeter } from '../../src/usage/quota-meter.ts';
import { targets, testRuntime } from '../support.ts';

interface World {
  readonly clock: TestClock;
  readonly runtime: Runtime;
  readonly storage: PlatformStorage;
  readonly meters: readonly [QuotaMeter, QuotaMeter];
  readonly principal: Principal;
  /** Number of transactions opened by the meters. */
  writes(): number;
  taken(period?: string): Promise<number>;
}

/** Creates two instances, on two connections where the database has them, and an organization. */
async function createWorld(
  t: { after(work: () => Promise<void>): void },
  target: (typeof targets)[number],
  plan: Plan = 'free',
): Promise<World> {
  const opened = await target.open();
  t.after(opened.dispose);
  const clock = createTestClock();
  const runtime = testRuntime({ database: opened.database, clock });
  const first = opened.storage;
  const second = opened.openAnotherStorage() ?? first;
  const organization = newOrganization({ plan });
  await opened.storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(organization));
  let writes = 0;
  const counted = (storage: PlatformStorage): PlatformStorage => ({
    ...storage,
    transaction(scope, work) {
      writes += 1;
      return storage.transaction(scope, work);
    },
  });
  const create = (storage: PlatformStorage) =>
    createQuotaMeter(runtime, { storage: counted(storage) });
  const principal: Principal = {
    organizationId: organization.id,
    memberId: 'mem_1',
    keyId: 'key_1',
    role: 'owner',
    plan,
  };
  return {
    clock,
    runtime,
    storage: first,
    meters: [create(first), create(second)],
    principal,
    writes: () => writes,
    async taken(period = '2026-01') {
      return (await first.findTakenUnits(organization.id, period)).api_requests;
    },
  };
}

/** Number of calls, of `count` parallel ones, that the meter accepts. */
async function spendMany(meter: QuotaMeter, principal: Principal, count: number): Promise<number> {
  const results = await Promise.allSettled(
    Array.from({ length: count }, () => meter.spend(principal, 'api_requests', 1)),
  );
  for (const result of results) {
    if (result.status === 'rejected') {
      assert.ok(result.reason instanceof ProbityError, String(result.reason));
      assert.equal(result.reason.kind, 'rate_limited');
    }
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: quota meter`, () => {
    test('the meters of two instances together accept exactly the quota', async (t) => {
      const { meters, principal, clock, taken } = await createWorld(t, target);
      let allowed = 0;
      for (let round = 0; round < 30 && allowed < 1_000; round += 1) {
        const passed = await Promise.all(meters.map((meter) => spendMany(meter, principal, 40)));
        allowed += passed.reduce((sum, each) => sum + each, 0);
        await clock.advance(1_100);
      }
      // Units held by one instance are unavailable to the other until they are returned unused.
      for (const meter of meters) await meter.flush();
      for (const meter of meters) await meter.flush();
      await clock.advance(1_100);
      for (const meter of meters) allowed += await spendMany(meter, principal, 60);
      assert.equal(allowed, 1_000);
      assert.equal(await taken(), 1_000);
      for (const meter of meters) assert.equal(await spendMany(meter, principal, 5), 0);
    });

    test('of eight alternating instances none refuses a call before the last quota unit is spent', async (t) => {
      const { storage, runtime, principal } = await createWorld(t, target);
      const meters = Array.from({ length: 8 }, () => createQuotaMeter(runtime, { storage }));
      for (let call = 0; call < 1_000; call += 1) {
        const meter = meters[call % 8] as QuotaMeter;
        assert.equal(await spendMany(meter, principal, 1), 1, `call ${call}`);
      }
      for (const meter of meters) assert.equal(await spendMany(meter, principal, 1), 0);
    });

    test('the error of a spent quota names it and the time until the next month, which has a new quota', async (t) => {
      const { meters, principal, clock } = await createWorld(t, target);
      const [meter] = meters;
      while ((await spendMany(meter, principal, 100)) === 100);
      await clock.advance(86_400_000);
      await assert.rejects(meter.spend(principal, 'api_requests', 1), (error: ProbityError) => {
        assert.match(error.message, /1000 api_requests a month/);
        assert.equal(error.headers['Retry-After'], String(30 * 86_400));
        return true;
      });
      await meter.spend(principal, 'gateway_scans', 1);
      await clock.advance(30 * 86_400_000);
      await meter.spend(principal, 'api_requests', 1);
    });

    test('the end of a quota meter returns the units of eight organizations at a time', async (t) => {
      const { runtime, storage, principal } = await createWorld(t, target);
      const organizations = Array.from({ length: 20 }, () => newOrganization({ plan: 'free' }));
      let isEnding = false;
      let open = 0;
      let most = 0;
      const meter = createQuotaMeter(runtime, {
        storage: {
          ...storage,
          async transaction(scope, work) {
            if (isEnding) most = Math.max(most, ++open);
            const result = await storage.transaction(scope, work);
            if (isEnding) open--;
            return result;
          },
        },
      });
      for (const organization of organizations) {
        const { id: organizationId } = organization;
        await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(organization));
        await meter.spend({ ...principal, organizationId }, 'api_requests', 1);
      }
      isEnding = true;
      await meter.stop();
      assert.equal(most, 8);
      for (const { id } of organizations) {
        assert.equal((await storage.findTakenUnits(id, '2026-01')).api_requests, 1);
      }
    });

    test('a quota meter needs few writes for many calls', async (t) => {
      const { meters, principal, writes } = await createWorld(t, target, 'enterprise');
      for (let count = 0; count < 5_000; count += 1) {
        await meters[0].spend(principal, 'api_requests', 1);
      }
      assert.ok(writes() <= 12, `${writes()} writes`);
    });

    test('a killed instance loses only its quota lease, and no unit is spent twice', async (t) => {
      const { meters, principal, taken, clock } = await createWorld(t, target);
      const [dying, living] = meters;
      const before = await spendMany(dying, principal, 3);
      const held = dying.unspentUnits(principal.organizationId, '2026-01').api_requests;
      assert.ok(held > 0 && held <= 10, `${held}`);
      assert.equal(await taken(), before + held);
      let after = 0;
      for (let round = 0; round < 40; round += 1) {
        after += await spendMany(living, principal, 40);
        await clock.advance(1_100);
      }
      assert.equal(before + after, 1_000 - held);
    });

    test('unused quota units are returned after a while, and all of them at stop', async (t) => {
      const { meters, principal, taken, clock } = await createWorld(t, target, 'professional');
      const [meter, other] = meters;
      await meter.start();
      await spendMany(meter, principal, 3);
      await clock.advance(4_900);
      assert.ok((await taken()) > 3);
      await clock.advance(5_200);
      await meter.stop();
      assert.equal(await taken(), 3);
      await other.start();
      await spendMany(other, principal, 2);
      await other.stop();
      assert.equal(await taken(), 5);
    });

    test('unspent quota units are returned to the month that they were leased from', async (t) => {
      const { meters, principal, taken, clock } = await createWorld(t, target, 'professional');
      await spendMany(meters[0], principal, 3);
      await clock.advance(31 * 86_400_000);
      await spendMany(meters[0], principal, 2);
      await meters[0].flush();
      assert.equal(await taken('2026-01'), 3);
      assert.ok((await taken('2026-02')) > 2);
    });

    test('several quota units are spent at once or not at all', async (t) => {
      const { meters, principal, taken } = await createWorld(t, target);
      const [meter, other] = meters;
      await meter.spend(principal, 'api_requests', 900);
      await assert.rejects(meter.spend(principal, 'api_requests', 101), { kind: 'rate_limited' });
      await assert.rejects(meter.spend(principal, 'api_requests', 1_001), { kind: 'rate_limited' });
      assert.equal(await taken(), 900);
      await meter.spend(principal, 'api_requests', 40);
      await other.spend(principal, 'api_requests', 60);
      assert.equal(await taken(), 1_000);
    });

    test('a larger plan raises a spent quota immediately', async (t) => {
      const { meters, principal } = await createWorld(t, target);
      while ((await spendMany(meters[0], principal, 100)) === 100);
      assert.equal(await spendMany(meters[0], principal, 5), 0);
      assert.equal(await spendMany(meters[0], { ...principal, plan: 'starter' }, 5), 5);
    });
  });
}
