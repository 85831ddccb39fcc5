import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { createTenants } from '../../src/tenants/tenants.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { sampleRouter } from './sample.ts';

test('a router with tenants stores the organization of an authorized caller, and of no other', async (t) => {
  const database = createMemoryDatabase();
  const router = sampleRouter({ tenants: createTenants(database) });
  const url = await serveKoa(t, router);
  const reads = database.kernel(database.reader);
  const get = async (path: string, headers: Record<string, string>) =>
    (await fetch(url + path, { headers })).status;
  assert.equal(await get('/open', {}), 200);
  assert.equal(await get('/things', {}), 401);
  assert.equal(await get('/organizations/org_2/things', as('owner')), 404);
  assert.deepEqual([await reads.hasTenant('org_1'), await reads.hasTenant('')], [false, false]);
  assert.equal(await get('/things', as('viewer')), 200);
  assert.equal(await reads.hasTenant('org_1'), true);
});
