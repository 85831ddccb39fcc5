import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Role } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { Answer } from '@probity/core/testing';
import type { Delivery } from '../../src/deliveries/types.ts';
import { appendEvent, attemptOf, deliveryFixture, insertWebhook } from '../../src/fixtures.ts';
import { serve } from '../api.ts';
import { createWorld, targets } from '../world.ts';

const URL = 'https://public.example/hook';

async function start(t: TestContext) {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const create = async (body: object = {}) =>
    (await call('POST', '/webhooks', { url: URL, events: ['alert.created'], ...body })).body
      .data as { id: string; secret: string };
  return { world, call, create };
}

interface Refusal {
  readonly error: { readonly details: Array<{ field: string; message: string }> };
}

function detailsOf({ body }: Answer<Refusal>): Refusal['error']['details'] {
  return body.error.details;
}

for (const path of ['/webhooks', '/webhooks/create']) {
  test(`POST ${path} answers 201 with the webhook and, once, its secret`, async (t) => {
    const { call, world } = await start(t);
    const events = ['policy.violated', 'alert.created', 'policy.violated'];
    const { status, body } = await call('POST', path, { url: URL, events });
    assert.equal(status, 201);
    const { id, secret, ...rest } = body.data as { id: string; secret: string };
    assert.match(id, /^whk_/);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(rest, {
      url: URL,
      events: ['policy.violated', 'alert.created'],
      format: 'standard',
      active: true,
      rateLimit: null,
      ordered: false,
      createdAt: world.clock.now().toISOString(),
      disabledAt: null,
      disabledReason: null,
      warnings: [],
    });
    const one = await call('GET', `/webhooks/${id}`);
    assert.deepEqual([one.status, one.body], [200, { data: { id, ...rest } }]);
    const page = { total: 1, limit: 50, offset: 0, has_more: false };
    const list = await call('GET', '/webhooks');
    assert.deepEqual([list.status, list.body], [200, { data: [{ id, ...rest }], ...page }]);
  });
}

test('creating a webhook with unknown event types fails and names each of them', async (t) => {
  const { call } = await start(t);
  const events = ['alert.gone', 'alert.created', 'Alert.Created'];
  const answer = await call('POST', '/webhooks', { url: URL, events });
  assert.equal(answer.status, 422);
  assert.deepEqual(
    detailsOf(answer).map(({ field }) => field),
    ['events.0', 'events.2'],
  );
  assert.equal((answer.body.error as { code: string }).code, 'VALIDATION_ERROR');
});

const bad: Array<[fields: string, body: object]> = [
  ['url', { events: ['alert.created'] }],
  ['events', { url: URL }],
  ['events', { url: URL, events: [] }],
  ['events', { url: URL, events: 'alert.created' }],
  ['active', { url: URL, events: ['alert.created'], active: 'yes' }],
  ['format', { url: URL, events: ['alert.created'], format: 'teams' }],
  ['rateLimit', { url: URL, events: ['alert.created'], rateLimit: 0 }],
  ['rateLimit', { url: URL, events: ['alert.created'], rateLimit: 1_001 }],
  ['rateLimit', { url: URL, events: ['alert.created'], rateLimit: 2.5 }],
  ['ordered', { url: URL, events: ['alert.created'], ordered: 'yes' }],
  ['secret', { url: URL, events: ['alert.created'], secret: 'whsec_mine' }],
];
for (const [field, body] of bad) {
  test(`creating a webhook answers 422 naming ${field} for ${JSON.stringify(body)}`, async (t) => {
    const { call } = await start(t);
    const answer = await call('POST', '/webhooks', body);
    assert.equal(answer.status, 422);
    assert.deepEqual(
      detailsOf(answer).map((detail) => detail.field),
      [field],
    );
  });
}

test('a rate limit is set at creation, changed, and removed with null', async (t) => {
  const { call, create } = await start(t);
  const { id } = await create({ rateLimit: 5 });
  const limitOf = async () =>
    ((await call('GET', `/webhooks/${id}`)).body.data as { rateLimit: number | null }).rateLimit;
  assert.equal(await limitOf(), 5);
  assert.equal((await call('PATCH', `/webhooks/${id}`, { rateLimit: 1_000 })).status, 200);
  assert.equal(await limitOf(), 1_000);
  assert.equal((await call('PATCH', `/webhooks/${id}`, { active: true })).status, 200);
  assert.equal(await limitOf(), 1_000, 'an update without it keeps it');
  assert.equal((await call('PATCH', `/webhooks/${id}`, { rateLimit: null })).status, 200);
  assert.equal(await limitOf(), null);
  assert.equal((await call('PATCH', `/webhooks/${id}`, { rateLimit: 0 })).status, 422);
});

