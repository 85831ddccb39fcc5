import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorld, serve } from '../world.ts';

const PATH = '/compliance/ai-systems';

test('an AI system is registered, read, listed, changed and deleted', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const input = { name: 'Screening', description: 'Ranks', riskClass: 'high', owner: 'HR' };
  const created = await call(`POST ${PATH}`, { body: input, token: 'editor' });
  assert.equal(created.status, 201);
  const { id, createdAt, updatedAt, ...fields } = created.body.data;
  assert.deepEqual(fields, input);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
  assert.equal(createdAt, updatedAt);
  const item = `${PATH}/${id}`;
  assert.deepEqual((await call(`GET ${item}`, { token: 'viewer' })).body, created.body);
  const list = await call(`GET ${PATH}`);
  assert.deepEqual([list.body.data, list.body.total], [[created.body.data], 1]);
  await world.clock.advance(1_000);
  const changed = await call(`PATCH ${item}`, { body: { riskClass: null, name: ' New ' } });
  assert.deepEqual([changed.body.data.riskClass, changed.body.data.name], [null, 'New']);
  assert.equal(changed.body.data.updatedAt, world.clock.now().toISOString());
  assert.equal((await call(`DELETE ${item}`)).status, 204);
  assert.equal((await call(`GET ${item}`)).status, 404);
  const entries = await world.auditEntries();
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['ai_system.deleted', 'ai_system.updated', 'ai_system.created'],
  );
  assert.deepEqual(entries[1]?.before, { name: 'Screening', riskClass: 'high' });
});

test('members that are not given are null, and a change to the same leaves no trace', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { body } = await call(`POST ${PATH}`, { body: { name: 'A' } });
  const { description, riskClass, owner } = body.data;
  assert.deepEqual([description, riskClass, owner], [null, null, null]);
  const same = await call(`PATCH ${PATH}/${body.data.id}`, { body: { name: 'A' } });
  assert.deepEqual(same.body, body);
  assert.equal((await world.auditEntries()).length, 1);
});

test('wrong members are named, and other organizations and roles are refused', async (t) => {
  const call = await serve(t, await createWorld(t));
  for (const [body, field] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'A', riskClass: 'medium' }, 'riskClass'],
    [{ name: 'A', owner: '' }, 'owner'],
    [{ name: 'A', description: 'x'.repeat(5_001) }, 'description'],
    [{ name: 'A', id: 'x' }, 'id'],
  ] as const) {
    const answer = await call(`POST ${PATH}`, { body });
    assert.deepEqual([answer.status, answer.body.error.details[0].field], [422, field]);
  }
  const { body } = await call(`POST ${PATH}`, { body: { name: 'A' } });
  const item = `${PATH}/${body.data.id}`;
  const statusOf = async (request: string, token: string, change?: object) =>
    (await call(request, { token, ...(change ? { body: change } : {}) })).status;
  assert.equal(await statusOf(`GET ${item}`, 'stranger'), 404);
  assert.equal(await statusOf(`PATCH ${item}`, 'stranger', { name: 'B' }), 404);
  assert.equal(await statusOf(`DELETE ${item}`, 'stranger'), 404);
  assert.equal(await statusOf(`POST ${PATH}`, 'member', { name: 'B' }), 403);
  assert.equal(await statusOf(`DELETE ${item}`, 'viewer'), 403);
});

test('an AI system stays while a record refers to it', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { body } = await call(`POST ${PATH}`, { body: { name: 'A' } });
  const [record] = await world.append({ aiSystemId: body.data.id });
  const item = `${PATH}/${body.data.id}`;
  const refused = await call(`DELETE ${item}`);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT']);
  const change = { body: { aiSystemId: null } };
  await call(`PATCH /compliance/evidence/${record?.id}`, change);
  assert.equal((await call(`DELETE ${item}`)).status, 204);
});
