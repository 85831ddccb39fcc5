import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuditLog } from '@probity/core/internal';
import { sampleTargets } from '@probity/test-support/combinations';
import type { Api } from '../api.ts';
import { createApi } from '../api.ts';
import { BENIGN, EMAIL, INJECTION, targets } from '../world.ts';

/** Makes as many alerts a second apart; returns their ids, oldest first. */
async function makeAlerts({ postScan, request, clock }: Api, count: number): Promise<string[]> {
  for (let index = 0; index < count; index += 1) {
    await postScan({ response: `Write to ${EMAIL}` });
    await clock.advance(1_000);
  }
  const { body } = await request('GET', '/alerts?limit=200');
  return body.data.map(({ id }: { id: string }) => id).reverse();
}

async function resolvedEvents({ events }: Api) {
  return (await events()).filter(({ type }) => type === 'alert.resolved').map(({ data }) => data);
}

async function auditOf({ runtime, context }: Api) {
  const log = createAuditLog(runtime.database);
  const { items } = await log.list(context, {}, { limit: 200, offset: 0 });
  return items.filter(({ action }) => action.startsWith('alert'));
}

test('an alert is acknowledged, assigned, commented and resolved, and its history says who did what when', async (t) => {
  const api = await createApi(t);
  const { request, clock } = api;
  const { memberId: owner } = api.context.principal;
  const [id] = await makeAlerts(api, 1);
  const path = `/alerts/${id}`;
  const acknowledged = await request('POST', `${path}/acknowledge`, undefined, 'editor');
  assert.equal(acknowledged.status, 200);
  assert.equal(acknowledged.body.data.acknowledgedBy, 'mem_editor');
  await clock.advance(1_000);
  const again = await request('POST', `${path}/acknowledge`);
  assert.deepEqual(again.body, acknowledged.body);
  const assigned = await request('POST', `${path}/assign`, { memberId: 'mem_editor' });
  assert.equal(assigned.body.data.assigneeId, 'mem_editor');
  const comment = await request('POST', `${path}/comments`, { text: ' Asked\nthe team. ' });
  assert.equal(comment.status, 201);
  const { body: comments } = await request('GET', `${path}/comments`, undefined, 'viewer');
  assert.deepEqual(comments.data, [comment.body.data]);
  assert.equal(comment.body.data.text, 'Asked\nthe team.');
  await clock.advance(1_000);
  const resolved = await request('POST', `${path}/resolve`, { resolution: 'A test.' }, 'editor');
  assert.equal(resolved.status, 200);
  const { data } = resolved.body;
  assert.deepEqual(
    [data.status, data.resolution, data.resolvedBy, data.resolvedAt],
    ['resolved', 'A test.', 'mem_editor', '2026-01-01T00:00:03.000Z'],
  );
  assert.deepEqual((await request('GET', path)).body.data, data);
  const afterwards = await request('POST', `${path}/comments`, { text: 'Seen again.' });
  assert.equal(afterwards.status, 201);
  const { body: history } = await request('GET', `${path}/history`, undefined, 'viewer');
  assert.deepEqual(
    history.data.map((each: Record<string, unknown>) => [
      each.action,
      each.memberId,
      each.text,
      each.assigneeId,
    ]),
    [
      ['acknowledged', 'mem_editor', null, null],
      ['assigned', owner, null, 'mem_editor'],
      ['commented', owner, 'Asked\nthe team.', null],
      ['resolved', 'mem_editor', 'A test.', null],
      ['commented', owner, 'Seen again.', null],
    ],
  );
  assert.deepEqual(await resolvedEvents(api), [
    { alertId: id, resolution: 'A test.', resolvedBy: 'mem_editor' },
  ]);
});

test('the audit log has what was done with alerts, and no text of a resolution or comment', async (t) => {
  const api = await createApi(t);
  const [first, second] = await makeAlerts(api, 2);
  await api.request('POST', `/alerts/${first}/comments`, { text: 'Secret one' });
  await api.request('POST', `/alerts/${first}/resolve`, { resolution: 'Secret two' });
  await api.request('POST', '/alerts/assign', { ids: [second], memberId: 'mem_editor' });
  const entries = await auditOf(api);
  assert.deepEqual(entries.map(({ action, target }) => [action, target.type]).sort(), [
    ['alert.commented', 'alert'],
    ['alert.resolved', 'alert'],
    ['alerts.assigned', 'organization'],
  ]);
  assert.deepEqual(entries.find(({ action }) => action === 'alerts.assigned')?.after, {
    assigneeId: 'mem_editor',
    ids: [second],
  });
  assert.doesNotMatch(JSON.stringify(entries), /Secret/);
});

