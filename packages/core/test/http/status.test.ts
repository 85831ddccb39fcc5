import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generalErrors } from '../../src/http/error-format.ts';
import type { HealthCheck } from '../../src/http/status.ts';
import { probeEndpoints, statusEndpoints } from '../../src/http/status.ts';
import { serveKoa } from '../../src/testing/http.ts';
import { START } from '../../src/testing/records.ts';
import { sampleRouter } from './sample.ts';

const well: HealthCheck = { name: 'database', check: async () => undefined };
const ill: HealthCheck = { name: 'redis', check: () => Promise.reject(new Error('password=x')) };

async function ask(t: Parameters<typeof serveKoa>[0], checks: HealthCheck[], path: string) {
  const endpoints = [...probeEndpoints(checks, () => START), ...statusEndpoints(checks)];
  const url = await serveKoa(t, sampleRouter({}, generalErrors, endpoints));
  const response = await fetch(url + path);
  return { status: response.status, body: await response.json() };
}

test('a service whose parts all work is healthy, ready and operational', async (t) => {
  assert.deepEqual(await ask(t, [well], '/health'), {
    status: 200,
    body: { status: 'ok', timestamp: START.toISOString(), checks: { database: 'ok' } },
  });
  assert.deepEqual(await ask(t, [well], '/ready'), {
    status: 200,
    body: { ready: true, checks: { database: 'connected' } },
  });
  assert.deepEqual(await ask(t, [well], '/status'), {
    status: 200,
    body: { data: { apiVersion: '1.0.0', status: 'operational', lastMaintenance: null } },
  });
});

test('GET /api/status names a failing check without the reason', async (t) => {
  assert.deepEqual(await ask(t, [well, ill], '/health'), {
    status: 503,
    body: {
      status: 'degraded',
      timestamp: START.toISOString(),
      checks: { database: 'ok', redis: 'failed' },
    },
  });
  const ready = await ask(t, [well, ill], '/ready');
  assert.equal(ready.status, 503);
  const { body } = await ask(t, [well, ill], '/status');
  assert.equal((body as { data: { status: string } }).data.status, 'degraded');
});
