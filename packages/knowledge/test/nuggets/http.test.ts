import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorld, serve, targets } from '../world.ts';

const PATH = '/knowledge/nuggets';
const WATER = {
  claim: 'Water boils at 100 °C at sea level.',
  source_url: 'https://physics.example/water',
  category: 'physics',
  confidence: 'high',
};

for (const target of targets) {
  test(`${target.name}: a nugget is added, read, found, changed and deleted, and audited`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const created = await call(`POST ${PATH}`, { body: WATER, token: 'editor' });
    assert.equal(created.status, 201);
    const { id, created_at: createdAt, updated_at: updatedAt, ...fields } = created.body.data;
    assert.deepEqual(fields, { ...WATER, confidence: 0.9 });
    assert.match(id, /^nug_/);
    assert.equal(createdAt, updatedAt);
    const item = `${PATH}/${id}`;
    assert.deepEqual((await call(`GET ${item}`, { token: 'viewer' })).body, created.body);
    const list = await call(
      `GET ${PATH}?category=physics&source_url=${encodeURIComponent(WATER.source_url)}`,
    );
    assert.deepEqual([list.body.data, list.body.total], [[created.body.data], 1]);
    assert.equal((await call(`GET ${PATH}?category=chemistry`)).body.total, 0);
    await world.clock.advance(1_000);
    const changed = await call(`PATCH ${item}`, { body: { confidence: 0.25, category: null } });
    assert.deepEqual([changed.body.data.confidence, changed.body.data.category], [0.25, null]);
    assert.equal(changed.body.data.updated_at, world.clock.now().toISOString());
    const same = await call(`PATCH ${item}`, { body: { confidence: 0.25 } });
    assert.deepEqual(same.body, changed.body);
    assert.equal((await call(`DELETE ${item}`)).status, 204);
    assert.equal((await call(`GET ${item}`)).status, 404);
    const entries = await world.auditEntries();
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['nugget.deleted', 'nugget.updated', 'nugget.created'],
    );
    assert.deepEqual(entries[1]?.before, { category: 'physics', confidence: 0.9 });
    const extent = await world.storage.findKnowledgeExtent(world.organizationId);
    assert.deepEqual(extent, { sequence: 3, nuggets: 0 });
  });
}

test('confidence is a number or a word, in any case; dates are kept', async (t) => {
  const call = await serve(t, await createWorld(t));
  const cases = [
    ['low', 0.3],
    ['Medium', 0.6],
    ['HIGH', 0.9],
    ['0.45', 0.45],
    [0, 0],
    [1, 1],
    [null, null],
  ] as const;
  for (const [confidence, expected] of cases) {
    const claim = `Claim with ${confidence}`;
    const body = { ...WATER, claim, confidence, created_at: '2026-01-15' };
    const { data } = (await call(`POST ${PATH}`, { body })).body;
    assert.deepEqual([data.confidence, data.created_at], [expected, '2026-01-15T00:00:00.000Z']);
  }
});

test('every bad member is named', async (t) => {
  const call = await serve(t, await createWorld(t));
  const bad = {
    claim: ' ',
    source_url: 'javascript:alert(1)',
    category: '',
    confidence: 1.5,
    created_at: 'yesterday',
    other: 1,
  };
  const answer = await call(`POST ${PATH}`, { body: bad });
  const fields = answer.body.error.details.map(({ field }: { field: string }) => field);
  assert.deepEqual([answer.status, fields.sort()], [422, Object.keys(bad).sort()]);
  for (const confidence of ['', 'certain', '1.1', -0.1, '-1', 'NaN', '0x1', true]) {
    const refused = await call(`POST ${PATH}`, { body: { ...WATER, confidence } });
    assert.deepEqual(
      [refused.status, refused.body.error.details?.[0].field],
      [422, 'confidence'],
      String(confidence),
    );
  }
  const missing = await call(`POST ${PATH}`, { body: {} });
  assert.deepEqual(missing.body.error.details, [
    { field: 'claim', message: 'is required' },
    { field: 'source_url', message: 'is required' },
  ]);
  const query = await call(`GET ${PATH}?unknown=1`);
  assert.equal(query.status, 422);
});

test('a claim of a source is stored once, also when a change would make it another', async (t) => {
  const call = await serve(t, await createWorld(t));
  await call(`POST ${PATH}`, { body: WATER });
  const spaced = { ...WATER, claim: 'Water  boils at 100 °C at sea level.' };
  const again = await call(`POST ${PATH}`, { body: spaced });
  assert.deepEqual([again.status, again.body.error.code], [409, 'RESOURCE_ALREADY_EXISTS']);
  const other = { ...WATER, source_url: 'https://other.example/' };
  const { id } = (await call(`POST ${PATH}`, { body: other })).body.data;
  const change = { body: { source_url: WATER.source_url } };
  assert.equal((await call(`PATCH ${PATH}/${id}`, change)).status, 409);
});

test('a full knowledge base takes no further nugget', async (t) => {
  const call = await serve(t, await createWorld(t, { maxNuggets: 1 }));
  await call(`POST ${PATH}`, { body: WATER });
  const full = await call(`POST ${PATH}`, { body: { ...WATER, claim: 'Another' } });
  assert.deepEqual([full.status, full.body.error.code], [409, 'CONFLICT']);
});

test('other organizations and roles are refused', async (t) => {
  const call = await serve(t, await createWorld(t));
  const { id } = (await call(`POST ${PATH}`, { body: WATER })).body.data;
  const item = `${PATH}/${id}`;
  const statusOf = async (request: string, token: string, body?: object) =>
    (await call(request, { token, ...(body ? { body } : {}) })).status;
  assert.equal(await statusOf(`GET ${item}`, 'stranger'), 404);
  assert.equal(await statusOf(`PATCH ${item}`, 'stranger', { category: 'x' }), 404);
  assert.equal(await statusOf(`DELETE ${item}`, 'stranger'), 404);
  assert.equal(await statusOf(`POST ${PATH}`, 'stranger', WATER), 201);
  assert.equal(await statusOf(`POST ${PATH}`, 'member', WATER), 403);
  assert.equal(await statusOf(`DELETE ${item}`, 'viewer'), 403);
});
