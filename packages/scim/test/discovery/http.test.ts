import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '@probity/core';
import { BASE, start, USER_SCHEMA } from '../api.ts';

test('discovery says what is supported', async (t) => {
  const { call } = await start(t);
  const { body } = await call('GET', '/ServiceProviderConfig');
  assert.deepEqual(body.bulk, {
    supported: true,
    maxOperations: 500,
    maxPayloadSize: 10_485_760,
  });
  assert.deepEqual(body.filter, { supported: true, maxResults: 1_000 });
  assert.deepEqual(body.pagination, {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: 100,
    maxPageSize: 1_000,
  });
  assert.equal(body.authenticationSchemes.length, 1);
  assert.equal(body.meta.location, `${BASE}/ServiceProviderConfig`);
});

test('schemas and resource types are listed and found by id', async (t) => {
  const { call } = await start(t);
  const schemas = (await call('GET', '/Schemas')).body;
  assert.equal(schemas.totalResults, schemas.Resources.length);
  assert.deepEqual((await call('GET', `/Schemas/${USER_SCHEMA}`)).body, schemas.Resources[0]);
  const types = (await call('GET', '/ResourceTypes/')).body;
  assert.deepEqual(
    types.Resources.map(({ id }: { id: string }) => id),
    ['User', 'Group'],
  );
  const user = await call('GET', '/ResourceTypes/User');
  assert.equal(user.body.meta.location, `${BASE}/ResourceTypes/User`);
  assert.equal((await call('GET', '/Schemas/urn:none')).status, 404);
});

test('discovery endpoints refuse a filter', async (t) => {
  const { call } = await start(t);
  for (const path of ['/Schemas', '/ResourceTypes', '/ServiceProviderConfig']) {
    assert.equal((await call('GET', `${path}?filter=x`)).status, 403);
  }
});

test('/Me is 501 by every method, which is no error in the log', async (t) => {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const { call } = await start(t, { logger });
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, body } = await call(method, '/Me');
    assert.deepEqual([status, body.status], [501, '501']);
    assert.match(body.detail, /a SCIM token is no user/);
  }
  assert.deepEqual(
    lines.filter((line) => line.includes('a request failed')),
    [],
  );
});
