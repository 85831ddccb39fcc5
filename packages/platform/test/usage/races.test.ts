import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Principal } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import { newOrganization } from '../../src/testing/records.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import type { QuotaMeter } from '../../src/usage/quota-meter.ts';
import { createQuotaMeter } from '../../src/usage/quota-meter.ts';
import { targets, testRuntime } from '../support.ts';

/** Rounds of the race; RACE_ROUNDS=1000 for the long run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 34);
/** Of the free plan's quota so much is left when a round begins. */
const LEFT = 40;
const LIMIT = 1_000;
const PERIOD = '2026-01';
const CALLS = 30;

/** Spends one unit after the other, all at once; how many were let through. */
async function spendMany(meter: QuotaMeter, principal: Principal, count: number): Promise<number> {
  const calls = Array.from({ length: count }, () => meter.spend(principal, 'api_requests', 1));
  let passed = 0;
  for (const result of await Promise.allSettled(calls)) {
    if (result.status === 'fulfilled') passed += 1;
    else if (!(result.reason instanceof ProbityError)) throw result.reason;
  }
  return passed;
}

/** Instances on two connections, where the database has them. */
async function openWorld(t: { after(work: () => Promise<void>): void }, target: PlatformTarget) {
  const opened = await target.open();
  t.after(opened.dispose);
  const clock = createTestClock();
  const runtime = testRuntime({ database: opened.database, clock });
  const one = opened.storage;
  const other = opened.openAnotherStorage() ?? one;
  const startMeter = (isOther: boolean) =>
    createQuotaMeter(runtime, { storage: isOther ? other : one });
  return {
    clock,
    startMeter,
    /** A new organization whose month is nearly spent. */
    async nearlySpent(): Promise<Principal> {
      const { id } = newOrganization({ plan: 'free' });
      await opened.storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.insertOrganization(newOrganization({ id, plan: 'free' })),
      );
      const units = LIMIT - LEFT;
      const quota = { organizationId: id, quota: 'api_requests', period: PERIOD } as const;
      await one.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.takeUnits({ ...quota, units, needed: units }, LIMIT),
      );
      return { organizationId: id, memberId: '', keyId: '', role: 'owner', plan: 'free' };
    },
    takenOf: async ({ organizationId }: Principal) =>
      (await one.findTakenUnits(organizationId, PERIOD)).api_requests,
  };
}

for (const target of targets) {
  describe(`${target.name}: the end of a quota, over two connections`, () => {
    test(`what instances let through, and one loses that dies, is the quota, ${ROUNDS} times`, async (t) => {
      const { clock, startMeter, nearlySpent, takenOf } = await openWorld(t, target);
      for (let round = 0; round < ROUNDS; round += 1) {
        const principal = await nearlySpent();
        const [one, other, dying] = [
          startMeter(false),
          startMeter(true),
          startMeter(round % 2 > 0),
        ];
        const atOnce = [
          spendMany(one, principal, CALLS),
          spendMany(other, principal, CALLS),
          spendMany(dying, principal, 3),
          one.release(principal.organizationId),
          other.release(principal.organizationId),
        ];
        const passed = (await Promise.all(atOnce)).map((each) => each ?? 0);
        // The third is heard of no more; what it holds is lost to the month.
        const lost = dying.unspentUnits(principal.organizationId, PERIOD).api_requests;
        let allowed = passed.reduce((sum, each) => sum + each, 0);
        for (const meter of [one, other, one, other]) {
          await clock.advance(1_001);
          await meter.release(principal.organizationId);
          allowed += await spendMany(meter, principal, LEFT);
        }
        assert.equal(allowed + lost, LEFT, `round ${round}`);
        assert.equal(await takenOf(principal), LIMIT);
      }
    });
  });
}
