import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSecretBox, systemRandom } from '@probity/core';
import { testContext, withTenant } from '@probity/core/testing';
import type { Pipeline } from '@probity/pipeline';
import { createPipeline } from '@probity/pipeline';
import type { TestLifetime } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { sealedBatchItems } from '../../src/batches/batches.ts';
import type { BatchItemRequest } from '../../src/index.ts';
import { MAX_RUNNING_BATCHES } from '../../src/index.ts';
import type { World, WorldOptions } from '../world.ts';
import { BENIGN, createWorld, EMAIL, INJECTION, SSN, targets } from '../world.ts';

const ALL = { limit: 1_000, offset: 0 };
const MIXED: readonly BatchItemRequest[] = [
  { response: BENIGN },
  { prompt: `Write to ${EMAIL}.`, response: BENIGN, metadata: { row: 1 } },
  { response: `Her SSN is ${SSN}.` },
  { response: BENIGN, policyIds: ['pol_unknown'] },
  { prompt: INJECTION, response: BENIGN, context: ['A passage.'] },
];

const open = (t: TestLifetime, options: WorldOptions = {}) =>
  createWorld(t, { secretBox: createSecretBox([systemRandom(32)]), ...options });

const countsOf = ({ batches, context }: World, id: string) =>
  batches.get(context, id).then(({ status, allowed, flagged, blocked, errors, canceled }) => {
    return { status, allowed, flagged, blocked, errors, canceled };
  });

const typesOf = async ({ events }: World) => (await events()).map(({ type }) => type);

for (const target of sampleTargets(targets)) {
  describe(`batches on ${target.name}`, () => {
    test('every item is scanned as a single scan is, and the last one completes the batch', async (t) => {
      const world = await open(t, { target });
      const { batches, batchWorker, scans, context, storage, batchStorage } = world;
      const submitted = await batches.submit(context, { items: MIXED });
      assert.deepEqual([submitted.status, submitted.total], ['running', 5]);
      const waiting = await batchStorage.findWaitingItem(`${submitted.id}.0002`);
      assert.ok(waiting && !waiting.sealed.includes(SSN));
      assert.equal((await scans.list(context, {}, ALL)).total, 0);
      await batchWorker.runOnce();
      assert.deepEqual(await countsOf(world, submitted.id), {
        ...{ status: 'completed', allowed: 1, flagged: 1, blocked: 2, errors: 1, canceled: 0 },
      });
      const { items } = await batches.scannedItems(context, submitted.id, {}, ALL);
      assert.deepEqual(
        items.map(({ index, status, verdict }) => [index, status, verdict]),
        [
          ...[[0, 'completed', 'allowed']],
          ...[[1, 'completed', 'flagged']],
          ...[[2, 'completed', 'blocked']],
          ...[[3, 'failed', null]],
          ...[[4, 'completed', 'blocked']],
        ],
      );
      assert.deepEqual(items[1]?.scan?.metadata, { row: 1 });
      assert.equal(items[2]?.scan?.violation?.code, 'PII_DETECTED');
      assert.equal(items[2]?.scan?.keyId, context.principal.keyId);
      assert.equal(items[3]?.error?.code, 'VALIDATION_ERROR');
      assert.deepEqual(
        items[3]?.error?.details?.map(({ field }) => field),
        ['policyIds.0'],
      );
      assert.equal((await scans.list(context, {}, ALL)).total, 4);
      assert.equal((await world.listAlerts()).total, 3);
      assert.deepEqual(await batchStorage.listSealedItems('', '', 50), []);
      const events = await world.events();
      assert.deepEqual(
        events.map(({ type }) => type),
        [
          ...['alert.created', 'alert.created', 'alert.created'],
          ...['policy.violated', 'policy.violated', 'scan.completed'],
        ],
      );
      const { data, requestId } = events.at(-1) ?? assert.fail();
      assert.deepEqual(data, {
        ...{ scanId: submitted.id, total: 5, allowed: 1, flagged: 1, blocked: 2, errors: 1 },
      });
      assert.equal(requestId, context.requestId);
      const scanId = items[2]?.scanId ?? '';
      const { organizationId } = context.principal;
      assert.deepEqual(items[2]?.scan, await storage.findScan(organizationId, scanId));
    });

    test('a batch that is canceled while an item is scanned stores nothing of it', async (t) => {
      const gate = createGate();
      const world = await open(t, { target, pipeline: gate.pipeline });
      const { batches, batchWorker, scans, context } = world;
      const { id } = await batches.submit(context, { items: MIXED.slice(0, 3) });
      const running = batchWorker.runOnce();
      await gate.reached;
      const canceled = await batches.cancel(context, id);
      gate.open();
      await running;
      assert.deepEqual([canceled.status, canceled.canceled], ['canceled', 3]);
      assert.equal((await scans.list(context, {}, ALL)).total, 0);
      assert.deepEqual(await typesOf(world), []);
      assert.deepEqual(await countsOf(world, id), {
        ...{ status: 'canceled', allowed: 0, flagged: 0, blocked: 0, errors: 0, canceled: 3 },
      });
      const conflict = { kind: 'conflict', message: /ended already/ };
      await assert.rejects(batches.cancel(context, id), conflict);
    });
  });
}

