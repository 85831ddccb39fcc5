import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { authenticateByRole, createTestTenant, serveRouter } from '@probity/core/testing';
import { createSampleRouter } from '../../src/koa.ts';
import { createWorld } from '../world.ts';

/** Serves the router of a new world; tokens have the form `<role>.<organization>`. */
async function serve(t: TestContext) {
  const world = await createWorld(t);
  const router = createSampleRouter(world, { authenticate: authenticateByRole, checkReplies: true });
  const { organizationId } = world;
  // biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
  const call = await serveRouter<any>(t, router, { token: `owner.${organizationId}` });
  const stranger = `owner.${(await createTestTenant(world.opened)).organizationId}`;
  return { call, organizationId, stranger };
}

test('a ~thing~ is created, listed, read, changed and deleted over HTTP', async (t) => {
  const { call } = await serve(t);
  const created = await call('POST', '/-things-', { name: 'First' });
  assert.equal(created.status, 201);
  const { id, ...rest } = created.body.data;
  assert.match(id, /^idp_/);
  assert.deepEqual(rest, { name: 'First', createdAt: '2026-01-01T00:00:00.000Z' });
  const list = await call('GET', '/-things-');
  const page = { total: 1, limit: 50, offset: 0, has_more: false };
  assert.deepEqual(list.body, { data: [created.body.data], ...page });
  const changed = await call('PATCH', `/-things-/${id}`, { name: 'Second' });
  assert.deepEqual([changed.status, changed.body.data.name], [200, 'Second']);
  assert.deepEqual((await call('GET', `/-things-/${id}`)).body, changed.body);
  assert.equal((await call('DELETE', `/-things-/${id}`)).status, 204);
  assert.equal((await call('GET', `/-things-/${id}`)).status, 404);
});

test('requests of another organization for a ~thing~ are answered with 404', async (t) => {
  const { call, stranger } = await serve(t);
  const { body } = await call('POST', '/-things-', { name: 'First' });
  const path = `/-things-/${body.data.id}`;
  const statuses = [
    (await call('GET', path, undefined, stranger)).status,
    (await call('PATCH', path, { name: 'Theirs' }, stranger)).status,
    (await call('DELETE', path, undefined, stranger)).status,
  ];
  assert.deepEqual(statuses, [404, 404, 404]);
  assert.equal((await call('GET', '/-things-', undefined, stranger)).body.total, 0);
});

test('viewers can list ~things~ but not create them; admins can do both', async (t) => {
  const { call, organizationId } = await serve(t);
  const statusesOf = async (role: string) => [
    (await call('GET', '/-things-', undefined, `${role}.${organizationId}`)).status,
    (await call('POST', '/-things-', { name: 'One' }, `${role}.${organizationId}`)).status,
  ];
  assert.deepEqual(await statusesOf('viewer'), [200, 403]);
  assert.deepEqual(await statusesOf('admin'), [200, 201]);
});

for (const [title, body] of [
  ['without a name', {}],
  ['with an empty name', { name: ' ' }],
  ['with a name of 201 characters', { name: 'x'.repeat(201) }],
] as const) {
  test(`POST /-things- refuses a ~thing~ ${title} with 422 that names the field`, async (t) => {
    const { call } = await serve(t);
    const answer = await call('POST', '/-things-', body);
    const fields = answer.body.error.details.map(({ field }: { field: string }) => field);
    assert.deepEqual([answer.status, fields], [422, ['name']]);
  });
}
