import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '@probity/core';
import { createLogger, createMemoryDatabase, createTenants } from '@probity/core';
import { createTestTenant } from '@probity/core/testing';
import { createTestClock } from '@probity/test-support';
import type { ScimRequest } from '../../src/index.ts';
import { createMemoryScimActivityStorage, createScimActivity } from '../../src/index.ts';

async function createWorld() {
  const database = createMemoryDatabase();
  const clock = createTestClock();
  const lines: string[] = [];
  const logger = createLogger({ clock, write: (line) => lines.push(line) });
  const storage = createMemoryScimActivityStorage(database);
  const { organizationId: own } = await createTestTenant({ database: database as Database });
  const activity = createScimActivity({ clock, logger }, { storage });
  const request = (facts: Partial<ScimRequest> = {}): ScimRequest => ({
    ...{ at: clock.now(), method: 'GET', path: '/Users', status: 200, detail: null },
    ...facts,
  });
  return { database, clock, lines, storage, own, activity, request };
}

test('the last 100 requests of an organization are listed, newest first', async () => {
  const { own, activity, request } = await createWorld();
  const requests = Array.from({ length: 130 }, (_, index) => request({ path: `/Users/${index}` }));
  for (const each of requests.slice(0, 90)) activity.record(own, each);
  assert.deepEqual(await activity.list(own), requests.slice(0, 90).reverse());
  for (const each of requests.slice(90)) activity.record(own, each);
  activity.record('org_other', request());
  assert.deepEqual(await activity.list(own), requests.slice(30).reverse());
});

test('recorded requests are stored every second, and the rest at the end', async () => {
  const { own, activity, request, clock, storage } = await createWorld();
  const count = async () => (await storage.listScimRequests(own, 100)).length;
  await activity.start();
  activity.record(own, request());
  assert.equal(await count(), 0);
  await clock.advance(1_000);
  assert.equal(await count(), 1);
  activity.record(own, request());
  await activity.stop();
  assert.equal(await count(), 2);
});

test('requests of an organization that is gone are dropped, those of others stored', async () => {
  const { database, own, activity, request, lines } = await createWorld();
  const other = await createTestTenant({ database: database as Database });
  await createTenants(database).remove(other.organizationId);
  activity.record(other.organizationId, request());
  activity.record('org_never', request());
  activity.record(own, request());
  assert.equal((await activity.list(own)).length, 1);
  assert.equal((await activity.list(other.organizationId)).length, 0);
  assert.deepEqual(lines, []);
});

test('long paths and details are cut, and what PostgreSQL does not store is replaced', async () => {
  const { own, activity, request } = await createWorld();
  const path = `/Users?filter=${'\u{1F600}'.repeat(400)}`;
  activity.record(own, request({ path, detail: 'a\0b\ud800', status: 400 }));
  const [stored] = await activity.list(own);
  assert.equal(stored?.detail, 'a\ufffdb\ufffd');
  assert.equal(stored?.path.length, 500);
  assert.ok(stored?.path.isWellFormed());
});

test('a failed write is logged, and later requests are stored', async () => {
  const { own, activity, request, storage, lines } = await createWorld();
  const { transaction } = storage;
  Object.assign(storage, { transaction: () => Promise.reject(new Error('no space left')) });
  activity.record(own, request());
  assert.deepEqual(await activity.list(own), []);
  assert.match(lines.join(''), /no space left.*the latest SCIM requests were not stored/);
  Object.assign(storage, { transaction });
  activity.record(own, request({ status: 404 }));
  assert.equal((await activity.list(own)).length, 1);
});