/** A pipeline whose scans wait until the gate opens. */
function createGate() {
  const pipeline = createPipeline();
  let open = () => {};
  let reach = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const waiting: Pipeline = {
    ...pipeline,
    async scan(...given) {
      reach();
      await opened;
      return pipeline.scan(...given);
    },
  };
  return { pipeline: waiting, reached, open };
}

test('an item is judged by the policies that are in force when it is scanned', async (t) => {
  const { batches, batchWorker, policies, context } = await open(t);
  const { id } = await batches.submit(context, { items: [{ response: `To ${EMAIL}` }] });
  await policies.create(context, {
    name: 'No addresses',
    rules: [{ stage: 'pii_scanner', types: ['email'], action: 'block' }],
  });
  await batchWorker.runOnce();
  const { items } = await batches.items(context, id, {}, ALL);
  assert.equal(items[0]?.verdict, 'blocked');
});

test('items beyond the allowance have failed from the beginning, and are never scanned', async (t) => {
  const world = await open(t);
  const { batches, batchWorker, context, scans } = world;
  const items = Array.from({ length: 4 }, () => ({ response: BENIGN }));
  const batch = await batches.submit(context, { items, allowance: 3 });
  assert.deepEqual([batch.total, batch.errors], [4, 1]);
  const failed = await batches.items(context, batch.id, { status: 'failed' }, ALL);
  assert.deepEqual(
    failed.items.map(({ index, error }) => [index, error?.code]),
    [[3, 'RATE_LIMIT_EXCEEDED']],
  );
  await batchWorker.runOnce();
  assert.deepEqual(await countsOf(world, batch.id), {
    ...{ status: 'completed', allowed: 3, flagged: 0, blocked: 0, errors: 1, canceled: 0 },
  });
  assert.equal((await scans.list(context, {}, ALL)).total, 3);
});

test('an item whose scan fails every time is given up as an error, and completes the batch', async (t) => {
  const pipeline: Pipeline = {
    ...createPipeline(),
    scan: () => Promise.reject(new Error('out of order')),
  };
  const world = await open(t, { pipeline });
  const { batches, batchWorker, context, clock } = world;
  const { id } = await batches.submit(context, { items: [{ response: BENIGN }] });
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    assert.equal((await batches.get(context, id)).status, 'running');
    await batchWorker.runOnce();
    await clock.advance(60_000);
  }
  const { items } = await batches.items(context, id, {}, ALL);
  assert.equal(items[0]?.error?.code, 'INTERNAL_ERROR');
  assert.deepEqual(await countsOf(world, id), {
    ...{ status: 'completed', allowed: 0, flagged: 0, blocked: 0, errors: 1, canceled: 0 },
  });
  assert.deepEqual(await typesOf(world), ['scan.completed']);
});

test('a result that cannot be stored is made again, with one record and one alert', async (t) => {
  let failures = 3;
  const world = await open(t, {
    wrap: (storage) => ({
      ...storage,
      transaction: (scope, work) =>
        storage.transaction(scope, async (tx) => {
          const result = await work(tx);
          if (failures-- > 0) throw new Error('the disk is full');
          return result;
        }),
    }),
  });
  const { batches, batchWorker, context, clock, scans } = world;
  const { id } = await batches.submit(context, { items: [{ response: `SSN ${SSN}` }] });
  await batchWorker.runOnce();
  assert.equal((await batches.get(context, id)).status, 'running');
  assert.equal((await scans.list(context, {}, ALL)).total, 0);
  await clock.advance(60_000);
  await batchWorker.runOnce();
  assert.equal((await batches.get(context, id)).status, 'completed');
  assert.equal((await scans.list(context, {}, ALL)).total, 1);
  assert.equal((await world.listAlerts()).total, 1);
  assert.deepEqual(await typesOf(world), ['alert.created', 'policy.violated', 'scan.completed']);
});

