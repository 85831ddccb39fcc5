import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuditLog } from '@probity/core/internal';
import { createApi } from '../api.ts';

const PATH = '/governance/settings';
const DEFAULTS = {
  ...{ preset: 'standard', scansWithPersonalDataDays: 30, scansDays: null },
  resolvedAlertsDays: null,
};

test('an organization has the defaults until an admin changes a term, which the audit log records', async (t) => {
  const { request, clock, runtime, context } = await createApi(t);
  assert.deepEqual((await request('GET', PATH, undefined, 'viewer')).body, {
    data: { retention: DEFAULTS, updatedAt: null },
  });
  await clock.advance(1_000);
  const changed = await request('PATCH', PATH, { retention: { scansDays: 365 } });
  assert.equal(changed.status, 200);
  const expected = {
    data: {
      retention: { ...DEFAULTS, scansDays: 365 },
      updatedAt: '2026-01-01T00:00:01.000Z',
    },
  };
  assert.deepEqual(changed.body, expected);
  await clock.advance(1_000);
  for (const body of [{}, { retention: {} }, { retention: { scansDays: 365 } }]) {
    assert.deepEqual((await request('PATCH', PATH, body)).body, expected);
  }
  assert.deepEqual((await request('GET', PATH)).body, expected);
  assert.deepEqual((await request('GET', PATH, undefined, 'stranger')).body.data.retention, {
    ...DEFAULTS,
  });
  const log = createAuditLog(runtime.database);
  const { items } = await log.list(context, {}, { limit: 9, offset: 0 });
  assert.deepEqual(
    items.map(({ action, before, after }) => [action, before, after]),
    [['governance_settings.updated', { scansDays: null }, { scansDays: 365 }]],
  );
});

test('the preset of six months lengthens shorter terms, and refuses them while it is set', async (t) => {
  const { request } = await createApi(t);
  const patch = (retention: object) => request('PATCH', PATH, { retention });
  await patch({ scansDays: 60, resolvedAlertsDays: 400 });
  const { body } = await patch({ preset: 'eu-ai-act' });
  assert.deepEqual(body.data.retention, {
    ...{ preset: 'eu-ai-act', scansWithPersonalDataDays: 184, scansDays: 184 },
    resolvedAlertsDays: 400,
  });
  const short = await patch({ scansWithPersonalDataDays: 183, resolvedAlertsDays: 1 });
  assert.equal(short.status, 422);
  assert.deepEqual(
    short.body.error.details.map(({ field }: { field: string }) => field),
    ['retention.scansWithPersonalDataDays', 'retention.resolvedAlertsDays'],
  );
  const together = await patch({ preset: 'standard', scansWithPersonalDataDays: 7 });
  assert.deepEqual(
    [
      together.body.data.retention.scansWithPersonalDataDays,
      together.body.data.retention.scansDays,
    ],
    [7, 184],
  );
  const given = await patch({ preset: 'eu-ai-act', scansWithPersonalDataDays: 30 });
  assert.equal(given.status, 422);
});

test('every bad member is named, and members below admin change nothing', async (t) => {
  const { request } = await createApi(t);
  for (const [body, fields] of [
    [{ retention: { scansDays: 0 } }, ['retention.scansDays']],
    [{ retention: { scansDays: 29 } }, ['retention.scansDays']],
    [
      { retention: { preset: 'gdpr', scansWithPersonalDataDays: null, resolvedAlertsDays: 3_651 } },
      ['retention.preset', 'retention.resolvedAlertsDays', 'retention.scansWithPersonalDataDays'],
    ],
    [{ retention: { scansDays: 1.5, scanDays: 7 } }, ['retention.scanDays', 'retention.scansDays']],
    [{ term: 30 }, ['term']],
  ] as const) {
    const answer = await request('PATCH', PATH, body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    const details = answer.body.error.details as Array<{ field: string }>;
    assert.deepEqual(details.map(({ field }) => field).sort(), fields);
  }
  for (const token of ['editor', 'member', 'viewer']) {
    assert.equal((await request('PATCH', PATH, { retention: {} }, token)).status, 403);
  }
  assert.deepEqual((await request('GET', PATH)).body.data.updatedAt, null);
});
