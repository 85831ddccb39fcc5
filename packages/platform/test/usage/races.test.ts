import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Principal } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import { roundsOf } from '@probity/test-support/combinations';
import { newOrganization } from '../../src/testing/records.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import type { QuotaMeter } from '../../src/usage/quota-meter.ts';
import { createQuotaMeter } from '../../src/usage/quota-meter.ts';
import { targets, testRuntime } from '../support.ts';

/** Rounds of the race; RACE_ROUNDS=1000 for the long run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? roundsOf(20));
/** Units of the free plan's quota that remain when a round begins. */
const LEFT = 40;
const LIMIT = 1_000;
const PERIOD = '2026-01';
const CALLS = 30;

/** Spends single units concurrently; returns how many calls were accepted. */
async function spendMany(meter: QuotaMeter, principal: Principal, count: number): Promise<number> {
  const calls = Array.from({ length: count }, () => meter.spend(principal, 'api_requests', 1));
  let passed = 0;
  for (const result of await Promise.allSettled(calls)) {
    if (result.status === 'fulfilled') passed += 1;
    else if (!(result.reason instanceof ProbityError)) throw result.reason;
  }
  return passed;
}

/** Creates instances on two connections, where the database has them. */
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
    /** Creates an organization whose monthly quota is nearly spent. */
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
    test(`calls accepted by all instances plus units lost with a killed one equal the quota, ${ROUNDS} times`, async (t) => {
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
        // The third instance is dead; its leased units are lost for the month.
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
