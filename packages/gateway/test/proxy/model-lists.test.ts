import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProxy } from './proxy-world.ts';

const VERSION = { 'anthropic-version': '2023-06-01' };

test('clients of Anthropic get the models in its form, by x-api-key or by Bearer', async (t) => {
  const { world } = await startProxy(t);
  const heads = [
    { 'x-api-key': world.token },
    { 'x-api-key': world.token, ...VERSION },
    { authorization: `Bearer ${world.token}`, ...VERSION },
  ];
  for (const headers of heads) {
    const list = await world.call('/v1/models?limit=1000', { headers });
    assert.equal(list.status, 200);
    const [model] = (list.body as unknown as { data: object[] }).data;
    const { created_at: at, ...named } = model as Record<string, unknown>;
    assert.deepEqual(named, { type: 'model', id: 'm', display_name: 'm' });
    assert.ok(!Number.isNaN(Date.parse(String(at))));
    const { data: _, ...page } = list.body as Record<string, unknown>;
    assert.deepEqual(page, { has_more: false, first_id: 'm', last_id: 'm' });
    assert.deepEqual((await world.call('/v1/models/m', { headers })).body, model);
    const missing = await world.call('/v1/models/none', { headers });
    assert.equal(missing.status, 404);
    assert.equal((missing.body as Record<string, unknown>).type, 'error');
  }
});

test('clients of OpenAI get the models in its form, and an unknown key gets none', async (t) => {
  const { world, client } = await startProxy(t);
  assert.deepEqual(
    (await client.models.list()).data.map(({ id, object }) => [id, object]),
    [['m', 'model']],
  );
  await assert.rejects(client.models.retrieve('none'), { status: 404 });
  const refused = await world.call('/v1/models', { headers: { 'x-api-key': 'pbk_unknown' } });
  assert.equal(refused.status, 401);
});

test('a list of models for Anthropic has pages in both directions', async (t) => {
  const models = (url: string) =>
    `models: {providers: {local: {enabled: true, base_url: "${url}", models: {a: {enabled: true}, b: {enabled: true}, c: {enabled: true}}}}}\n`;
  const { world } = await startProxy(t, { models });
  const page = async (query: string) => {
    const { body } = await world.call(`/v1/models?${query}`, {
      headers: { 'x-api-key': world.token },
    });
    const { data, has_more } = body as unknown as { data: { id: string }[]; has_more: boolean };
    return [data.map(({ id }) => id).join(''), has_more];
  };
  assert.deepEqual(await page('limit=2'), ['ab', true]);
  assert.deepEqual(await page('limit=2&after_id=b'), ['c', false]);
  assert.deepEqual(await page('limit=1&before_id=c'), ['b', true]);
  assert.deepEqual(await page('limit=2&before_id=c'), ['ab', false]);
});
