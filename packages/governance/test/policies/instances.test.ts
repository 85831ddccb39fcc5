import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '@probity/core';
import { createRuntime } from '@probity/core';
import type { Policy } from '@probity/pipeline';
import { createPipeline } from '@probity/pipeline';
import type { Governance, PolicyStorage } from '../../src/index.ts';
import { createGovernance } from '../../src/index.ts';
import type { World } from '../world.ts';
import { createWorld, EMAIL, policyStorageOf, storagesOf, targets } from '../world.ts';

/** The services of another process on the same database. */
function anotherInstance(
  { opened }: World,
  policies?: readonly Policy[],
  wrap: (storage: PolicyStorage) => PolicyStorage = (storage) => storage,
): Governance {
  const database = opened.openAnother() ?? opened.database;
  const other = { ...opened, database } as typeof opened;
  const runtime = createRuntime({ database: database as Database });
  return createGovernance(runtime, {
    ...storagesOf(other),
    policyStorage: wrap(policyStorageOf(other)),
    pipeline: createPipeline(),
    policies,
  });
}

const rules = [{ stage: 'pii_scanner', types: ['email'], action: 'block' }] as const;
const contact = { response: `Write to ${EMAIL}.` };

for (const target of targets) {
  test(`${target.name}: every change of a policy holds on another instance from its answer on`, async (t) => {
    const world = await createWorld(t, { target });
    const { context, policies } = world;
    const other = anotherInstance(world);
    const verdict = async () => (await other.scan(context, contact)).scan.verdict;
    assert.equal(await verdict(), 'flagged');
    for (let round = 0; round < 5; round += 1) {
      const { id } = await policies.create(context, { name: 'Contacts', rules });
      assert.equal(await verdict(), 'blocked', 'created');
      await policies.update(context, id, { mode: 'monitor' });
      assert.equal(await verdict(), 'flagged', 'monitoring');
      await policies.update(context, id, { mode: 'enforce' });
      assert.equal(await verdict(), 'blocked', 'enforced');
      await policies.remove(context, id);
      assert.equal(await verdict(), 'flagged', 'deleted');
    }
  });

  test(`${target.name}: policies are loaded once, and again after a change`, async (t) => {
    const world = await createWorld(t, { target });
    const { context, policies } = world;
    let loads = 0;
    const other = anotherInstance(world, undefined, (storage) =>
      Object.assign(Object.create(storage) as PolicyStorage, {
        listPolicies: (organizationId: string) => {
          loads += 1;
          return storage.listPolicies(organizationId);
        },
      }),
    );
    // The first scan stores the version that it names; policies are remembered from then on.
    for (let scan = 0; scan < 5; scan += 1) await other.scan(context, contact);
    assert.equal(loads, 2);
    await policies.create(context, { name: 'Contacts', rules });
    for (let scan = 0; scan < 5; scan += 1) await other.scan(context, contact);
    assert.equal(loads, 3);
  });

  test(`${target.name}: two releases with other starting rules name their own versions, and make no further ones`, async (t) => {
    const world = await createWorld(t, { target });
    const { context, policies } = world;
    const starting = { id: 'pol_start', name: 'Start', rules };
    const older = anotherInstance(world, [starting]);
    const newer = anotherInstance(world, [{ ...starting, rules: [] }]);
    const versions: unknown[] = [];
    for (const instance of [older, newer, older, newer, older]) {
      const { scan } = await instance.scan(context, contact);
      versions.push([scan.policies[0]?.version, scan.verdict]);
    }
    const [first, second] = [
      [1, 'blocked'],
      [2, 'allowed'],
    ];
    assert.deepEqual(versions, [first, second, first, second, first]);
    const page = { limit: 9, offset: 0 };
    assert.equal((await policies.versions(context, 'pol_start', page)).total, 2);
    const changed = await older.policies.update(context, 'pol_start', { name: 'Own' });
    assert.equal(changed.version, 3);
    const { scan } = await newer.scan(context, contact);
    assert.deepEqual([scan.policies[0]?.version, scan.verdict], [3, 'blocked']);
  });
}

test('twenty changes at once make twenty versions with different numbers', async (t) => {
  for (const target of targets) {
    const { context, policies } = await createWorld(t, { target });
    const { id } = await policies.create(context, { name: 'Contacts', rules });
    const names = Array.from({ length: 20 }, (_, number) => `Name ${number}`);
    await Promise.all(names.map((name) => policies.update(context, id, { name })));
    const { items } = await policies.versions(context, id, { limit: 50, offset: 0 });
    const numbers = items.map(({ version }) => version);
    assert.deepEqual(
      numbers,
      Array.from({ length: 21 }, (_, index) => 21 - index),
    );
    assert.equal(new Set(items.map(({ name }) => name)).size, 21);
  }
});

test('a rule about a stage that the pipeline no longer has is left out, with a warning', async (t) => {
  const warnings: string[] = [];
  const logger = { warn: (message: string) => warnings.push(message) };
  const silent = { debug() {}, info() {}, error() {} };
  const world = await createWorld(t, { logger: { ...silent, ...logger } as never });
  const { context, storage: _, opened, policies } = world;
  const { id } = await policies.create(context, { name: 'Contacts', rules });
  const stored = policyStorageOf(opened);
  await stored.transaction({ outsideRequest: true }, async (tx) => {
    const policy = await tx.findPolicy(context.principal.organizationId, id);
    assert.ok(policy);
    const gone = { stage: 'gone_scanner', action: 'block' } as const;
    await tx.replacePolicy({ ...policy, version: 2, rules: [gone, ...rules] });
  });
  const { scan } = await world.scan(context, contact);
  assert.equal(scan.verdict, 'blocked');
  assert.deepEqual(warnings, ['A rule of a policy does not fit the stages and is left out']);
});
