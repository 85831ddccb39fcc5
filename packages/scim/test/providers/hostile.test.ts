import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { patchBody, start, userBody } from '../api.ts';

/** A request, which must be refused with a SCIM error of a status 4xx. */
type Request = readonly [method: string, path: string, body?: unknown];

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const brackets = `${'('.repeat(10_000)}active pr${')'.repeat(10_000)}`;
const operations = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ op: 'add', path: `x${index}`, value: 1 }));

const titles = (count: number) =>
  Array.from({ length: count }, () => ({ op: 'replace', path: 'displayName', value: 'x' }));

const REQUESTS: Readonly<Record<string, Request>> = {
  'a filter of 10,000 brackets': ['POST', '/Users/.search', { filter: brackets }],
  'a filter of 60 KB': ['POST', '/Users/.search', { filter: 'active pr or '.repeat(5_000) }],
  'a filter of 500 terms': ['POST', '/.search', { filter: `${'id pr or '.repeat(500)}id pr` }],
  'a path of 60 KB': [
    'PATCH',
    '/Users/ID',
    patchBody({ op: 'add', path: 'a.'.repeat(30_000), value: 1 }),
  ],
  '1,000 operations': ['PATCH', '/Users/ID', patchBody(...titles(1_000))],
  '501 operations': ['PATCH', '/Users/ID', patchBody(...titles(501))],
  '500 operations on unknown paths': ['PATCH', '/Users/ID', patchBody(...operations(500))],
  '1,000 operations on a group': ['PATCH', '/Groups/ID', patchBody(...titles(1_000))],
  'JSON of 10,000 levels': ['POST', '/Users', nested(10_000)],
  'a member __proto__': [
    'POST',
    '/Users',
    '{"__proto__":{"active":false},"userName":"x@example.com"}',
  ],
  'a member constructor in a path': [
    'PATCH',
    '/Users/ID',
    patchBody({ op: 'add', path: 'constructor.prototype', value: { x: 1 } }),
  ],
  '1,000 bulk operations': [
    'POST',
    '/Bulk',
    { Operations: Array.from({ length: 1_000 }, () => ({})) },
  ],
};

async function refuses(t: TestContext, [method, path, body]: Request): Promise<void> {
  const { call } = await start(t);
  const { id } = (await call('POST', '/Users', userBody('ann'))).body;
  const { status, body: error } = await call(method, path.replace('ID', id), body);
  assert.ok(status >= 400 && status < 500, `${status}: ${JSON.stringify(error)}`);
  assert.deepEqual(error.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
  assert.equal(error.status, String(status));
  assert.equal(({} as { x?: unknown }).x, undefined);
  assert.equal((await call('GET', `/Users/${id}`)).body.meta.version, 'W/"1"');
}

for (const [title, request] of Object.entries(REQUESTS)) {
  test(`${title} is refused`, (t) => refuses(t, request));
}