test("one tenant's long batch leaves a place for the batches of others", async (t) => {
  const order: string[] = [];
  const world = await open(t, {
    wrap: (storage) => ({
      ...storage,
      transaction: (scope, work) =>
        storage.transaction(scope, (tx) =>
          work({
            ...tx,
            insertScan: (scan) => {
              order.push(scan.organizationId);
              return tx.insertScan(scan);
            },
          }),
        ),
    }),
  });
  const { batches, batchWorker, context, opened } = world;
  const other = (await withTenant(opened)).context;
  const items = (length: number) => Array.from({ length }, () => ({ response: BENIGN }));
  await batches.submit(context, { items: items(200) });
  await batches.submit(other, { items: items(5) });
  await batchWorker.runOnce();
  const places = order.flatMap((id, index) =>
    id === other.principal.organizationId ? [index] : [],
  );
  assert.equal(places.length, 5);
  assert.ok((places.at(-1) ?? 0) <= 11, `places ${places}`);
});

test('texts are resealed under a new encryption key, and are scanned after the old one is gone', async (t) => {
  const [old, next] = [systemRandom(32), systemRandom(32)];
  let keys: readonly Uint8Array[] = [old];
  const secretBox = createSecretBox(() => keys);
  const { batches, batchWorker, batchStorage, context } = await open(t, { secretBox });
  const { id } = await batches.submit(context, { items: [{ response: `SSN ${SSN}` }] });
  keys = [next, old];
  const sealed = sealedBatchItems(batchStorage);
  const listed = await sealed.list(secretBox.keyId, '', 10);
  assert.equal(listed.length, 1);
  await sealed.replace(
    listed.map(({ id, sealed: from }) => {
      const purpose = sealed.purposeOf(id);
      return { id, from, to: secretBox.seal(secretBox.open(from, purpose), purpose) };
    }),
  );
  assert.deepEqual(await sealed.list(secretBox.keyId, '', 10), []);
  keys = [next];
  await batchWorker.runOnce();
  assert.equal((await batches.get(context, id)).blocked, 1);
});

test('batches of another organization are not found', async (t) => {
  const { batches, context, opened } = await open(t);
  const { id } = await batches.submit(context, { items: [{ response: BENIGN }] });
  const other = (await withTenant(opened)).context;
  const unknown = { kind: 'not_found' };
  await assert.rejects(batches.get(other, id), unknown);
  await assert.rejects(batches.items(other, id, {}, ALL), unknown);
  await assert.rejects(batches.cancel(other, id), unknown);
  assert.equal((await batches.list(other, {}, ALL)).total, 0);
  assert.equal((await batches.get(context, id)).status, 'running');
});

test('a batch of the wrong form, without a key, or beyond the running ones is refused', async (t) => {
  const { batches, context } = await open(t);
  const one = [{ response: BENIGN }];
  for (const [request, expected] of [
    [{ items: [] }, { kind: 'validation_failed', message: /items: must be a list of 1 to 1,000/ }],
    [{ items: Array(1_001).fill(one[0]) }, { kind: 'validation_failed' }],
    [{ items: {} }, TypeError],
    [{ items: one, size: 1 }, /size/],
    [{ items: [{ response: BENIGN, redaction: 'token' }] }, /redaction/],
    [{ items: one, allowance: 0 }, /allowance/],
  ] as const) {
    await assert.rejects(batches.submit(context, request as never), expected);
  }
  for (let index = 0; index < MAX_RUNNING_BATCHES; index += 1) {
    await batches.submit(context, { items: one });
  }
  const conflict = { kind: 'conflict', message: /100 batches/ };
  await assert.rejects(batches.submit(context, { items: one }), conflict);
  const keyless = await createWorld(t);
  await assert.rejects(keyless.batches.submit(keyless.context, { items: one }), {
    message: /items: cannot be kept without an encryption key/,
  });
});

test('a member that was removed since is no obstacle: the batch was allowed when it was submitted', async (t) => {
  const world = await open(t);
  const { batches, batchWorker, context } = world;
  const { organizationId } = context.principal;
  const member = testContext({ organizationId, memberId: 'mem_gone' }, 'member');
  const { id } = await batches.submit(member, { items: [{ response: BENIGN }] });
  await batchWorker.runOnce();
  assert.equal((await batches.get(context, id)).allowed, 1);
});
