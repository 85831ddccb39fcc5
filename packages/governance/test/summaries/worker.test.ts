import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Runtime } from '@probity/core';
import { createTenants, OUTSIDE_REQUEST } from '@probity/core';
import type { RuntimeSummary } from '@probity/core/internal';
import { DAY_MS, runtimeSummary } from '@probity/core/internal';
import type { DatabaseTarget } from '@probity/core/testing';
import type { Policy } from '@probity/pipeline';
import type { TestLifetime } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { alertFixture, scanFixture } from '../../src/fixtures.ts';
import type { UpkeepStorage } from '../../src/index.ts';
import { createSummaryWorker } from '../../src/summaries/worker.ts';
import type { World } from '../world.ts';
import {
  BENIGN,
  CARD,
  createWorld,
  EMAIL,
  INJECTION,
  storageOf,
  targets,
  upkeepStorageOf,
} from '../world.ts';

const SYSTEM = '01890a5d-ac96-774b-bcce-b302099a8057';
const GRACE_MS = 15 * 60_000;

/** A world with the worker of one process. */
async function createSummaryWorld(
  t: TestLifetime,
  target?: DatabaseTarget,
  policies?: readonly Policy[],
) {
  const options = { ...(target && { target }), ...(policies && { policies }) };
  const world = await createWorld(t, options);
  const { runtime, storage, opened } = world;
  const upkeep = upkeepStorageOf(opened);
  return { ...world, upkeep, worker: createSummaryWorker(runtime, { storage, upkeep }) };
}

/** The worker of another process on the same database, with another storage if wanted. */
function anotherWorker(
  { opened, runtime }: World,
  wrap: (storage: UpkeepStorage) => UpkeepStorage = (storage) => storage,
) {
  const database = (opened.openAnother() ?? opened.database) as Database;
  const other = { ...opened, database } as typeof opened;
  const own = { ...runtime, database } as Runtime;
  const options = { storage: storageOf(other), upkeep: wrap(upkeepStorageOf(other)) };
  return createSummaryWorker(own, options);
}

