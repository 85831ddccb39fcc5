import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patchBody, start, userBody } from '../api.ts';

const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

function bulk(Operations: unknown, more: object = {}): object {
  return { schemas: [BULK], Operations, ...more };
}

function post(bulkId: string, path: string, data: object): object {
  return { method: 'POST', bulkId, path, data };
}

interface Result {
  readonly method: string;
  readonly bulkId?: string;
  readonly location?: string;
  readonly status: string;
  readonly response?: { readonly scimType?: string; readonly detail: string };
}

test('operations refer to what others create, in any order', async (t) => {
  const { call } = await start(t);
  const group = {
    displayName: 'Team',
    members: [{ value: 'bulkId:ann' }, { value: 'bulkId:bob' }],
  };
  const { status, body } = await call(
    'POST',
    '/Bulk',
    bulk([
      post('team', '/Groups', group),
      post('ann', '/Users', userBody('ann')),
      post('bob', '/Users', userBody('bob')),
      {
        method: 'PATCH',
        path: '/Users/bulkId:bob',
        data: patchBody({ op: 'replace', path: 'active', value: false }),
      },
    ]),
  );
  assert.equal(status, 200);
  const results = body.Operations as Result[];
  assert.deepEqual(
    results.map(({ bulkId, status }) => [bulkId, status]),
    [
      ['team', '201'],
      ['ann', '201'],
      ['bob', '201'],
      [undefined, '200'],
    ],
  );
  const teamId = results[0]?.location?.split('/').at(-1);
  const members = (await call('GET', `/Groups/${teamId}`)).body.members;
  assert.deepEqual(
    members.map(({ $ref }: { $ref: string }) => $ref).sort(),
    [results[1]?.location, results[2]?.location].sort(),
  );
  assert.equal(results[3]?.location, results[2]?.location);
  const bobId = results[2]?.location?.split('/').at(-1);
  assert.equal((await call('GET', `/Users/${bobId}`)).body.active, false);
});

test('an operation that fails says why, and the others are done', async (t) => {
  const { call } = await start(t);
  const { id } = (await call('POST', '/Users', userBody('ann'))).body;
  const { body } = await call(
    'POST',
    '/Bulk',
    bulk([
      post('a', '/Users', userBody('ann')),
      post('g', '/Groups', { displayName: 'G', members: [{ value: 'bulkId:a' }] }),
      { method: 'DELETE', path: `/Users/${id}`, version: 'W/"9"' },
      { method: 'DELETE', path: `/Users/${id}` },
      { method: 'PUT', path: '/Nothing/1', data: {} },
    ]),
  );
  const results = body.Operations as Result[];
  assert.deepEqual(
    results.map(({ status, response }) => [status, response?.scimType]),
    [
      ['409', 'uniqueness'],
      ['400', 'invalidValue'],
      ['412', undefined],
      ['204', undefined],
      ['400', 'invalidValue'],
    ],
  );
  assert.equal(results[0]?.location, undefined);
  assert.match(results[1]?.response?.detail ?? '', /bulkId:a/);
});

test('after failOnErrors errors no further operation is done', async (t) => {
  const { call } = await start(t);
  const bad = (bulkId: string) => post(bulkId, '/Users', { userName: 'no address' });
  const operations = [bad('1'), post('2', '/Users', userBody('ann')), bad('3'), bad('4')];
  const { body } = await call('POST', '/Bulk', bulk(operations, { failOnErrors: 2 }));
  assert.deepEqual(
    (body.Operations as Result[]).map(({ bulkId, status }) => [bulkId, status]),
    [
      ['1', '400'],
      ['2', '201'],
      ['3', '400'],
    ],
  );
});

test('groups that are members of each other in one request are refused as a circle', async (t) => {
  const { call } = await start(t);
  const group = (name: string, member: string) =>
    post(name, '/Groups', { displayName: name, members: [{ value: `bulkId:${member}` }] });
  const { body } = await call('POST', '/Bulk', bulk([group('a', 'b'), group('b', 'a')]));
  const results = body.Operations as Result[];
  assert.equal(results[0]?.status, '409');
  assert.match(results[0]?.response?.detail ?? '', /circle/);
});

const REFUSED = [
  ['a list of operations is missing', bulk(undefined), 400],
  ['an operation is no object', bulk([7]), 400],
  ['a POST has no bulkId', bulk([{ method: 'POST', path: '/Users', data: {} }]), 400],
  ['a bulkId is given twice', bulk([post('a', '/Users', {}), post('a', '/Users', {})]), 400],
  ['a method is unknown', bulk([{ method: 'GET', path: '/Users' }]), 400],
  ['there are more than 500', bulk(Array.from({ length: 501 }, () => 7)), 413],
] as const;

for (const [title, body, status] of REFUSED) {
  test(`a bulk request is refused when ${title}`, async (t) => {
    const { call } = await start(t);
    const answer = await call('POST', '/Bulk', body);
    assert.equal(answer.status, status);
    assert.equal(answer.body.status, String(status));
  });
}
