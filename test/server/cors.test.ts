import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { bootstrap, run, serve } from './support.ts';

const PAGE = 'https://app.example.com';

test('pages of the origins that are named may call the API, in answers, errors and preflights', async (t) => {
  const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const { api_key } = await bootstrap(database);
  const env = { PROBITY_CORS_ORIGINS: `${PAGE}, https://other.example:8443` };
  const { url } = await serve(t, database, { env });
  const preflight = await fetch(`${url}/api/v1/alerts`, {
    method: 'OPTIONS',
    headers: {
      Origin: PAGE,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization',
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), PAGE);
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization');
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PATCH/);
  assert.equal(preflight.headers.get('server'), 'Probity-API/v1');
  assert.ok(preflight.headers.get('x-request-id'));
  const ask = (path: string, origin: string, key: string | null = api_key) =>
    fetch(url + path, {
      headers: { Origin: origin, ...(key ? { Authorization: `Bearer ${key}` } : {}) },
    });
  for (const [path, key, status] of [
    ['/api/v1/alerts', api_key, 200],
    ['/api/v1/alerts?nothing=1', api_key, 422],
    ['/api/v1/alerts', null, 401],
    ['/nowhere', null, 404],
    ['/openapi.json', null, 200],
  ] as const) {
    const answer = await ask(path, PAGE, key);
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get('access-control-allow-origin'), PAGE, path);
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-RateLimit-Reset/);
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    assert.match(answer.headers.get('vary') ?? '', /\bOrigin\b/, path);
    await answer.arrayBuffer();
  }
  for (const origin of ['https://app.example.com.evil.example', 'http://app.example.com', 'null']) {
    const answer = await ask('/api/v1/alerts', origin);
    assert.equal(answer.headers.get('access-control-allow-origin'), null, origin);
    await answer.arrayBuffer();
  }
});

test('without origins no page of another origin may call the API', async (t) => {
  const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const { url } = await serve(t, database);
  const answer = await fetch(`${url}/api/status`, { headers: { Origin: PAGE } });
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  const refused = await fetch(`${url}/api/status`, {
    method: 'OPTIONS',
    headers: { Origin: PAGE },
  });
  assert.equal(refused.status, 405);
});

for (const value of ['*', 'app.example.com', `${PAGE}/`, `${PAGE}/path`, 'ftp://a.example']) {
  test(`an origin that is none is refused at the start: ${value}`, async (t) => {
    const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
    const program = run(t, ['serve', '--database', database], { PROBITY_CORS_ORIGINS: value });
    assert.equal(await program.exited, 1);
    assert.match(program.stderr, /PROBITY_CORS_ORIGINS: must be origins such as/);
  });
}
