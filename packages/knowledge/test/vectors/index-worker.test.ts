import assert from 'node:assert/strict';
import test from 'node:test';
import type { Embedder } from '@probity/pipeline';
import { createSentenceEmbedder } from '@probity/pipeline/claims';
import { until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { createKnowledgeIndex, createMemoryVectorStore } from '../../src/index.ts';
import { createIndexWorker } from '../../src/vectors/index-worker.ts';
import type { World } from '../world.ts';
import { createWorld, targets } from '../world.ts';

const SOURCE = 'https://facts.example/';

function workerOf(world: World, embedderName = 'built-in', embedder = createSentenceEmbedder()) {
  const { runtime, storage } = world;
  const store = createMemoryVectorStore();
  const over = (name: string, made: Embedder = embedder) => {
    const index = createKnowledgeIndex({ storage, store, embedder: made, embedderName: name });
    return { index, worker: createIndexWorker(runtime, { storage, index }) };
  };
  return { store, over, ...over(embedderName) };
}

async function fill(world: World, count: number): Promise<string[]> {
  const ids = [];
  for (let at = 0; at < count; at++) {
    const claim = `Room ${at} is on floor ${at % 7}.`;
    ids.push((await world.services.nuggets.create(world.context, { claim, sourceUrl: SOURCE })).id);
  }
  return ids;
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: vectors follow changes without a search, also those of a process that died`, async (t) => {
    const world = await createWorld(t, { target });
    const { organizationId, services, context } = world;
    const { store, index, worker } = workerOf(world);
    const ids = await fill(world, 3);
    await services.nuggets.remove(context, ids[1] ?? '');
    async function* file() {
      yield Buffer.from(`claim,source_url\nImported,${SOURCE}\n`);
    }
    await services.imports.importFile(context, file(), { format: 'csv' });
    // The changes were stored; whoever stored them does no more.
    assert.equal(await worker.runOnce(), 5);
    assert.equal((await index.state(organizationId)).pending, 0);
    assert.equal(await store.position(`${organizationId}/built-in`), 5);
    assert.equal(await worker.runOnce(), 0);
  });

  test(`${target.name}: another embedder makes all vectors anew, and the former ones are dropped`, async (t) => {
    const world = await createWorld(t, { target });
    const { store, worker, over } = workerOf(world);
    await fill(world, 300);
    await worker.runOnce();
    assert.deepEqual(await store.collections(), [`${world.organizationId}/built-in`]);
    const { worker: other, index } = over('other');
    await other.start();
    t.after(() => other.stop());
    await until(
      async () => (await index.state(world.organizationId)).position === 300,
      'the vectors of the other embedder are complete',
    );
    await index.dropUnused(10);
    assert.deepEqual(await store.collections(), [`${world.organizationId}/other`]);
  });
}

test('an embedder whose vectors have another length under the same name is refused, with both', async (t) => {
  const world = await createWorld(t);
  const { organizationId } = world;
  const { index, over } = workerOf(world);
  await fill(world, 1);
  await index.catchUp(organizationId);
  await fill(world, 0);
  const claim = 'Another';
  await world.services.nuggets.create(world.context, { claim, sourceUrl: SOURCE });
  const short: Embedder = { embed: async (texts) => texts.map(() => Float32Array.of(1, 2, 3)) };
  const { index: other } = over('built-in', short);
  await assert.rejects(
    other.catchUp(organizationId),
    /built-in.*3 numbers, those of its collection 256/,
  );
});

test('vectors of an organization that is gone are dropped', async (t) => {
  const world = await createWorld(t);
  const { index, store } = workerOf(world);
  await fill(world, 1);
  await index.catchUp(world.organizationId);
  const upserts = [{ id: 'x', vector: Float32Array.of(1) }];
  await store.apply('org_gone/built-in', { upserts, removals: [], after: 0, sequence: 1 });
  assert.equal(await index.dropUnused(10), 1);
  assert.deepEqual(await store.collections(), [`${world.organizationId}/built-in`]);
});

test('a store that is ahead of a restored database is filled again', async (t) => {
  const world = await createWorld(t);
  const { index, store } = workerOf(world);
  await fill(world, 2);
  const name = index.collectionOf(world.organizationId);
  const upserts = [{ id: 'of a change that was lost', vector: new Float32Array(256).fill(1) }];
  await store.apply(name, { upserts, removals: [], after: 0, sequence: 9 });
  const { position } = await index.catchUp(world.organizationId);
  assert.equal(position, 2);
  const found = await store.search(name, new Float32Array(256).fill(1), 9);
  assert.ok(found.every(({ id }) => id.startsWith('nug_')));
});
