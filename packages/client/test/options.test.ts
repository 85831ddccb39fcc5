import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientOptions } from '../src/index.ts';
import { createClient } from '../src/index.ts';
import { answer, clientOf, KEY, startServer } from './world.ts';

const PAGE = { data: [], total: 0, limit: 50, offset: 0, has_more: false };

for (const [name, options, message] of [
  ['no address', { baseUrl: 'probity' }, /^baseUrl must be an address with http: or https:$/],
  ['another scheme', { baseUrl: 'ftp://a.example' }, /^baseUrl must be an address/],
  ['a password', { baseUrl: 'https://ann:pw@a.example' }, /^baseUrl must have no user name/],
  ['a query', { baseUrl: 'https://a.example/?a=1' }, /^baseUrl must have no user name/],
  [
    'the path of the API',
    { baseUrl: 'https://a.example/probity/api/v1/' },
    /^baseUrl must be the address without \/api\/v1: https:\/\/a\.example\/probity$/,
  ],
  ['an empty key', { apiKey: ' ' }, /^apiKey must be a text of visible ASCII characters$/],
  ['a key with a line break', { apiKey: `${KEY}\nX: y` }, /^apiKey must be a text of visible/],
  ['half a retry', { retries: 0.5 }, /^retries must be a whole number of at least 0$/],
  ['no time', { timeoutMs: 0 }, /^timeoutMs must be a whole number of at least 1$/],
  ['a path without a slash', { paths: { general: 'api' } }, /^paths\.general must be a path/],
  ['a path that leaves', { paths: { platform: '/a?b' } }, /^paths\.platform must be a path/],
] as const satisfies readonly (readonly [string, Partial<ClientOptions>, RegExp])[]) {
  test(`a client with ${name} is refused, without the value`, () => {
    assert.throws(
      () => createClient({ baseUrl: 'https://probity.example', ...options }),
      (error) => error instanceof TypeError && message.test(error.message),
    );
  });
}

test('a request has the credential, the media type and the name of the client', async (t) => {
  const server = await startServer(t, (response) => answer(response, 201, { data: {} }));
  const { probity } = clientOf(server, { apiKey: ` ${KEY}\n`, userAgent: 'acme-ci/2' });
  await probity.webhooks.create({ url: 'https://a.example', events: ['alert.created'] });
  const { headers, body, path, method } = server.requests[0] ?? assert.fail();
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  assert.equal(headers['content-type'], 'application/json');
  assert.match(String(headers['user-agent']), /^acme-ci\/2 probity-client\/\d+\.\d+\.\d+$/);
  assert.deepEqual(JSON.parse(body), { url: 'https://a.example', events: ['alert.created'] });
  assert.deepEqual([method, path], ['POST', '/api/v1/webhooks']);
});

test('the key and the headers may be functions, asked before each attempt', async (t) => {
  const server = await startServer(t, (response, _request, index) =>
    answer(response, index === 0 ? 500 : 200, PAGE),
  );
  const keys = ['pbk_old', 'pbk_new'];
  let calls = 0;
  const { probity } = clientOf(server, {
    apiKey: async () => keys.shift() ?? 'pbk_none',
    headers: () => ({ 'X-CSRF-Token': `csrf-${calls++}`, authorization: 'Bearer of-another' }),
  });
  await probity.alerts.list().page();
  const sent = server.requests.map(({ headers }) => [
    headers.authorization,
    headers['x-csrf-token'],
  ]);
  assert.deepEqual(sent, [
    ['Bearer pbk_old', 'csrf-0'],
    ['Bearer pbk_new', 'csrf-1'],
  ]);
});

test('an application that embeds Probity has paths of its own', async (t) => {
  const server = await startServer(t, (response) => answer(response, 200, PAGE));
  const paths = { general: '/probity/', platform: '' };
  const { probity } = clientOf({ url: `${server.url}/app/` }, { paths });
  await probity.alerts.list().page();
  await probity.roles
    .list()
    .page()
    .catch(() => undefined);
  await probity.status.get().catch(() => undefined);
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['/app/probity/alerts', '/app/roles', '/app/probity/status'],
  );
});

for (const [name, baseUrl, paths, expected] of [
  ['with a slash at its end', '/', undefined, ['/api/v1/alerts', '/api/status']],
  ['of a proxy', '/p/api//', undefined, ['/p/api/api/v1/alerts', '/p/api/api/status']],
  [
    'that ends with the path of the API, for an application',
    '/api/v1',
    { general: '/probity' },
    ['/api/v1/probity/alerts', '/api/v1/probity/status'],
  ],
  [
    'with the prefix as a path',
    '',
    { general: '/p/api/v1' },
    ['/p/api/v1/alerts', '/p/api/status'],
  ],
] as const) {
  test(`an address ${name} leads to the API`, async (t) => {
    const server = await startServer(t, (response) => answer(response, 200, PAGE));
    const { probity } = clientOf({ url: server.url + baseUrl }, { paths });
    await probity.alerts.list().page();
    await probity.status.get();
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      expected,
    );
  });
}

test('parameters of the path stay one segment', async (t) => {
  const server = await startServer(t, (response) => answer(response, 200, { data: {} }));
  const { probity } = clientOf(server);
  await probity.alerts.get('a/../b?c#d%2F');
  assert.equal(server.requests[0]?.path, '/api/v1/alerts/a%2F..%2Fb%3Fc%23d%252F');
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    await assert.rejects(probity.alerts.get(id), /^TypeError: alertId must/);
  }
  assert.equal(server.requests.length, 1);
});

test('query parameters that are undefined or null are left out', async (t) => {
  const server = await startServer(t, (response) => answer(response, 200, PAGE));
  const { probity } = clientOf(server);
  const query = { status: 'open', type: undefined, limit: 2 } as const;
  await probity.alerts.list(query).page();
  assert.equal(server.requests[0]?.path, '/api/v1/alerts?status=open&limit=2');
});

test('an operation with a body and a query takes the query as an option', async (t) => {
  const server = await startServer(t, (response) => answer(response, 200, { id: 'org_1' }));
  const { probity } = clientOf(server);
  await probity.organizations.update('org_1', { name: 'Acme' }, { query: { force: true } });
  await probity.organizations.delete('org_1', { confirm: 'acme' });
  assert.deepEqual(
    server.requests.map(({ method, path, body }) => `${method} ${path} ${body}`),
    [
      'PATCH /v1/organizations/org_1?force=true {"name":"Acme"}',
      'DELETE /v1/organizations/org_1?confirm=acme ',
    ],
  );
});

test('onResponse sees every attempt with its headers', async (t) => {
  const server = await startServer(t, (response, _request, index) =>
    answer(response, index === 0 ? 503 : 200, PAGE, {
      'X-Request-Id': `req_${index}`,
      'X-RateLimit-Remaining': '9',
    }),
  );
  const seen: unknown[] = [];
  const { probity } = clientOf(server, {
    onResponse: ({ operationId, status, requestId, attempt, headers }) =>
      seen.push([operationId, status, requestId, attempt, headers.get('x-ratelimit-remaining')]),
  });
  await probity.alerts.list().page();
  assert.deepEqual(seen, [
    ['listAlerts', 503, 'req_0', 1, '9'],
    ['listAlerts', 200, 'req_1', 2, '9'],
  ]);
});
