import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import type { World } from '../world.ts';
import { createWorld, serve, targets } from '../world.ts';

const NUGGETS = '/knowledge/nuggets';
const PATH = '/knowledge/corrections';
const SOURCE = 'https://shop.example/terms';
const WRONG = { claim: 'The warranty is one year.', source_url: SOURCE, category: 'warranty' };
const RIGHT = {
  claim: WRONG.claim,
  correction: 'The warranty is two years.',
  source_url: SOURCE,
};

async function eventsOf({ database, organizationId }: World) {
  const reads = database.kernel(database.reader);
  const page = { limit: 100, offset: 0 };
  const { items } = await reads.listEvents(organizationId, {}, page);
  const events = await reads.findEvents(items.map(({ id }) => id));
  return events.map(({ type, data }) => ({ type, data }));
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a correction is published with its nugget, event and audit entries`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const { id: nuggetId } = (await call(`POST ${NUGGETS}`, { body: WRONG })).body.data;
    const body = { ...RIGHT, nuggetId };
    const published = await call(`POST ${PATH}`, { body });
    assert.equal(published.status, 201);
    const { id, created_at: createdAt, ...shown } = published.body.data;
    assert.deepEqual([shown, /^cor_/.test(id)], [body, true]);
    const nugget = (await call(`GET ${NUGGETS}/${nuggetId}`)).body.data;
    assert.deepEqual([nugget.claim, nugget.category], [RIGHT.correction, 'warranty']);
    const data = { id, claim: RIGHT.claim, correction: RIGHT.correction, sourceUrl: SOURCE };
    assert.deepEqual(await eventsOf(world), [{ type: 'correction.deployed', data }]);
    const actions = (await world.auditEntries()).map(({ action }) => action);
    assert.deepEqual(actions, ['correction.published', 'nugget.updated', 'nugget.created']);
    assert.deepEqual((await call(`GET ${PATH}/${id}`)).body, published.body);
    const list = (await call(`GET ${PATH}?nuggetId=${nuggetId}&limit=1`)).body;
    assert.deepEqual(
      [list.data, list.total, createdAt],
      [[published.body.data], 1, list.data[0].created_at],
    );
    assert.deepEqual((await call(`GET ${PATH}?nuggetId=nug_other`)).body.data, []);
  });
}

test('a correction without a nugget takes that of the claim and source, or adds one', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const added = (await call(`POST ${PATH}`, { body: RIGHT })).body.data;
  const nugget = (await call(`GET ${NUGGETS}/${added.nuggetId}`)).body.data;
  assert.deepEqual([nugget.claim, nugget.source_url], [RIGHT.correction, SOURCE]);
  const again = { ...RIGHT, claim: RIGHT.correction, correction: 'The warranty is three years.' };
  const changed = (await call(`POST ${PATH}`, { body: again })).body.data;
  assert.equal(changed.nuggetId, added.nuggetId);
  const { data, total } = (await call(`GET ${NUGGETS}`)).body;
  assert.deepEqual([data[0].claim, total], [again.correction, 1]);
});

test('where the knowledge base has the correction already, the wrong nugget is deleted', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const wrong = (await call(`POST ${NUGGETS}`, { body: WRONG })).body.data;
  const stated = { claim: RIGHT.correction, source_url: SOURCE };
  const right = (await call(`POST ${NUGGETS}`, { body: stated })).body.data;
  const body = { ...RIGHT, nuggetId: wrong.id };
  assert.equal((await call(`POST ${PATH}`, { body })).body.data.nuggetId, right.id);
  assert.equal((await call(`GET ${NUGGETS}/${wrong.id}`)).status, 404);
  assert.deepEqual(await world.storage.findKnowledgeExtent(world.organizationId), {
    ...{ sequence: 3, nuggets: 1 },
  });
});

test('what is refused stores nothing and emits nothing', async (t) => {
  const world = await createWorld(t, { maxNuggets: 1 });
  const call = await serve(t, world);
  const bad = { nuggetId: '', claim: ' ', correction: 1, source_url: 'ftp://x', other: 1 };
  const answer = await call(`POST ${PATH}`, { body: bad });
  const fields = answer.body.error.details.map(({ field }: { field: string }) => field);
  assert.deepEqual([answer.status, fields.sort()], [422, Object.keys(bad).sort()]);
  const same = { ...RIGHT, correction: 'The  warranty is one year. ' };
  const refused = await call(`POST ${PATH}`, { body: same });
  assert.deepEqual([refused.status, refused.body.error.details[0].field], [422, 'correction']);
  const unknown = { ...RIGHT, nuggetId: 'nug_unknown' };
  assert.equal((await call(`POST ${PATH}`, { body: unknown })).status, 404);
  await call(`POST ${NUGGETS}`, { body: { ...WRONG, claim: 'It is full.' } });
  assert.equal((await call(`POST ${PATH}`, { body: RIGHT })).status, 409);
  assert.equal((await call(`GET ${PATH}`)).body.total, 0);
  assert.deepEqual(await eventsOf(world), []);
});

test('corrections of other organizations do not exist, and members only read', async (t) => {
  const call = await serve(t, await createWorld(t));
  const { id, nuggetId } = (await call(`POST ${PATH}`, { body: RIGHT })).body.data;
  assert.equal((await call(`GET ${PATH}/${id}`, { token: 'stranger' })).status, 404);
  assert.equal((await call(`GET ${PATH}`, { token: 'stranger' })).body.total, 0);
  const theirs = { body: { ...RIGHT, nuggetId }, token: 'stranger' };
  assert.equal((await call(`POST ${PATH}`, theirs)).status, 404);
  assert.equal((await call(`POST ${PATH}`, { body: RIGHT, token: 'member' })).status, 403);
  assert.equal((await call(`GET ${PATH}/${id}`, { token: 'viewer' })).status, 200);
});
