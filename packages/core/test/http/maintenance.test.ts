import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { generalErrors } from '../../src/http/error-format.ts';
import { statusEndpoints } from '../../src/http/status.ts';
import type { Maintenance } from '../../src/maintenance/maintenance.ts';
import { createMaintenance } from '../../src/maintenance/maintenance.ts';
import { createMemoryMaintenanceStorage } from '../../src/maintenance/memory.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { errorOf, sampleRouter } from './sample.ts';

const ill = { name: 'redis', check: () => Promise.reject(new Error('down')) };

function world(): Maintenance {
  const storage = createMemoryMaintenanceStorage(createMemoryDatabase());
  return createMaintenance({ storage, clock: createTestClock() });
}

test('during maintenance every endpoint answers 503 with Retry-After, with or without a key', async (t) => {
  const maintenance = world();
  const url = await serveKoa(t, sampleRouter({ maintenance }));
  assert.equal((await fetch(`${url}/things`, { headers: as('owner') })).status, 200);
  await maintenance.begin();
  for (const [path, headers] of [
    ['/things', as('owner')],
    ['/things', {}],
    ['/open', {}],
  ] as const) {
    const response = await fetch(url + path, { headers });
    assert.equal(response.status, 503);
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal((await errorOf(response)).code, 'SERVICE_UNAVAILABLE');
  }
  await maintenance.end();
  assert.equal((await fetch(`${url}/things`, { headers: as('owner') })).status, 200);
});

test('GET /api/status reports maintenance while it is on, and the time when it last began', async (t) => {
  const maintenance = world();
  const endpoints = statusEndpoints([ill], maintenance);
  const url = await serveKoa(t, sampleRouter({}, generalErrors, endpoints));
  const read = async () => {
    const { data } = (await (await fetch(`${url}/status`)).json()) as {
      data: { status: string; lastMaintenance: string | null };
    };
    return [data.status, data.lastMaintenance];
  };
  assert.deepEqual(await read(), ['degraded', null]);
  await maintenance.begin();
  assert.deepEqual(await read(), ['maintenance', '2026-01-01T00:00:00.000Z']);
  await maintenance.end();
  assert.deepEqual(await read(), ['degraded', '2026-01-01T00:00:00.000Z']);
});
