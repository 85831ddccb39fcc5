import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { createApi } from '../api.ts';
import { BENIGN, CARD, EMAIL, INJECTION } from '../world.ts';

/** Scans a second apart: two low alerts on personal data, one critical, one on an injection. */
async function makeAlerts({ postScan, clock }: Api): Promise<void> {
  for (const response of [EMAIL, `Card ${CARD}`, EMAIL]) {
    await postScan({ response });
    await clock.advance(1_000);
  }
  await postScan({ prompt: INJECTION, response: BENIGN });
  await postScan({ response: BENIGN });
}

test('GET /alerts lists the alerts of flagged and blocked scans, newest first, in the wire form', async (t) => {
  const api = await createApi(t);
  const flagged = await api.postScan({ response: `Write to ${EMAIL}` });
  await api.clock.advance(60_000);
  const blocked = await api.postScan({ response: `Card ${CARD}` });
  const { status, body } = await api.request('GET', '/alerts');
  assert.equal(status, 200);
  const { data, ...page } = body;
  assert.deepEqual(page, { total: 2, limit: 50, offset: 0, has_more: false });
  assert.deepEqual(
    data.map(({ scanId }: { scanId: string }) => scanId),
    [blocked.body.governance.scan_id, flagged.body.data.id],
  );
  const { id, ...first } = data[0];
  assert.match(id, /^alr_/);
  assert.deepEqual(first, {
    type: 'pii',
    severity: 'critical',
    status: 'open',
    message: 'Personal data (credit_card) in response; the scan was blocked.',
    scanId: blocked.body.governance.scan_id,
    aiSystemId: null,
    createdAt: '2026-01-01T00:01:00.000Z',
    ...{ acknowledgedAt: null, acknowledgedBy: null, assigneeId: null },
    ...{ resolvedAt: null, resolvedBy: null },
    resolution: null,
  });
});

const filters = [
  { query: '', severities: ['high', 'low', 'critical', 'low'], total: 4 },
  { query: '?type=pii', severities: ['low', 'critical', 'low'], total: 3 },
  { query: '?severity=low', severities: ['low', 'low'], total: 2 },
  { query: '?type=pii&severity=high', severities: [], total: 0 },
  { query: '?status=open&limit=1&offset=2', severities: ['critical'], total: 4 },
  { query: '?status=resolved', severities: [], total: 0 },
];
for (const { query, severities, total } of filters) {
  test(`GET /alerts${query} lists ${severities.join(', ') || 'nothing'} of ${total}`, async (t) => {
    const api = await createApi(t);
    await makeAlerts(api);
    const { status, body } = await api.request('GET', `/alerts${query}`);
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map(({ severity }: { severity: string }) => severity),
      severities,
    );
    assert.equal(body.total, total);
  });
}

for (const [query, field] of [
  ['status=closed', 'status'],
  ['type=spam', 'type'],
  ['severity=HIGH', 'severity'],
  ['limit=0', 'limit'],
  ['limit=201', 'limit'],
  ['kind=pii', 'kind'],
] as const) {
  test(`GET /alerts?${query} is 422 naming ${field}`, async (t) => {
    const { request } = await createApi(t);
    const { status, body } = await request('GET', `/alerts?${query}`);
    assert.equal(status, 422);
    assert.deepEqual(
      body.error.details.map((detail: { field: string }) => detail.field),
      [field],
    );
  });
}

test('GET /alerts lists alerts for a viewer, and none for another organization', async (t) => {
  const api = await createApi(t);
  await makeAlerts(api);
  assert.equal((await api.request('GET', '/alerts', undefined, 'viewer')).body.total, 4);
  assert.equal((await api.request('GET', '/alerts', undefined, 'stranger')).body.total, 0);
});

test('GET /alerts/{alert_id} returns one alert, identical to its entry in the list', async (t) => {
  const api = await createApi(t);
  await api.postScan({ response: EMAIL });
  const { body: list } = await api.request('GET', '/alerts');
  const { status, body } = await api.request('GET', `/alerts/${list.data[0].id}`);
  assert.equal(status, 200);
  assert.deepEqual(body, { data: list.data[0] });
});

test('GET /alerts/{alert_id} is 404 for an unknown alert, and for another organization', async (t) => {
  const api = await createApi(t);
  await api.postScan({ response: EMAIL });
  const { body: list } = await api.request('GET', '/alerts');
  const path = `/alerts/${list.data[0].id}`;
  for (const [wanted, token] of [
    ['/alerts/alr_none', 'owner'],
    [path, 'stranger'],
  ] as const) {
    const { status, body } = await api.request('GET', wanted, undefined, token);
    assert.deepEqual([status, body.error.code], [404, 'RESOURCE_NOT_FOUND']);
  }
});
