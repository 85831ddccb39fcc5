import assert from 'node:assert/strict';
import test from 'node:test';
import type { Embedder } from '@probity/pipeline';
import { BackendError } from '@probity/pipeline/backends';
import { createSentenceEmbedder } from '@probity/pipeline/claims';
import { sampleTargets } from '@probity/test-support/combinations';
import type { World } from '../world.ts';
import { createWorld, serve, targets } from '../world.ts';

const NUGGETS = '/knowledge/nuggets';
const SEARCH = `${NUGGETS}/search`;
const SOURCE = 'https://facts.example/';
const FACTS = [
  { claim: 'Refunds are possible within 30 days after the purchase.', category: 'refunds' },
  { claim: 'Refunds of gift cards are not possible.', category: 'gift cards' },
  { claim: 'The support team answers within two working days.', category: 'support' },
].map((fact) => ({ ...fact, source_url: SOURCE }));

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a search finds what was stored before it, nearest first`, async (t) => {
    const call = await serve(t, await createWorld(t, { target }));
    const search = async (query: string) => (await call(`GET ${SEARCH}?${query}`)).body;
    assert.deepEqual(await search('q=refund'), {
      ...{ data: [], total: 0, limit: 50, offset: 0, has_more: false },
    });
    const ids: string[] = [];
    for (const body of FACTS) ids.push((await call(`POST ${NUGGETS}`, { body })).body.data.id);
    const found = await search('q=Are+refunds+possible+within+30+days%3F');
    assert.deepEqual([found.data[0].id, found.total], [ids[0], 3]);
    const similarities = found.data.map((each: { similarity: number }) => each.similarity);
    assert.deepEqual(
      similarities,
      [...similarities].sort((left, right) => right - left),
    );
    assert.deepEqual((await call('GET /knowledge/index')).body.data, {
      ...{ status: 'current', embedder: 'built-in-1', nuggets: 3, pending: 0 },
      ...{ sequence: 3, indexed_sequence: 3 },
    });
    const second = await search('q=refunds+possible+30+days&limit=1&offset=1');
    assert.deepEqual([second.data[0].id, second.total, second.has_more], [ids[1], 3, true]);
    const support = await search('q=refunds&category=support');
    assert.deepEqual(
      support.data.map(({ id }: { id: string }) => id),
      [ids[2]],
    );
    const body = { category: 'help', claim: 'The help desk answers within one working day.' };
    await call(`PATCH ${NUGGETS}/${ids[2]}`, { body });
    assert.deepEqual((await search('q=refunds&category=support')).data, []);
    const [changed] = (await search('q=The+help+desk+answers+within+one+working+day')).data;
    assert.deepEqual([changed.id, changed.similarity > 0.99], [ids[2], true]);
    await call(`DELETE ${NUGGETS}/${ids[0]}`);
    assert.ok((await search('q=refunds')).data.every(({ id }: { id: string }) => id !== ids[0]));
  });
}

test('every bad member of a search is named, and others find nothing of it', async (t) => {
  const call = await serve(t, await createWorld(t));
  const bad = await call(`GET ${SEARCH}?q=+&limit=0&category=${'x'.repeat(201)}&other=1`);
  const fields = bad.body.error.details.map(({ field }: { field: string }) => field);
  assert.deepEqual([bad.status, fields.sort()], [422, ['category', 'limit', 'other', 'q']]);
  assert.equal((await call(`GET ${SEARCH}`)).body.error.details[0].field, 'q');
  await call(`POST ${NUGGETS}`, { body: FACTS[0] });
  const theirs = await call(`GET ${SEARCH}?q=refunds`, { token: 'stranger' });
  assert.deepEqual([theirs.status, theirs.body.total], [200, 0]);
  assert.equal((await call('GET /knowledge/index', { token: 'viewer' })).body.data.pending, 1);
});

test('a search does not wait for what takes long to index, and says how much is pending', async (t) => {
  const { embed } = createSentenceEmbedder();
  const turn: { clock?: World['clock'] } = {};
  const slow: Embedder = {
    async embed(texts, signal) {
      if (texts.length > 1) await turn.clock?.advance(10_000);
      return embed(texts, signal);
    },
  };
  const world = await createWorld(t, { embedder: { name: 'slow', embedder: slow } });
  turn.clock = world.clock;
  const call = await serve(t, world);
  for (let at = 0; at < 300; at++) {
    await world.services.nuggets.create(world.context, { claim: `Room ${at}`, sourceUrl: SOURCE });
  }
  const stateOf = ({ status, pending, indexed_sequence: place }: Record<string, unknown>) => [
    ...[status, pending, place],
  ];
  const search = () => call(`GET ${SEARCH}?q=Room+299`);
  const state = async () => stateOf((await call('GET /knowledge/index')).body.data);
  const pendingOf = ({ headers }: Awaited<ReturnType<typeof search>>) =>
    headers.get('x-knowledge-pending');
  assert.equal(pendingOf(await search()), '172');
  assert.deepEqual(await state(), ['building', 172, 128]);
  assert.equal(pendingOf(await search()), '44');
  const last = await search();
  assert.deepEqual([pendingOf(last), last.body.data[0].claim], ['0', 'Room 299']);
  assert.deepEqual(await state(), ['current', 0, 300]);
});

test('an embedder that gives no answer is told, without what it was asked', async (t) => {
  const failing: Embedder = {
    embed: async () => {
      throw new BackendError('timeout', 'no response within 5000 ms');
    },
  };
  const call = await serve(t, await createWorld(t, { embedder: { name: 'x', embedder: failing } }));
  await call(`POST ${NUGGETS}`, { body: FACTS[0] });
  const answer = await call(`GET ${SEARCH}?q=refunds`);
  assert.deepEqual([answer.status, answer.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.match(answer.body.error.message, /no response within 5000 ms/);
});
