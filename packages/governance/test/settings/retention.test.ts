import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Runtime } from '@probity/core';
import { createRetention, createTenants, OUTSIDE_REQUEST } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { createProgramRetention } from '@probity/core/program';
import { createPipeline } from '@probity/pipeline';
import { sampleTargets } from '@probity/test-support/combinations';
import { alertActionFixture, alertFixture, scanFixture } from '../../src/fixtures.ts';
import type { RetentionSettings } from '../../src/index.ts';
import { governanceRetentionRules } from '../../src/index.ts';
import { createGovernanceCapability } from '../../src/koa.ts';
import type { World } from '../world.ts';
import { createWorld, storagesOf, targets, upkeepStorageOf } from '../world.ts';

const AGES = [2, 8, 31, 100, 190];
const NONE = { findings: [], findingCount: 0 };

/** Stores scans with and without personal data, and resolved alerts, of the ages in days; one alert is open. */
async function fill({ storage, clock }: World, organizationId: string): Promise<void> {
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const days of AGES) {
      const created = { organizationId, createdAt: ago(days) };
      await tx.insertScan(scanFixture({ id: `scn_p${days}_${organizationId}`, ...created }));
      await tx.insertScan(
        scanFixture({ id: `scn_c${days}_${organizationId}`, ...created, ...NONE }),
      );
      await tx.insertAlert(
        alertFixture({
          ...{ id: `alr_${days}_${organizationId}`, organizationId, createdAt: ago(200) },
          ...{ status: 'resolved', resolvedAt: ago(days) },
        }),
      );
    }
    const alertId = `alr_open_${organizationId}`;
    await tx.insertAlert(alertFixture({ id: alertId, organizationId, createdAt: ago(400) }));
    await tx.insertAlertActions([
      alertActionFixture({ id: `act_${organizationId}`, organizationId, alertId }),
    ]);
  });
}

/** The ages of what is left: scans with personal data, scans without, and resolved alerts. */
async function leftOf({ storage }: World, organizationId: string) {
  const page = { limit: 200, offset: 0 };
  const scans = (await storage.listScans(organizationId, {}, page)).items.map(({ id }) => id);
  const alerts = (await storage.listAlerts(organizationId, {}, page)).items.map(({ id }) => id);
  const ages = (ids: readonly string[], prefix: string) =>
    ids
      .filter((id) => id.startsWith(prefix))
      .map((id) => Number.parseInt(id.slice(prefix.length), 10))
      .filter((days) => !Number.isNaN(days))
      .sort((left, right) => left - right);
  assert.ok(alerts.includes(`alr_open_${organizationId}`));
  return [ages(scans, 'scn_p'), ages(scans, 'scn_c'), ages(alerts, 'alr_')];
}

function retentionOf(world: World, runtime: Runtime = world.runtime, batchSize = 2) {
  const options = { storage: world.storage, upkeep: upkeepStorageOf(world.opened) };
  const rules = governanceRetentionRules(runtime, options);
  return createRetention({ rules, clock: world.clock, batchSize, pause: async () => undefined });
}

async function tenantOf(world: World, id: string, retention?: Partial<RetentionSettings>) {
  await createTenants(world.runtime.database).ensure(id);
  const context = {
    ...world.context,
    principal: { ...world.context.principal, organizationId: id },
  };
  // Its days count as summed up.
  const upkeep = upkeepStorageOf(world.opened);
  await upkeep.transaction(OUTSIDE_REQUEST, (tx) => tx.beginSummaries(id, world.clock.now()));
  if (retention) await world.settings.update(context, { retention });
  await fill(world, id);
  return id;
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: records are removed in batches by the terms of their own organization, open alerts never`, async (t) => {
    const world = await createWorld(t, { target });
    const standard = await tenantOf(world, 'org_a');
    const short = await tenantOf(world, 'org_b', {
      ...{ scansWithPersonalDataDays: 1, scansDays: 7, resolvedAlertsDays: 90 },
    });
    const long = await tenantOf(world, 'org_c', { preset: 'eu-ai-act', scansDays: 3_650 });
    const removed = await retentionOf(world).run();
    assert.deepEqual(removed, {
      scans_with_personal_data: 3 + 5 + 1,
      scans: 4,
      resolved_alerts: 2,
    });
    assert.deepEqual(await leftOf(world, standard), [[2, 8], AGES, AGES]);
    assert.deepEqual(await leftOf(world, short), [[], [2], [2, 8, 31]]);
    assert.deepEqual(await leftOf(world, long), [[2, 8, 31, 100], AGES, AGES]);
    assert.deepEqual(await retentionOf(world).run(), {
      ...{ scans_with_personal_data: 0, scans: 0, resolved_alerts: 0 },
    });
    // A changed term holds from the next run on, on another instance as well.
    const context = {
      ...world.context,
      principal: { ...world.context.principal, organizationId: long },
    };
    const retention = {
      preset: 'standard',
      scansWithPersonalDataDays: 7,
      resolvedAlertsDays: 1,
    } as const;
    await world.settings.update(context, { retention });
    const other = {
      ...world.runtime,
      database: world.opened.openAnother() ?? world.runtime.database,
    };
    assert.deepEqual(await retentionOf(world, other as Runtime).run(), {
      ...{ scans_with_personal_data: 3, scans: 0, resolved_alerts: 5 },
    });
  });
}

test('the preset of the installation shortens no record below six months, whatever an organization has set', async (t) => {
  const world = await createWorld(t);
  const id = await tenantOf(world, 'org_a', {
    ...{ scansWithPersonalDataDays: 1, scansDays: 1, resolvedAlertsDays: 1 },
  });
  const capability = createGovernanceCapability(world.runtime, {
    ...storagesOf(world.opened),
    pipeline: createPipeline(),
  });
  await createProgramRetention(world.runtime, [capability], 'eu-ai-act').run();
  const left = AGES.filter((days) => days < 184);
  assert.deepEqual(await leftOf(world, id), [left, left, left]);
});

test('records of a day that is not summed up wait for it, three days at most', async (t) => {
  const world = await createWorld(t);
  const upkeep = upkeepStorageOf(world.opened);
  await createTenants(world.runtime.database).ensure('org_a');
  const ago = (days: number) => new Date(world.clock.now().getTime() - days * DAY_MS);
  await upkeep.transaction(OUTSIDE_REQUEST, (tx) => tx.beginSummaries('org_a', ago(32)));
  await fill(world, 'org_a');
  await retentionOf(world).run();
  assert.deepEqual((await leftOf(world, 'org_a'))[0], [2, 8, 31]);
  await world.clock.advance(3 * DAY_MS);
  await retentionOf(world).run();
  assert.deepEqual((await leftOf(world, 'org_a'))[0], [2, 8]);
});
