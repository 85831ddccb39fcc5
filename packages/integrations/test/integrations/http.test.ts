import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MICROSOFT_CHANNEL,
  MICROSOFT_CHAT,
  MICROSOFT_CLIENT,
  SERVICE_NOW_CLIENT,
} from '@probity/test-support';
import { createWorld, faultsOf, serve, targets } from '../world.ts';

const AT = '2026-01-01T00:00:00.000Z';

for (const target of targets) {
  test(`${target.name}: systems are connected, listed, routed to and disconnected, without their secrets`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const itsm = { instance_url: `${world.serviceNow.url}/`, ...SERVICE_NOW_CLIENT };
    const first = await call('POST', '/integrations/itsm', itsm);
    assert.equal(first.status, 201, JSON.stringify(first.body));
    const { id, ...rest } = first.body.data;
    assert.match(id, /^itg_/);
    assert.deepEqual(rest, {
      ...{ type: 'itsm', status: 'connected', instance_url: world.serviceNow.url },
      ...{ tenant_id: null, client_id: SERVICE_NOW_CLIENT.client_id, routing: null },
      ...{ lastError: null, lastErrorAt: null, createdAt: AT, updatedAt: AT },
    });
    await world.clock.advance(1_000);
    const second = await call('POST', '/integrations/chatops', MICROSOFT_CLIENT);
    assert.equal(second.status, 201, JSON.stringify(second.body));
    assert.equal(second.body.data.tenant_id, MICROSOFT_CLIENT.tenant_id);
    const list = await call('GET', '/integrations');
    const page = { total: 2, limit: 50, offset: 0, has_more: false };
    assert.deepEqual(list.body, { data: [first.body.data, second.body.data], ...page });
    const routing = { severities: ['high', 'critical', 'high'], category: 'software' };
    const routed = await call('PATCH', `/integrations/${id}`, { routing });
    const stored = { ...routing, severities: ['high', 'critical'] };
    assert.deepEqual([routed.status, routed.body.data.routing], [200, stored]);
    assert.deepEqual((await call('GET', `/integrations/${id}`)).body, routed.body);
    const off = await call('PATCH', `/integrations/${id}`, { routing: null });
    assert.equal(off.body.data.routing, null);
    assert.equal((await call('DELETE', `/integrations/${id}`)).status, 204);
    assert.equal((await call('GET', `/integrations/${id}`)).status, 404);
    const secrets = [SERVICE_NOW_CLIENT.client_secret, MICROSOFT_CLIENT.client_secret];
    const audit = await world.audit();
    const shown = JSON.stringify([first, second, list, routed, audit, world.lines]);
    for (const secret of secrets) assert.ok(!shown.includes(secret));
    assert.deepEqual(
      audit.map(({ action }) => action),
      [
        ...['integration.created', 'integration.created', 'integration.updated'],
        ...['integration.updated', 'integration.deleted'],
      ],
    );
    assert.deepEqual(faultsOf(world), []);
  });
}

test('a second integration of a type is 409, also when both are set up at once', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const body = { instance_url: world.serviceNow.url, ...SERVICE_NOW_CLIENT };
  const both = await Promise.all([
    call('POST', '/integrations/itsm', body),
    call('POST', '/integrations/itsm', body),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  const third = await call('POST', '/integrations/itsm', body);
  assert.equal(third.body.error.code, 'RESOURCE_ALREADY_EXISTS');
  assert.match(third.body.error.message, /PATCH \/integrations\/itg_/);
});

test('new credentials replace the former ones once they are verified', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { id } = await world.connectItsm();
  const path = `/integrations/${id}`;
  const wrong = await call('PATCH', path, { client_secret: 'another' });
  assert.equal(wrong.status, 422);
  const incident = { short_description: 'Works as before' };
  assert.equal((await call('POST', '/integrations/itsm/incidents', incident)).status, 201);
  world.serviceNow.clients.set('probity', 'renewed');
  world.serviceNow.revokeTokens();
  assert.equal((await call('PATCH', path, { client_secret: 'renewed' })).status, 200);
  assert.equal((await call('POST', '/integrations/itsm/incidents', incident)).status, 201);
  const [, , last] = (await world.audit()).filter(({ target }) => target.type === 'integration');
  const entry = (await world.audit()).find(({ action }) => action === 'integration.updated');
  assert.deepEqual(entry?.after, { client_secret: '***' });
  assert.equal(last, undefined);
});