const refused = [
  'http://public.example/hook',
  'ftp://public.example/hook',
  'not a url',
  '',
  'https://user:password@public.example/hook',
  'https://public.example/hook#part',
  `https://public.example/${'x'.repeat(2_048)}`,
  'https://localhost/hook',
  'https://service.internal/hook',
  'https://printer.local./hook',
  'https://10.0.0.1/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/hook',
  'https://[::ffff:10.0.0.1]/hook',
  'https://167772161/hook',
  'https://private.example/hook',
];
for (const url of refused) {
  test(`creating a webhook refuses ${url.slice(0, 60)} with a reason`, async (t) => {
    const { call } = await start(t);
    const answer = await call('POST', '/webhooks', { url, events: ['alert.created'] });
    assert.equal(answer.status, 422);
    const [detail, ...others] = detailsOf(answer);
    assert.deepEqual([detail?.field, others], ['url', []]);
    assert.match(detail?.message ?? '', /^must /);
    const { body } = await call('GET', '/webhooks');
    assert.equal(body.total, 0);
  });
}

test('creating a webhook accepts a name that does not resolve yet, and an address on the allow-list', async (t) => {
  const { call } = await start(t);
  for (const url of ['https://soon.example/hook', 'https://127.0.0.1:8443/hook']) {
    const { status } = await call('POST', '/webhooks', { url, events: ['alert.created'] });
    assert.equal(status, 201);
  }
});

test('creating the 101st webhook answers 409 CONFLICT, and 201 once one is deleted', async (t) => {
  const { call, create } = await start(t);
  const { id } = await create();
  for (let count = 1; count < 100; count += 1) await create();
  const input = { url: URL, events: ['alert.created'] };
  const answer = await call('POST', '/webhooks', input);
  assert.equal(answer.status, 409);
  assert.equal((answer.body.error as { code: string }).code, 'CONFLICT');
  const other = await call('POST', '/webhooks', input, 'stranger');
  assert.equal(other.status, 201, 'each organization has its own limit');
  await call('DELETE', `/webhooks/${id}`);
  assert.equal((await call('POST', '/webhooks', input)).status, 201);
});

test('GET /webhooks lists webhooks in pages', async (t) => {
  const { call, create } = await start(t);
  for (let count = 0; count < 3; count += 1) await create();
  const { body } = await call('GET', '/webhooks?limit=2&offset=0');
  assert.equal((body.data as unknown[]).length, 2);
  assert.deepEqual([body.total, body.has_more], [3, true]);
  assert.equal((await call('GET', '/webhooks?limit=0')).status, 422);
});

test('PATCH /webhooks/{id} validates changes by the same rules as creation', async (t) => {
  const { call, create } = await start(t);
  const { id } = await create();
  const changes = {
    url: 'https://public.example/new',
    events: ['scan.completed'],
    active: false,
  };
  const changed = await call('PATCH', `/webhooks/${id}`, changes);
  assert.equal(changed.status, 200);
  const { url, events, active } = changed.body.data as typeof changes;
  assert.deepEqual({ url, events, active }, changes);
  assert.equal('secret' in (changed.body.data as object), false);
  const refused = await call('PATCH', `/webhooks/${id}`, { url: 'https://10.0.0.1/' });
  assert.deepEqual([refused.status, detailsOf(refused)[0]?.field], [422, 'url']);
  const unknown = await call('PATCH', `/webhooks/${id}`, { createdAt: 'now' });
  assert.deepEqual([unknown.status, detailsOf(unknown)[0]?.field], [422, 'createdAt']);
  assert.deepEqual((await call('GET', `/webhooks/${id}`)).body, changed.body);
});

test('DELETE /webhooks/{id} removes a webhook', async (t) => {
  const { call, create } = await start(t);
  const { id } = await create();
  const deleted = await call('DELETE', `/webhooks/${id}`);
  assert.deepEqual([deleted.status, deleted.body], [204, undefined]);
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await call(method, `/webhooks/${id}`)).status, 404);
  }
});

test('requests of another organization for a webhook are answered 404', async (t) => {
  const { call, create } = await start(t);
  const { id } = await create();
  const paths = [
    ['GET', `/webhooks/${id}`],
    ['PATCH', `/webhooks/${id}`, { active: false }],
    ['DELETE', `/webhooks/${id}`],
    ['GET', `/webhooks/${id}/deliveries`],
  ] as const;
  for (const [method, path, body] of paths) {
    assert.equal((await call(method, path, body, 'stranger')).status, 404, `${method} ${path}`);
  }
  assert.equal((await call('GET', '/webhooks', undefined, 'stranger')).body.total, 0);
  assert.equal((await call('GET', `/webhooks/${id}`)).status, 200);
});

