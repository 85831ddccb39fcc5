import assert from 'node:assert/strict';
import test from 'node:test';
import { createSentenceEmbedder } from '@probity/pipeline/claims';
import { sampleTargets } from '@probity/test-support/combinations';
import {
  createKnowledgeSearch,
  createMemoryVectorStore,
  createTextVerification,
} from '../../src/index.ts';
import { createWorld, targets } from '../world.ts';

const SOURCE = 'https://facts.example/';
const FACTS = [
  'Mount Kilimanjaro in Tanzania rises to 5,895 metres and is the highest mountain in Africa.',
  'The Nile flows north through eleven countries and empties into the Mediterranean Sea.',
  'Refunds are possible within 30 days after the purchase.',
  'The support team answers within two working days.',
];

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a text is verified, contradicted or unverified, as the knowledge base is now`, async (t) => {
    const world = await createWorld(t, { target });
    const { storage, context, services } = world;
    const store = createMemoryVectorStore();
    const embedder = createSentenceEmbedder();
    const search = createKnowledgeSearch({ storage, store, embedder, embedderName: 'built-in' });
    const { verify } = createTextVerification(search);
    const refunds = 'Refunds are possible within 30 days after the purchase.';
    assert.deepEqual((await verify(context, refunds)).verdict, 'unverified');
    const nuggets = [];
    for (const claim of FACTS) {
      nuggets.push(await services.nuggets.create(context, { claim, sourceUrl: SOURCE }));
    }
    const text = `${refunds} The support team answers within two working days.`;
    const verified = await verify(context, text);
    assert.equal(verified.verdict, 'verified');
    const [first, second] = verified.claims;
    assert.deepEqual([first?.status, first?.nuggets[0]?.nugget], ['supported', nuggets[2]]);
    assert.equal(text.slice(second?.start, second?.end), second?.text);
    const wrong =
      'Mount Kilimanjaro in Tanzania rises to 3,200 metres and is the highest mountain in Africa.';
    const contradicted = await verify(context, `${refunds} ${wrong}`);
    assert.deepEqual(
      [contradicted.verdict, contradicted.claims.map(({ status }) => status)],
      ['contradicted', ['supported', 'contradicted']],
    );
    const unknown = await verify(context, `${refunds} The office has a green door.`);
    assert.deepEqual([unknown.verdict, unknown.claims[1]?.status], ['unverified', 'unknown']);
    await services.nuggets.remove(context, nuggets[2]?.id ?? '');
    assert.equal((await verify(context, refunds)).verdict, 'unverified');
    const change = { claim: 'Refunds are possible within 30 days after the purchase.' };
    await services.nuggets.update(context, nuggets[3]?.id ?? '', change);
    assert.equal((await verify(context, refunds)).verdict, 'verified');
  });
}

test('a store that lost its vectors, and one that is far behind, follow the knowledge base', async (t) => {
  const { storage, context, services, organizationId } = await createWorld(t);
  const ids: string[] = [];
  for (let at = 0; at < 300; at++) {
    const claim = `Room ${at} is on floor ${at % 7}.`;
    ids.push((await services.nuggets.create(context, { claim, sourceUrl: SOURCE })).id);
  }
  for (const id of ids.slice(0, 140)) await services.nuggets.remove(context, id);
  const embedder = createSentenceEmbedder();
  for (let round = 0; round < 2; round++) {
    const store = createMemoryVectorStore();
    const search = createKnowledgeSearch({ storage, store, embedder, embedderName: 'built-in' });
    const texts = ['Room 200 is on floor 4.', 'Room 3 is on floor 3.'];
    const [found, removed] = await search.nearest(organizationId, texts, { count: 5 });
    assert.equal(found?.[0]?.nugget.id, ids[200]);
    assert.ok((found?.[0]?.similarity ?? 0) > 0.999);
    assert.ok(removed?.every(({ nugget }) => !ids.slice(0, 140).includes(nugget.id)));
  }
  const none = await createWorld(t);
  const empty = createKnowledgeSearch({
    storage: none.storage,
    store: createMemoryVectorStore(),
    embedder,
    embedderName: 'built-in',
  });
  assert.deepEqual(await empty.nearest(none.organizationId, ['Anything'], { count: 3 }), [[]]);
});

test('a text that is empty or too long is refused', async (t) => {
  const { storage, context } = await createWorld(t);
  const search = createKnowledgeSearch({
    ...{ storage, store: createMemoryVectorStore(), embedder: createSentenceEmbedder() },
    embedderName: 'built-in',
  });
  const { verify } = createTextVerification(search);
  for (const content of [' ', 'x'.repeat(20_001), 'It rains in May. '.repeat(201)]) {
    await assert.rejects(verify(context, content), /content|invalid/);
  }
});

test('similarities are from 0 to 1, of identical texts in a language that is not covered too', async (t) => {
  const { context, services } = await createWorld(t);
  const claims = [
    'Возврат возможен в течение 30 дней после покупки.',
    'Die Rückgabe ist innerhalb von 30 Tagen nach dem Kauf möglich.',
    '退款可在购买后30天内办理。',
  ];
  for (const claim of claims) {
    await services.nuggets.create(context, { claim, sourceUrl: SOURCE });
  }
  for (const claim of claims) {
    const [found] = (await services.verification.verify(context, claim)).claims;
    assert.equal(found?.status, 'unknown');
    assert.equal(found?.nuggets[0]?.nugget.claim, claim);
    for (const { similarity } of found?.nuggets ?? []) {
      assert.ok(similarity >= 0 && similarity <= 1, `${similarity}`);
    }
  }
});

test('the versions of nuggets rise with each change, and those that are gone have none', async (t) => {
  const { context, services } = await createWorld(t);
  const nugget = await services.nuggets.create(context, { claim: 'One.', sourceUrl: SOURCE });
  const other = await services.nuggets.create(context, { claim: 'Two.', sourceUrl: SOURCE });
  const versions = async () => services.nuggets.versions(context, [nugget.id, other.id, 'nug_no']);
  const before = await versions();
  assert.deepEqual([...before.keys()].sort(), [nugget.id, other.id].sort());
  await services.nuggets.update(context, nugget.id, { category: 'changed' });
  await services.nuggets.remove(context, other.id);
  const after = await versions();
  assert.deepEqual([...after.keys()], [nugget.id]);
  assert.ok((after.get(nugget.id) ?? 0) > (before.get(nugget.id) ?? 0));
});