test('another organization finds nothing; roles and plans are kept to', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { id } = await world.connectItsm();
  const path = `/integrations/${id}`;
  const requests: Array<[method: string, path: string, body?: unknown]> = [
    ['GET', path],
    ['PATCH', path, { routing: null }],
    ['PATCH', path, { client_id: 'x' }],
    ['POST', `${path}/test`],
    ['DELETE', path],
  ];
  for (const [method, at, body] of requests) {
    assert.equal((await call(method, at, body, 'stranger')).status, 404, `${method} ${at}`);
  }
  assert.equal((await call('GET', '/integrations', undefined, 'stranger')).body.total, 0);
  const incident = { short_description: 'Down' };
  const statusesOf = async (token: string) => [
    (await call('GET', '/integrations', undefined, token)).status,
    (await call('POST', '/integrations/itsm/incidents', incident, token)).status,
    (await call('PATCH', path, { routing: null }, token)).status,
  ];
  assert.deepEqual(await statusesOf('viewer'), [200, 403, 403]);
  assert.deepEqual(await statusesOf('editor'), [200, 201, 403]);
  assert.deepEqual(await statusesOf('admin'), [200, 201, 200]);
  assert.deepEqual(await statusesOf('small'), [200, 403, 403]);
  const setup = { instance_url: world.serviceNow.url, ...SERVICE_NOW_CLIENT };
  const refused = await call('POST', '/integrations/itsm', setup, 'small');
  assert.equal(refused.body.error.code, 'INSUFFICIENT_PERMISSIONS');
  assert.match(refused.body.error.message, /plan enterprise/);
  // An organization whose plan was lowered can still remove what it has.
  assert.equal((await call('DELETE', path, undefined, 'small')).status, 204);
});

const LONG = 'x'.repeat(513);
const refusals: Array<[title: string, type: string, change: object, fields: string[]]> = [
  [
    'no members',
    'itsm',
    { instance_url: undefined, client_id: undefined, client_secret: undefined },
    ['instance_url', 'client_id', 'client_secret'],
  ],
  ['an unknown member', 'itsm', { secret: 'x' }, ['secret']],
  [
    'long credentials',
    'itsm',
    { client_id: LONG, client_secret: LONG },
    ['client_id', 'client_secret'],
  ],
  ['an empty secret', 'itsm', { client_secret: '' }, ['client_secret']],
  ['a secret with a line feed', 'itsm', { client_secret: 'a\nb' }, ['client_secret']],
  ['http', 'itsm', { instance_url: 'http://acme.example' }, ['instance_url']],
  ['a query', 'itsm', { instance_url: 'https://8.8.8.8/?a=b' }, ['instance_url']],
  ['a private address', 'itsm', { instance_url: 'https://10.1.2.3' }, ['instance_url']],
  [
    'the address of metadata',
    'itsm',
    { instance_url: 'https://169.254.169.254' },
    ['instance_url'],
  ],
  [
    'a name of a private address',
    'itsm',
    { instance_url: 'https://private.example' },
    ['instance_url'],
  ],
  [
    'a name without an address',
    'itsm',
    { instance_url: 'https://nobody.example' },
    ['instance_url'],
  ],
  ['no tenant', 'chatops', { tenant_id: '' }, ['tenant_id']],
  ['a path as tenant', 'chatops', { tenant_id: '../x' }, ['tenant_id']],
  ['a tenant that stands for many', 'chatops', { tenant_id: 'Common' }, ['tenant_id']],
];

test('what is wrong with a set-up is named, and nothing is stored', async (t) => {
  const world = await createWorld(t, { retries: 0 });
  const call = await serve(t, world);
  const bodies: Record<string, object> = {
    itsm: { instance_url: world.serviceNow.url, ...SERVICE_NOW_CLIENT },
    chatops: MICROSOFT_CLIENT,
  };
  for (const [title, type, change, fields] of refusals) {
    const answer = await call('POST', `/integrations/${type}`, { ...bodies[type], ...change });
    assert.equal(answer.status, 422, `${title}: ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
    const named = answer.body.error.details.map(({ field }: { field: string }) => field);
    assert.deepEqual(named, fields, title);
  }
  assert.equal((await call('GET', '/integrations')).body.total, 0);
  assert.equal(world.serviceNow.count('token') + world.microsoft.count('token'), 0);
});

const routings: Array<
  [title: string, type: 'itsm' | 'chatops', routing: object, fields: string[]]
> = [
  ['no severity', 'itsm', { severities: [] }, ['routing.severities']],
  ['an unknown severity', 'itsm', { severities: ['urgent'] }, ['routing.severities.0']],
  [
    'a long category',
    'itsm',
    { severities: ['low'], category: 'x'.repeat(41) },
    ['routing.category'],
  ],
  [
    'a channel for incidents',
    'itsm',
    { severities: ['low'], chat_id: MICROSOFT_CHAT },
    ['routing.chat_id'],
  ],
  ['no place', 'chatops', { severities: ['low'] }, ['routing.team_id', 'routing.channel_id']],
  ['a team alone', 'chatops', { severities: ['low'], team_id: 'x' }, ['routing.channel_id']],
  [
    'two places',
    'chatops',
    { severities: ['low'], ...MICROSOFT_CHANNEL, chat_id: MICROSOFT_CHAT },
    ['routing.chat_id'],
  ],
  ['a path as chat', 'chatops', { severities: ['low'], chat_id: '../me' }, ['routing.chat_id']],
  [
    'a category for messages',
    'chatops',
    { severities: ['low'], ...MICROSOFT_CHANNEL, category: 'x' },
    ['routing.category'],
  ],
];

test('what is wrong with a routing is named', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const ids = { itsm: (await world.connectItsm()).id, chatops: (await world.connectChatops()).id };
  for (const [title, type, routing, fields] of routings) {
    const answer = await call('PATCH', `/integrations/${ids[type]}`, { routing });
    assert.equal(answer.status, 422, `${title}: ${JSON.stringify(answer.body)}`);
    const named = answer.body.error.details.map(({ field }: { field: string }) => field);
    assert.deepEqual(named, fields, title);
  }
});
