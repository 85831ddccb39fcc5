import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PeerFailure } from '@probity/test-support';
import { until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { createWorld, faultsOf, serve, targets } from '../world.ts';

const PATH = '/integrations/itsm/incidents';
const INCIDENT = {
  short_description: 'The assistant invented a refund policy',
  description: 'Two answers\ncontradict the knowledge base.',
  category: 'software',
  subcategory: 'ai',
  priority: 2,
  urgency: 1,
  impact: 2,
};

for (const target of sampleTargets(targets)) {
  test(`${target.name}: an incident is created with the fields of the specification and recorded`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const integration = await world.connectItsm();
    const answer = await call('POST', PATH, INCIDENT);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const [stored, ...others] = world.serviceNow.incidents;
    assert.ok(stored && others.length === 0);
    const { sys_id: id = '', number, state: _, sys_created_on: __, ...fields } = stored;
    const page = encodeURIComponent(`incident.do?sys_id=${id}`);
    const url = `${world.serviceNow.url}/nav_to.do?uri=${page}`;
    assert.deepEqual(answer.body, { data: { id, number, url } });
    assert.deepEqual(fields, {
      ...INCIDENT,
      ...{ priority: '2', urgency: '1', impact: '2', correlation_id: '' },
    });
    const last = (await world.audit()).at(-1);
    assert.deepEqual([last?.action, last?.target], ['incident.created', { type: 'incident', id }]);
    assert.deepEqual(last?.after, { integrationId: integration.id, number, ...INCIDENT });
    assert.deepEqual(faultsOf(world), []);
  });
}

test('without a connected system an incident is 409 that names the set-up', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  await world.connectChatops();
  const answer = await call('POST', PATH, INCIDENT);
  assert.deepEqual([answer.status, answer.body.error.code], [409, 'CONFLICT']);
  assert.match(answer.body.error.message, /POST \/integrations\/itsm/);
});

const unanswered: Array<[title: string, failures: PeerFailure[], creates: number]> = [
  ['a closed connection', ['drop'], 1],
  ['500', [{ status: 500 }], 1],
  ['a page', [{ status: 200, body: '<p>Maintenance</p>' }], 1],
  ['an answer without an incident', [{ status: 201, body: '{"result":{}}' }], 1],
  ['429 again and again', [429, 429, 429].map((status) => ({ status })), 3],
];

for (const [title, failures, creates] of unanswered) {
  test(`a connected system with ${title} is 503, and what may have been created is not sent again`, async (t) => {
    const world = await createWorld(t);
    const call = await serve(t, world);
    await world.connectItsm();
    world.serviceNow.failNext('create', ...failures);
    const answer = await call('POST', PATH, INCIDENT);
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
    assert.equal(world.serviceNow.count('create'), creates);
    const { items } = await world.storage.listIntegrations(world.organizationId, {
      limit: 1,
      offset: 0,
    });
    assert.equal(items[0]?.status, 'connected');
  });
}

test('a connected system that hangs is 503 after ten seconds', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  await world.connectItsm();
  world.serviceNow.failNext('create', 'hang');
  const answering = call('POST', PATH, INCIDENT);
  await until(async () => world.serviceNow.count('create') === 1, 'the incident is sent');
  await world.clock.advance(10_000);
  assert.equal((await answering).status, 503);
});

test('a system that asks to come back later is 503 with its Retry-After', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  await world.connectItsm();
  world.serviceNow.failNext('create', { status: 429, headers: { 'retry-after': '120' } });
  const answer = await call('POST', PATH, INCIDENT);
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '120']);
  assert.equal(world.serviceNow.count('create'), 1);
});

test('a short pause that the system asks for is made within the call', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  await world.connectItsm();
  world.serviceNow.failNext('create', { status: 429, headers: { 'retry-after': '1' } });
  assert.equal((await call('POST', PATH, INCIDENT)).status, 201);
  assert.deepEqual([world.serviceNow.count('create'), world.serviceNow.incidents.length], [2, 1]);
});

test('a token is used until it ends, and renewed once when it was revoked', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  await world.connectItsm();
  world.serviceNow.tokenLifeSeconds = 600;
  const create = async () => (await call('POST', PATH, INCIDENT)).status;
  const { serviceNow } = world;
  const atFirst = serviceNow.count('token');
  assert.deepEqual(await Promise.all([create(), create(), create()]), [201, 201, 201]);
  assert.equal(serviceNow.count('token') - atFirst, 1, 'one request for all');
  await world.clock.advance(569_000);
  assert.equal(await create(), 201);
  assert.equal(serviceNow.count('token') - atFirst, 1, 'half a minute before its end');
  await world.clock.advance(2_000);
  assert.equal(await create(), 201);
  assert.equal(serviceNow.count('token') - atFirst, 2);
  serviceNow.revokeTokens();
  assert.deepEqual(await Promise.all([create(), create(), create()]), [201, 201, 201]);
  assert.equal(serviceNow.count('token') - atFirst, 3, 'one renewal for all');
  assert.equal(serviceNow.incidents.length, 8);
  assert.deepEqual(faultsOf(world), []);
});