test('a resolved alert is not resolved, acknowledged or assigned again: 409, and nothing changes', async (t) => {
  const api = await createApi(t);
  const [id] = await makeAlerts(api, 1);
  const { body } = await api.request('POST', `/alerts/${id}/resolve`, { resolution: 'First' });
  for (const [action, given] of [
    ['resolve', { resolution: 'Second' }],
    ['acknowledge', undefined],
    ['assign', { memberId: 'mem_editor' }],
  ] as const) {
    const answer = await api.request('POST', `/alerts/${id}/${action}`, given);
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'CONFLICT'], action);
  }
  assert.deepEqual((await api.request('GET', `/alerts/${id}`)).body, body);
  assert.equal((await resolvedEvents(api)).length, 1);
});

test('assigning takes active members alone, and null unassigns', async (t) => {
  const asked: string[] = [];
  const api = await createApi(t, {
    members: {
      async isActiveMember(organizationId, memberId) {
        asked.push(organizationId);
        return memberId === 'mem_active';
      },
    },
  });
  const [id] = await makeAlerts(api, 1);
  const assign = (memberId: unknown) => api.request('POST', `/alerts/${id}/assign`, { memberId });
  for (const memberId of ['mem_gone', '', 7, undefined]) {
    const { status, body } = await assign(memberId);
    assert.deepEqual([status, body.error.details[0].field], [422, 'memberId']);
  }
  const bulk = { ids: [id], memberId: 'mem_gone' };
  assert.equal((await api.request('POST', '/alerts/assign', bulk)).status, 422);
  assert.equal((await assign('mem_active')).body.data.assigneeId, 'mem_active');
  const found = await api.request('GET', '/alerts?assignee=mem_active');
  assert.equal(found.body.total, 1);
  assert.equal((await assign(null)).body.data.assigneeId, null);
  assert.deepEqual(new Set(asked), new Set([api.context.principal.organizationId]));
});

for (const target of sampleTargets(targets)) {
  test(`${target.name}: several alerts are changed at once, and the answer says what became of each id`, async (t) => {
    const api = await createApi(t, { target });
    const [first = '', second = '', third = ''] = await makeAlerts(api, 3);
    await api.request('POST', `/alerts/${first}/resolve`, { resolution: 'Before' });
    await api.request('POST', `/alerts/${second}/acknowledge`);
    const ids = [third, first, 'alr_none', second, third];
    const acknowledged = await api.request('POST', '/alerts/acknowledge', { ids });
    assert.deepEqual(acknowledged.body.data, {
      ...{ changed: [third], unchanged: [second] },
      ...{ alreadyResolved: [first], unknown: ['alr_none'] },
    });
    const resolved = await api.request('POST', '/alerts/resolve', { ids, resolution: 'All' });
    assert.deepEqual(resolved.body.data, {
      ...{ changed: [third, second], unchanged: [] },
      ...{ alreadyResolved: [first], unknown: ['alr_none'] },
    });
    const others = await api.request('POST', '/alerts/resolve', { ids, resolution: 'Again' });
    assert.deepEqual(others.body.data.changed, []);
    const byAlert = (await resolvedEvents(api)).map((data) => [data.alertId, data.resolution]);
    assert.deepEqual(
      byAlert.sort(),
      [
        [first, 'Before'],
        [second, 'All'],
        [third, 'All'],
      ].sort(),
    );
  });

  test(`${target.name}: of concurrent resolutions each alert gets one, with one event, one entry of its history and no error`, async (t) => {
    const api = await createApi(t, { target });
    const ids = await makeAlerts(api, 12);
    const calls = ids.flatMap((id, index) => [
      api.request('POST', `/alerts/${id}/resolve`, { resolution: `one ${index}` }),
      api.request('POST', '/alerts/resolve', {
        ids: index % 2 === 0 ? ids : [...ids].reverse(),
        resolution: `all ${index}`,
      }),
    ]);
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual(
      statuses.filter((status) => status !== 200 && status !== 409),
      [],
    );
    const events = await resolvedEvents(api);
    assert.deepEqual(events.map(({ alertId }) => alertId).sort(), [...ids].sort());
    for (const id of ids) {
      const { data: alert } = (await api.request('GET', `/alerts/${id}`)).body;
      const event = events.find(({ alertId }) => alertId === id);
      assert.equal(event?.resolution, alert.resolution);
      const { body } = await api.request('GET', `/alerts/${id}/history`);
      assert.deepEqual(
        body.data.map(({ text }: { text: string }) => text),
        [alert.resolution],
      );
    }
  });
}