test('every role may read webhooks, and only admins may change them', async (t) => {
  const { call, create } = await start(t);
  const { id } = await create();
  const input = { url: URL, events: ['alert.created'] };
  const statusesOf = async (role: Role) => [
    (await call('GET', `/webhooks/${id}`, undefined, role)).status,
    (await call('POST', '/webhooks', input, role)).status,
  ];
  assert.deepEqual(await statusesOf('viewer'), [200, 403]);
  assert.deepEqual(await statusesOf('editor'), [200, 403]);
  assert.deepEqual(await statusesOf('admin'), [200, 201]);
});

test('GET /webhooks/{id}/deliveries lists deliveries with their attempts', async (t) => {
  const { world, call } = await start(t);
  const { webhook } = await world.subscribe(() => ({ status: 500, body: 'broken' }));
  const [event] = await world.publish();
  await world.deliverer.runOnce();
  const { status, body } = await call('GET', `/webhooks/${webhook.id}/deliveries`);
  assert.equal(status, 200);
  const now = world.clock.now();
  const [delivery] = body.data as Array<Record<string, unknown> & { attempts: object[] }>;
  assert.deepEqual(
    {
      ...delivery,
      id: '',
      attempts: delivery?.attempts.map((one) => ({ ...one, durationMs: 0 })),
    },
    {
      id: '',
      eventId: event?.id,
      eventType: 'alert.created',
      test: false,
      status: 'pending',
      attempts: [
        {
          number: 1,
          at: now.toISOString(),
          durationMs: 0,
          responseStatus: 500,
          responseBody: 'broken',
          error: null,
        },
      ],
      nextAttemptAt: new Date(now.getTime() + 1_000).toISOString(),
      createdAt: now.toISOString(),
    },
  );
  const totals = [];
  for (const query of ['status=pending', 'status=held', 'eventType=scan.completed', 'limit=1']) {
    totals.push((await call('GET', `/webhooks/${webhook.id}/deliveries?${query}`)).body.total);
  }
  assert.deepEqual(totals, [1, 0, 0, 1]);
  const bad = await call('GET', `/webhooks/${webhook.id}/deliveries?status=lost`);
  assert.equal(bad.status, 422);
});

test('a page of deliveries stays below 1 MB, and the pages together have every response body', async (t) => {
  const { world, call } = await start(t);
  const webhook = await insertWebhook(world.storage, world.organizationId);
  // A control character of the response takes six bytes of JSON.
  const responseBody = '\u0001'.repeat(4_096);
  const attempts = [1, 2, 3, 4, 5, 6].map((number) => attemptOf(number, { responseBody }));
  const deliveries: Delivery[] = [];
  for (let index = 0; index < 14; index += 1) {
    const event = await appendEvent(world.storage, world.organizationId);
    deliveries.push({ ...deliveryFixture(webhook, event), attempts });
  }
  await world.storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries(deliveries));
  let offset = 0;
  let bodies = 0;
  for (;;) {
    const path = `/webhooks/${webhook.id}/deliveries?limit=200&offset=${offset}`;
    const { status, body } = await call('GET', path);
    assert.equal(status, 200);
    assert.ok(JSON.stringify(body).length < 1_000_000);
    for (const delivery of body.data as Delivery[]) {
      bodies += delivery.attempts.filter((one) => one.responseBody === responseBody).length;
    }
    offset = body.offset + body.limit;
    if (!body.has_more) break;
    assert.equal(body.limit, body.data.length);
  }
  assert.equal(bodies, 14 * 6);
});

for (const { name } of targets) {
  test(`a webhook's secret is never stored in plain text on ${name}, listed or logged`, async (t) => {
    const world = await createWorld(t, { target: name });
    const call = await serve(t, world);
    const { secret, webhook } = await world.subscribe(() => ({ status: 500 }));
    await world.publish();
    await world.passSeconds(20);
    const shown = [
      await call('GET', '/webhooks'),
      await call('GET', `/webhooks/${webhook.id}`),
      await call('GET', `/webhooks/${webhook.id}/deliveries`),
      await call('PATCH', `/webhooks/${webhook.id}`, { active: true }),
      await call('PATCH', `/webhooks/${webhook.id}`, { secret }),
    ];
    const texts = [JSON.stringify(shown.slice(0, 4)), world.lines.join('')];
    if (world.opened.kind === 'sql') {
      for (const table of [
        'probity_webhooks',
        'probity_webhook_deliveries',
        'probity_jobs',
        'probity_events',
      ]) {
        const { rows } = await world.opened.database.reader.execute(`select * from ${table}`, []);
        texts.push(JSON.stringify(rows));
      }
    }
    const hidden = [secret, secret.slice('whsec_'.length), 'whsec_'];
    for (const text of texts) {
      for (const part of hidden) assert.equal(text.includes(part), false);
    }
  });
}