test('refused credentials and missing roles are 409, and the integration is failing until it works', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { id } = await world.connectItsm();
  const { serviceNow } = world;
  const statusOf = async () => (await call('GET', `/integrations/${id}`)).body.data;
  assert.equal((await call('POST', PATH, INCIDENT)).status, 201);
  serviceNow.clients.set('probity', 'changed');
  serviceNow.revokeTokens();
  const refused = await call('POST', PATH, INCIDENT);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT']);
  assert.equal((await statusOf()).status, 'failing');
  assert.match((await statusOf()).lastError, /invalid_client/);
  serviceNow.clients.set('probity', 'itsm-S3cret/+=&');
  serviceNow.hasRole = false;
  assert.match((await call('POST', PATH, INCIDENT)).body.error.message, /roles/);
  assert.match((await statusOf()).lastError, /403: Operation Failed/);
  serviceNow.hasRole = true;
  assert.equal((await call('POST', PATH, INCIDENT)).status, 201);
  const { status, lastError, lastErrorAt } = await statusOf();
  assert.deepEqual([status, lastError, lastErrorAt], ['connected', null, null]);
  const actions = (await world.audit()).map(({ action }) => action);
  const changes = actions.filter((action) => /failing|recovered/.test(action));
  assert.deepEqual(changes, ['integration.failing', 'integration.recovered']);
});

test('the message of a system that rejects an incident is passed on', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  await world.connectItsm();
  const body = JSON.stringify({ error: { message: 'Invalid category' }, status: 'failure' });
  world.serviceNow.failNext('create', { status: 400, body });
  const answer = await call('POST', PATH, INCIDENT);
  assert.equal(answer.status, 409);
  assert.match(answer.body.error.message, /Invalid category/);
});

test('a call with an Idempotency-Key creates one incident, whatever becomes of its answer', async (t) => {
  const world = await createWorld(t);
  await world.connectItsm();
  const { incidents } = world.services;
  const context = { ...world.context, idempotencyKey: 'ticket-1' };
  world.serviceNow.failNext('create', 'drop_after');
  await assert.rejects(incidents.create(context, INCIDENT), { kind: 'unavailable' });
  assert.equal(world.serviceNow.incidents.length, 1);
  const first = await incidents.create(context, INCIDENT);
  assert.equal(first.id, world.serviceNow.incidents[0]?.sys_id);
  assert.equal((await incidents.create(context, INCIDENT)).id, first.id);
  const others = [
    { ...context, idempotencyKey: 'ticket-2' },
    { ...context, principal: { ...context.principal, keyId: 'another' } },
  ];
  for (const other of others) {
    assert.notEqual((await incidents.create(other, INCIDENT)).id, first.id);
  }
  // The key is another call's by then.
  await world.clock.advance(26 * 3_600_000);
  assert.notEqual((await incidents.create(context, INCIDENT)).id, first.id);
  assert.equal(world.serviceNow.incidents.length, 4);
  assert.deepEqual(faultsOf(world), []);
});

test('an instance that passes over the query for the correlation does not hide an incident', async (t) => {
  const world = await createWorld(t);
  await world.connectItsm();
  world.serviceNow.ignoresCorrelation = true;
  const { incidents } = world.services;
  const first = await incidents.create({ ...world.context, idempotencyKey: 'a' }, INCIDENT);
  const second = await incidents.create({ ...world.context, idempotencyKey: 'b' }, INCIDENT);
  assert.notEqual(first.id, second.id);
});

const wrong: Array<[change: object, field: string]> = [
  [{ short_description: undefined }, 'short_description'],
  [{ short_description: ' ' }, 'short_description'],
  [{ short_description: 'x'.repeat(161) }, 'short_description'],
  [{ description: 'x'.repeat(4_001) }, 'description'],
  [{ category: '' }, 'category'],
  [{ subcategory: 'x'.repeat(41) }, 'subcategory'],
  [{ priority: 0 }, 'priority'],
  [{ priority: '1' }, 'priority'],
  [{ urgency: 4 }, 'urgency'],
  [{ impact: 1.5 }, 'impact'],
  [{ caller_id: 'x' }, 'caller_id'],
];

test('what is wrong with an incident is named before anything is sent', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  await world.connectItsm();
  for (const [change, field] of wrong) {
    const answer = await call('POST', PATH, { ...INCIDENT, ...change });
    const named = answer.body.error.details.map((each: { field: string }) => each.field);
    assert.deepEqual([answer.status, named], [422, [field]]);
  }
  assert.equal(world.serviceNow.count('create'), 0);
});