test('viewers and members read alerts and change none; strangers find none', async (t) => {
  const api = await createApi(t);
  const [id] = await makeAlerts(api, 1);
  const calls = [
    [`/alerts/${id}/resolve`, { resolution: 'x' }],
    [`/alerts/${id}/acknowledge`, undefined],
    [`/alerts/${id}/assign`, { memberId: null }],
    [`/alerts/${id}/comments`, { text: 'x' }],
  ] as const;
  for (const [path, body] of calls) {
    for (const token of ['viewer', 'member']) {
      assert.equal((await api.request('POST', path, body, token)).status, 403, path);
    }
    assert.equal((await api.request('POST', path, body, 'stranger')).status, 404, path);
  }
  for (const path of [`/alerts/${id}/history`, `/alerts/${id}/comments`]) {
    assert.equal((await api.request('GET', path, undefined, 'stranger')).status, 404, path);
    assert.equal((await api.request('GET', path, undefined, 'viewer')).body.total, 0, path);
  }
  const resolve = { ids: [id], resolution: 'x' };
  const { body } = await api.request('POST', '/alerts/resolve', resolve, 'stranger');
  assert.deepEqual([body.data.changed, body.data.unknown], [[], [id]]);
  assert.equal((await api.request('GET', `/alerts/${id}`)).body.data.status, 'open');
  assert.deepEqual(await resolvedEvents(api), []);
});

test('every bad member of a body is named', async (t) => {
  const api = await createApi(t);
  const [id] = await makeAlerts(api, 1);
  const many = Array.from({ length: 501 }, (_, index) => `alr_${index}`);
  for (const [path, body, fields] of [
    [`/alerts/${id}/resolve`, { resolution: ' ' }, ['resolution']],
    [`/alerts/${id}/resolve`, { resolution: 'x'.repeat(2_001), by: 'me' }, ['by', 'resolution']],
    [`/alerts/${id}/resolve`, {}, ['resolution']],
    [`/alerts/${id}/comments`, { text: 'x'.repeat(5_001) }, ['text']],
    ['/alerts/resolve', { ids: [], resolution: 7 }, ['ids', 'resolution']],
    ['/alerts/resolve', { ids: many, resolution: 'x' }, ['ids']],
    ['/alerts/acknowledge', { ids: ['alr_1', 7] }, ['ids.1']],
  ] as const) {
    const answer = await api.request('POST', path, body);
    assert.equal(answer.status, 422, path);
    assert.deepEqual(
      answer.body.error.details.map(({ field }: { field: string }) => field).sort(),
      fields,
    );
  }
  const text = 'a\u0000b';
  const answer = await api.request('POST', `/alerts/${id}/comments`, { text });
  assert.deepEqual([answer.status, answer.body.error.details[0].field], [400, 'text']);
  for (const each of [text, 'a\ud800', ' ']) {
    await assert.rejects(api.alerts.comment(api.context, id ?? '', { text: each }), {
      kind: 'validation_failed',
    });
  }
});

test('alerts are found by time, scan, assignee and text, several at once, and counted by hour', async (t) => {
  const api = await createApi(t);
  const { request, postScan, clock } = api;
  const flagged = await postScan({ response: `Write to ${EMAIL}` });
  await clock.advance(3_600_000);
  await postScan({ prompt: INJECTION, response: BENIGN });
  await postScan({ response: `Write to ${EMAIL}` });
  const { body: all } = await request('GET', '/alerts');
  const first = all.data.at(-1);
  await request('POST', `/alerts/${first.id}/resolve`, { resolution: 'Test of the TEAM' });
  for (const [query, total] of [
    ['since=2026-01-01T01:00:00Z', 2],
    ['until=2026-01-01T01:00:00Z', 1],
    [`scanId=${flagged.body.data.id}`, 1],
    ['q=EMAIL', 2],
    ['q=team', 1],
    ['q=team&status=open', 0],
    ['type=pii&status=open&severity=low&since=2026-01-01T00:00:00Z', 1],
  ] as const) {
    const { body } = await request('GET', `/alerts?${query}`);
    assert.deepEqual([body.total, body.data.length], [total, total], query);
  }
  const { body: counts } = await request('GET', '/alerts?group_by=type');
  assert.deepEqual(counts, {
    data: [
      { type: 'injection', hour: '2026-01-01T01:00:00.000Z', count: 1 },
      { type: 'pii', hour: '2026-01-01T01:00:00.000Z', count: 1 },
      { type: 'pii', hour: '2026-01-01T00:00:00.000Z', count: 1 },
    ],
    ...{ total: 3, limit: 50, offset: 0, has_more: false },
  });
  const { body: page } = await request('GET', '/alerts?group_by=type&status=open&limit=1&offset=1');
  assert.deepEqual([page.data[0].type, page.total, page.has_more], ['pii', 2, false]);
  const bad = await request('GET', '/alerts?group_by=severity&q=&since=now');
  assert.deepEqual(bad.body.error.details.map(({ field }: { field: string }) => field).sort(), [
    'group_by',
    'q',
    'since',
  ]);
});
