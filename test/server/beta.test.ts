import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCurlBlocks, temporaryFolder } from '@probity/test-support';
import { operationsOf } from './furnished.ts';
import { bootstrap, call, LEAK, run, serve } from './support.ts';

test('/beta serves the lists of the general API with required pages and the consolidated error codes', async (t) => {
  const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const { api_key: key } = await bootstrap(database);
  const { url } = await serve(t, database);
  await call(`${url}/api/v1/governance/scan`, key, 'POST', { response: LEAK });
  const ask = (path: string, token: string | null = key) => call(`${url}/beta${path}`, token);

  const page = await ask('/alerts?limit=10');
  assert.equal(page.status, 200);
  const stable = await call(`${url}/api/v1/alerts?limit=10`, key);
  assert.deepEqual(page.body, stable.body);
  assert.equal(page.body.total, 1);

  const unpaged = await ask('/alerts');
  const { code, statusCode, details } = unpaged.body.error;
  assert.deepEqual([unpaged.status, code, statusCode], [422, 'INVALID_REQUEST', 422]);
  assert.deepEqual(details, [{ field: 'limit', message: 'is required' }]);
  for (const [path, token, status, expected] of [
    ['/alerts?limit=10&nothing=1', key, 422, 'INVALID_REQUEST'],
    ['/alerts?limit=10', null, 401, 'UNAUTHORIZED'],
    ['/alerts/alr_nowhere', key, 404, 'NOT_FOUND'],
    ['/nowhere', key, 404, 'NOT_FOUND'],
  ] as const) {
    const answer = await ask(path, token);
    assert.deepEqual([answer.status, answer.body.error.code], [status, expected], path);
  }
  const refused = await call(`${url}/beta/alerts?limit=10`, key, 'POST', {});
  assert.deepEqual([refused.status, refused.body.error.code], [405, 'INVALID_REQUEST']);
});

test('the commands of docs/versioning.md work', async (t) => {
  const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const { api_key: API_KEY } = await bootstrap(database);
  const { url } = await serve(t, database);
  const folder = temporaryFolder(t).path;
  await runCurlBlocks(import.meta.url, { url, folder, variables: { API_KEY } });
});

test('every list of the general API is on trial, in a document of its own', async (t) => {
  const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const { url } = await serve(t, database);
  const { status, body } = await call(`${url}/beta/openapi.json`, null);
  assert.equal(status, 200);
  const lists = (await operationsOf(url))
    .filter(({ path, method }) => method === 'get' && path.startsWith('/api/v1/'))
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'limit'));
  assert.ok(lists.length > 9);
  assert.deepEqual(
    Object.keys(body.paths).sort(),
    lists.map(({ path }) => path.replace('/api/v1', '/beta')).sort(),
  );
  for (const item of Object.values<{ get: { parameters: { name: string }[] } }>(body.paths)) {
    const limit = item.get.parameters.find(({ name }) => name === 'limit');
    assert.deepEqual(limit, {
      name: 'limit',
      in: 'query',
      required: true,
      schema: { type: 'integer', minimum: 1, maximum: 200 },
    });
  }
  const main = await call(`${url}/openapi.json`, null);
  assert.equal(Object.keys(main.body.paths).filter((path) => path.startsWith('/beta')).length, 0);
});

test('maintenance closes /beta as it closes the general API', async (t) => {
  const database = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const { api_key: key } = await bootstrap(database);
  const { url } = await serve(t, database);
  const command = run(t, ['maintenance', 'on', '--database', database]);
  assert.equal(await command.exited, 0, command.stderr);
  const { status, body } = await call(`${url}/beta/alerts?limit=1`, key);
  assert.deepEqual([status, body.error.code], [503, 'SERVICE_UNAVAILABLE']);
});