/** The summaries emitted so far, by day and AI system. */
async function summariesOf({ runtime: { database }, context }: World): Promise<RuntimeSummary[]> {
  const reads = database.kernel(database.reader);
  const { organizationId } = context.principal;
  const range = { organizationId, since: new Date(0), until: new Date('2100-01-01') };
  const listed = await reads.listEventsOf(range, null, 5_000);
  const ids = listed.filter(({ type }) => type === 'runtime.summarized').map(({ id }) => id);
  const found = await reads.findEvents(ids);
  const keyOf = (each: RuntimeSummary) => `${each.day} ${each.aiSystemId ?? ''}`;
  return found
    .map(({ data }) => runtimeSummary.parse(data))
    .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: the day after, each AI system has a summary of what was scanned, blocked and decided`, async (t) => {
    const world = await createSummaryWorld(t, target);
    const { scans, alerts, context, clock, worker } = world;
    const ids: string[] = [];
    for (const [response, aiSystemId] of [
      [BENIGN, null],
      [`Card ${CARD}`, SYSTEM],
      [`Write to ${EMAIL}`, SYSTEM],
      [BENIGN, SYSTEM],
    ] as const) {
      const { alert } = await scans.scan(context, { response, aiSystemId });
      if (alert) ids.push(alert.id);
    }
    await scans.scan(context, { prompt: INJECTION, response: BENIGN, aiSystemId: SYSTEM });
    await alerts.resolve(context, ids[0] ?? '', { resolution: 'A test.' });
    assert.equal(await worker.runOnce(), 0, 'the day has not ended');
    await clock.advance(DAY_MS + GRACE_MS);
    await alerts.resolve(context, ids[1] ?? '', { resolution: 'The day after.' });
    assert.equal(await worker.runOnce(), 1);
    const policies = (actedOn: number) => [{ id: 'pol_builtin', version: 1, actedOn }];
    assert.deepEqual(await summariesOf(world), [
      {
        ...{ aiSystemId: null, day: '2026-01-01', scans: { total: 1, errors: 0 } },
        ...{ verdicts: { allowed: 1 }, blocks: {}, policies: policies(0) },
        ...{ alerts: { created: 0, resolved: 0, open: 0 }, decisions: [] },
      },
      {
        ...{ aiSystemId: SYSTEM, day: '2026-01-01', scans: { total: 4, errors: 0 } },
        verdicts: { allowed: 1, flagged: 1, blocked: 2 },
        blocks: { PII_DETECTED: 1, INJECTION_ATTEMPT_DETECTED: 1 },
        policies: policies(2),
        // One was resolved after the day, and one is open.
        alerts: { created: 3, resolved: 1, open: 2 },
        decisions: [{ memberId: context.principal.memberId, resolved: 1 }],
      },
    ]);
    assert.equal(await worker.runOnce(), 0);
    await clock.advance(DAY_MS);
    assert.equal(await worker.runOnce(), 1);
    const [, , next, ...others] = await summariesOf(world);
    assert.deepEqual(
      [next?.day, next?.scans.total, next?.alerts, others.length],
      ['2026-01-02', 0, { created: 0, resolved: 1, open: 1 }, 0],
    );
  });

  test(`${target.name}: a summary is emitted once by two processes, of which one dies before its commit`, async (t) => {
    const world = await createSummaryWorld(t, target);
    const { scans, context, clock, worker, upkeep } = world;
    await scans.scan(context, { response: BENIGN });
    await clock.advance(DAY_MS + GRACE_MS);
    let deaths = 0;
    const dying = anotherWorker(world, (storage) => ({
      ...storage,
      withTenantLock: (scope, tenantId, work) =>
        storage.withTenantLock(scope, tenantId, async (tx) => {
          const result = await work(tx);
          if (!('session' in scope)) return result;
          deaths += 1;
          // The events are written, and their transaction does not commit.
          throw new Error('the process dies here');
        }),
    }));
    await dying.runOnce();
    assert.equal(deaths > 0, true);
    assert.deepEqual(await summariesOf(world), []);
    const { organizationId } = context.principal;
    assert.equal(
      (await upkeep.findSummarizedUntil(organizationId))?.toISOString(),
      '2026-01-01T00:00:00.000Z',
    );
    await clock.advance(60_000);
    const other = anotherWorker(world);
    await Promise.all([worker.runOnce(), other.runOnce(), worker.runOnce()]);
    await clock.advance(60_000);
    await Promise.all([worker.runOnce(), other.runOnce()]);
    assert.deepEqual(
      (await summariesOf(world)).map(({ day, scans: { total } }) => [day, total]),
      [['2026-01-01', 1]],
    );
  });

  test(`${target.name}: days are summed up after the clock was days ahead and returned`, async (t) => {
    const world = await createSummaryWorld(t, target);
    const { scans, context, clock, worker, runtime, storage, upkeep } = world;
    const day = async () => {
      await scans.scan(context, { response: BENIGN });
      await clock.advance(DAY_MS);
    };
    await day();
    await clock.advance(GRACE_MS);
    await worker.runOnce();
    const ahead = {
      ...runtime,
      clock: { ...clock, now: () => new Date(clock.now().getTime() + 40 * DAY_MS) },
    };
    await createSummaryWorker(ahead, { storage, upkeep }).runOnce();
    await worker.runOnce();
    await day();
    await worker.runOnce();
    await day();
    await worker.runOnce();
    const summaries = await summariesOf(world);
    assert.deepEqual(
      summaries.map((each) => [each.day, each.scans.total]),
      [
        ['2026-01-01', 1],
        ['2026-01-02', 1],
        ['2026-01-03', 1],
      ],
    );
    const { organizationId } = context.principal;
    assert.equal(
      (await upkeep.findSummarizedUntil(organizationId))?.toISOString(),
      '2026-01-04T00:00:00.000Z',
    );
  });

  test(`${target.name}: missed days are summed up later, each once, and days without anything have no summary`, async (t) => {
    const world = await createSummaryWorld(t, target);
    const { scans, context, clock, worker } = world;
    for (const days of [1, 1, 3, 2]) {
      await scans.scan(context, { response: BENIGN });
      await clock.advance(days * DAY_MS);
    }
    await clock.advance(GRACE_MS);
    assert.equal(await worker.runOnce(), 7);
    assert.deepEqual(
      (await summariesOf(world)).map(({ day }) => day),
      ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-06'],
    );
  });

  test(`${target.name}: a day with thousands of scans of one moment is counted exactly, with the largest 1,000 AI systems told apart`, async (t) => {
    const world = await createSummaryWorld(t, target);
    const { storage, context, clock, worker } = world;
    const { organizationId } = context.principal;
    const count = 3_100;
    const systemOf = (index: number) =>
      `01890a5d-ac96-774b-bcce-${String(index % 1_050).padStart(12, '0')}`;
    await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      for (let index = 0; index < count; index += 1) {
        const id = String(index).padStart(4, '0');
        const aiSystemId = systemOf(index);
        const createdAt = new Date(clock.now().getTime() + Math.floor(index / 1_500));
        const created = { organizationId, aiSystemId, createdAt };
        await tx.insertScan(scanFixture({ id: `scn_${id}`, ...created }));
        if (index % 2 === 0) await tx.insertAlert(alertFixture({ id: `alr_${id}`, ...created }));
      }
    });
    await clock.advance(DAY_MS + GRACE_MS);
    await worker.runOnce();
    const summaries = await summariesOf(world);
    const sum = (of: (summary: RuntimeSummary) => number) =>
      summaries.reduce((total, each) => total + of(each), 0);
    assert.equal(summaries.length, 1_001);
    assert.equal(
      sum(({ scans }) => scans.total),
      count,
    );
    assert.equal(
      sum(({ scans }) => scans.errors),
      count,
    );
    assert.equal(
      sum(({ verdicts }) => verdicts.blocked ?? 0),
      count,
    );
    assert.equal(
      sum(({ alerts }) => alerts.created),
      count / 2,
    );
    assert.equal(
      sum(({ alerts }) => alerts.open),
      count / 2,
    );
    const apart = summaries.find(({ aiSystemId }) => aiSystemId === systemOf(7));
    assert.deepEqual(apart?.policies, [
      { id: 'pol_builtin', version: 2, actedOn: 3 },
      { id: 'pol_trial', version: 1, actedOn: 0 },
    ]);
  });
}

test('of a policy, summaries count the scans that it had redacted as well as those that it blocked', async (t) => {
  const rules = [
    { stage: 'pii_scanner', types: ['email'], action: 'redact' as const },
    { stage: 'pii_scanner', action: 'block' as const },
  ];
  const policies: Policy[] = [{ id: 'pol_redact', name: 'Redact', rules }];
  const world = await createSummaryWorld(t, undefined, policies);
  const { scans, context, clock, worker } = world;
  for (const response of [`Write to ${EMAIL}`, `Card ${CARD}`, BENIGN]) {
    await scans.scan(context, { response });
  }
  await clock.advance(DAY_MS + GRACE_MS);
  assert.equal(await worker.runOnce(), 1);
  const [summary] = await summariesOf(world);
  assert.deepEqual(summary?.policies, [{ id: 'pol_redact', version: 1, actedOn: 2 }]);
});

test('days of other organizations are their own, and one that was removed has none', async (t) => {
  const world = await createSummaryWorld(t);
  const { storage, clock, worker, runtime } = world;
  const tenants = createTenants(runtime.database);
  for (const organizationId of ['org_left', 'org_kept']) {
    await tenants.ensure(organizationId);
    await storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.insertScan(
        scanFixture({ id: `scn_${organizationId}`, organizationId, createdAt: clock.now() }),
      ),
    );
  }
  await clock.advance(DAY_MS + GRACE_MS);
  await tenants.remove('org_left');
  assert.equal(await worker.runOnce(), 1);
  assert.deepEqual(await summariesOf(world), []);
  const { organizationId: _, ...principal } = world.context.principal;
  const context = { ...world.context, principal: { ...principal, organizationId: 'org_kept' } };
  assert.equal((await summariesOf({ ...world, context })).length, 1);
});
