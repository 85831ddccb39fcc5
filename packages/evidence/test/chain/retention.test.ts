import assert from 'node:assert/strict';
import test from 'node:test';
import { createRetention } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { sampleTargets } from '@probity/test-support/combinations';
import type { World } from '../world.ts';
import { createWorld, targets } from '../world.ts';

const retentionDays = 184;

function run({ capability, clock }: World, batchSize?: number) {
  const rules = capability.retention ?? [];
  return createRetention({
    rules,
    clock,
    pause: async () => undefined,
    ...(batchSize ? { batchSize } : {}),
  }).run();
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: old records are removed, and the chain stays verifiable`, async (t) => {
    const world = await createWorld(t, { target, retentionDays });
    const { services, context, clock, storage, organizationId } = world;
    const old = await world.append({ idempotencyKey: 'a' }, {}, {});
    await services.records.update(context, old[1]?.id ?? '', { labels: { a: 'b' } });
    await clock.advance(retentionDays * DAY_MS);
    const [young] = await world.append({});
    assert.deepEqual(await run(world), { evidence: 0 });
    await clock.advance(1);
    assert.deepEqual(await run(world, 2), { evidence: 4 });
    const left = await services.records.list(context, {}, { limit: 9, offset: 0 });
    assert.deepEqual(left, { items: [young], total: 1 });
    await assert.rejects(services.records.get(context, old[0]?.id ?? ''), { kind: 'not_found' });
    const verified = await services.verify(context);
    const { nodes, records, removedThrough, fault, sealedFrom } = verified;
    assert.deepEqual([nodes, records, removedThrough, fault, sealedFrom], [5, 1, 4, null, 1]);
    assert.deepEqual(await world.append({ idempotencyKey: 'a' }), []);
    const [next] = await world.append({});
    assert.equal(next?.sequence, 6);
    assert.equal((await services.verify(context)).fault, null);
    await clock.advance(retentionDays * DAY_MS + 1);
    assert.deepEqual(await run(world), { evidence: 2 });
    assert.deepEqual((await services.verify(context)).fault, null);
    assert.equal((await storage.findEvidenceHead(organizationId))?.removedThrough, 6);
  });
}

test('a chain that is broken is left as it is, and others are not', async (t) => {
  const world = await createWorld(t, { retentionDays });
  const { organizationId, storage } = world;
  await world.append({});
  const head = await storage.findEvidenceHead(organizationId);
  assert.ok(head);
  await storage.withTenantLock({ outsideRequest: true }, organizationId, (tx) =>
    tx.removeEvidence({ ...head, hash: 'f'.repeat(64) }),
  );
  await world.clock.advance(retentionDays * DAY_MS + 1);
  assert.deepEqual(await run(world), { evidence: 0 });
  assert.equal((await storage.listEvidence(organizationId, {}, { limit: 1, offset: 0 })).total, 1);
  assert.match(world.lines.join(), /a chain of evidence is broken/);
});

test('records are kept where no term is set', async (t) => {
  const { capability } = await createWorld(t);
  assert.deepEqual(capability.retention, []);
});
