import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import test from 'node:test';
import type { EventSubscriber } from '@probity/core';
import { createOutboxRelay } from '@probity/core';
import type { RuntimeSummary } from '@probity/core/internal';
import { runtimeSummary } from '@probity/core/internal';
import { sampleTargets } from '@probity/test-support/combinations';
import { OBLIGATIONS } from '../../src/index.ts';
import { RUNTIME_OBLIGATIONS } from '../../src/runtime/record.ts';
import type { World, WorldOptions } from '../world.ts';
import { createWorld, targets } from '../world.ts';

const SUMMARY: RuntimeSummary = runtimeSummary.parse({
  aiSystemId: null,
  day: '2026-03-04',
  scans: { total: 120, errors: 1 },
  verdicts: { allowed: 100, flagged: 15, blocked: 4 },
  blocks: { PII_DETECTED: 3, INJECTION_ATTEMPT_DETECTED: 1 },
  policies: [{ id: 'pol_1', version: 3, actedOn: 4 }],
  alerts: { created: 19, resolved: 7, open: 12 },
  decisions: [{ memberId: 'mem_1', resolved: 7 }],
});

const FOLLOWING = 60 * 60_000;

/** A world with the package's subscriber, or `subscriber` in its place, on a relay. */
async function createRelayWorld(t: TestContext, options: WorldOptions = {}) {
  const world = await createWorld(t, options);
  const own = world.capability.subscribers?.[0];
  assert.ok(own);
  const relayOf = (subscriber: EventSubscriber) =>
    createOutboxRelay({ ...world.runtime, subscribers: [subscriber] });
  return { ...world, own, relayOf };
}

type RelayWorld = Awaited<ReturnType<typeof createRelayWorld>>;

async function publish({ storage, context, runtime }: World, data: RuntimeSummary): Promise<void> {
  await storage.transaction(context, async (tx) => {
    await runtime.emit(tx, context, 'runtime.summarized', data);
  });
}

/** Runs a relay until nothing is due, now and after every delay. */
async function relay({ clock }: RelayWorld, worker: ReturnType<RelayWorld['relayOf']>) {
  for (let round = 0; round < 20; round += 1) {
    while ((await worker.runOnce()) > 0);
    clock.advance(FOLLOWING);
  }
}

async function recordsOf({ services, context }: World) {
  return (await services.records.list(context, {}, { limit: 100, offset: 0 })).items;
}

test('every obligation that runtime evidence supports is in the catalogue', () => {
  const ids = new Set(OBLIGATIONS.map(({ id }) => id));
  for (const id of RUNTIME_OBLIGATIONS) assert.ok(ids.has(id), id);
});

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a summary that is published twice, with a crash between, is one record`, async (t) => {
    const world = await createRelayWorld(t, { target });
    const { services, context, own, relayOf } = world;
    const { id: aiSystemId } = await services.aiSystems.create(context, { name: 'Assistant' });
    const summary = { ...SUMMARY, aiSystemId };
    await publish(world, summary);
    let writes = 0;
    const dying: EventSubscriber = {
      ...own,
      async receive(event, tx, after): Promise<string | undefined> {
        const next = (await own.receive(event, tx, after)) as string | undefined;
        if (after === undefined) return next;
        writes += 1;
        // The record is written, and its transaction does not commit.
        if (writes === 1) throw new Error('the process dies here');
        return next;
      },
    };
    await relay(world, relayOf(dying));
    assert.equal(writes, 2);
    await publish(world, summary);
    await publish(world, { ...summary, day: '2026-03-05' });
    await publish(world, { ...SUMMARY, scans: { total: 1, errors: 0 } });
    await relay(world, relayOf(own));
    const records = [...(await recordsOf(world))].reverse();
    assert.deepEqual(
      records.map((record) => [record.metadata.day, record.aiSystemId, record.sequence]),
      [
        ['2026-03-04', aiSystemId, 1],
        ['2026-03-05', aiSystemId, 2],
        ['2026-03-04', null, 3],
      ],
    );
    const [first] = records;
    assert.ok(first);
    assert.deepEqual(first.metadata, summary);
    assert.equal(first.evidenceType, 'runtime_summary');
    assert.deepEqual(first.obligationIds, [...RUNTIME_OBLIGATIONS].sort());
    assert.equal(first.occurredAt?.toISOString(), '2026-03-04T00:00:00.000Z');
    assert.equal(
      first.content,
      'On 2026-03-04 (UTC) 120 calls were scanned under 1 versions of policies: 100 were allowed, 15 flagged, ' +
        '4 blocked; of 1 a stage did not finish. 19 alerts were made, and 1 members resolved 7.',
    );
    const { fault, records: verified } = await services.verify(context);
    assert.deepEqual([fault, verified], [null, 3]);
  });
}

test('a summary of an AI system that was deleted is kept without the link', async (t) => {
  const world = await createRelayWorld(t);
  const aiSystemId = '01940000-0000-7000-8000-000000000000';
  await publish(world, { ...SUMMARY, aiSystemId });
  await relay(world, world.relayOf(world.own));
  const [record] = await recordsOf(world);
  assert.deepEqual([record?.aiSystemId, record?.metadata.aiSystemId], [null, aiSystemId]);
});

test('data that are no summary are logged and make no record, and other events make none', async (t) => {
  const world = await createRelayWorld(t);
  const { storage, context, runtime, lines } = world;
  await publish(world, { ...SUMMARY, day: 'yesterday' });
  await publish(world, { ...SUMMARY, text: 'a prompt' } as never);
  await storage.transaction(context, async (tx) => {
    const data = { certificationId: 'crt_1', reason: 'wrong' };
    await runtime.emit(tx, context, 'certification.revoked', data);
  });
  await relay(world, world.relayOf(world.own));
  assert.deepEqual(await recordsOf(world), []);
  const logged = lines.filter((line) => line.includes('no runtime summary'));
  assert.equal(logged.length, 2);
  assert.doesNotMatch(lines.join(), /a prompt/);
});
