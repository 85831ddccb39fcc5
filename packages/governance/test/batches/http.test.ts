import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Meter } from '@probity/core';
import { createSecretBox, ProbityError, systemRandom } from '@probity/core';
import type { TestLifetime } from '@probity/test-support';
import { createApi } from '../api.ts';
import { BENIGN, EMAIL, SSN } from '../world.ts';

const SCANS = '/governance/scans';
const open = (t: TestLifetime, options: Parameters<typeof createApi>[2] = {}) =>
  createApi(t, { secretBox: createSecretBox([systemRandom(32)]) }, options);

test('a batch is answered 202, shows its progress, and has its results in the end', async (t) => {
  const { request, batchWorker, context } = await open(t);
  const items = [
    { response: BENIGN },
    { prompt: `From ${EMAIL}`, response: BENIGN },
    { response: `SSN ${SSN}`, policyIds: null },
    { response: BENIGN, policyIds: ['pol_none'] },
  ];
  const { status, body } = await request('POST', SCANS, { items });
  assert.equal(status, 202);
  const { memberId, keyId } = context.principal;
  const { id, ...submitted } = body.data;
  assert.match(id, /^scn_/);
  assert.deepEqual(submitted, {
    ...{ kind: 'batch', status: 'running', total: 4, pending: 4 },
    ...{ allowed: 0, flagged: 0, blocked: 0, errors: 0, canceled: 0 },
    ...{ memberId, keyId, createdAt: '2026-01-01T00:00:00.000Z', endedAt: null },
  });
  const waiting = (await request('GET', `${SCANS}/${id}`)).body.data;
  assert.deepEqual(
    waiting.results.map(({ status, scanId }: Record<string, unknown>) => [status, scanId]),
    Array(4).fill(['pending', null]),
  );
  await batchWorker.runOnce();
  const done = (await request('GET', `${SCANS}/${id}`)).body.data;
  const { results, ...counts } = done;
  assert.deepEqual(counts, {
    ...{ id, ...submitted, status: 'completed', pending: 0 },
    ...{ allowed: 1, flagged: 1, blocked: 1, errors: 1 },
    endedAt: '2026-01-01T00:00:00.000Z',
  });
  assert.deepEqual(
    results.map((each: Record<string, unknown>) => [each.index, each.status, each.verdict]),
    [
      ...[[0, 'completed', 'allowed']],
      ...[[1, 'completed', 'flagged']],
      ...[[2, 'completed', 'blocked']],
      ...[[3, 'failed', null]],
    ],
  );
  assert.equal(results[3].error.code, 'VALIDATION_ERROR');
  const single = await request('GET', `${SCANS}/${results[2].scanId}`);
  assert.deepEqual([single.body.data.kind, single.body.data.verdict], ['single', 'blocked']);
});

test('items are listed in pages by status and verdict, with the records of their scans', async (t) => {
  const { request, batchWorker } = await open(t);
  const items = [{ response: BENIGN }, { response: `SSN ${SSN}` }, { response: `To ${EMAIL}` }];
  const { id } = (await request('POST', SCANS, { items })).body.data;
  await batchWorker.runOnce();
  const list = async (query: string) => (await request('GET', `${SCANS}/${id}/items${query}`)).body;
  const page = await list('?limit=2&offset=1');
  assert.deepEqual([page.total, page.limit, page.offset, page.has_more], [3, 2, 1, false]);
  assert.deepEqual(
    page.data.map(({ index }: { index: number }) => index),
    [1, 2],
  );
  const [blocked] = (await list('?verdict=blocked&status=completed')).data;
  assert.equal(blocked.index, 1);
  assert.equal(blocked.scan.id, blocked.scanId);
  assert.equal(blocked.scan.findings[0].type, 'ssn');
  const bad = await list('?limit=0&status=done&kind=x');
  assert.deepEqual(bad.error.details.map(({ field }: { field: string }) => field).sort(), [
    'kind',
    'limit',
    'status',
  ]);
});

test('lists show single scans, those of batches included, or batches', async (t) => {
  const { request, postScan, batchWorker } = await open(t);
  await postScan({ response: BENIGN });
  const { id } = (await request('POST', SCANS, { items: [{ response: BENIGN }] })).body.data;
  await batchWorker.runOnce();
  const kinds = async (query: string) => {
    const { body } = await request('GET', `${SCANS}${query}`);
    return body.data.map(({ kind }: { kind: string }) => kind);
  };
  assert.deepEqual(await kinds(''), ['single', 'single']);
  assert.deepEqual(await kinds('?kind=single&verdict=allowed'), ['single', 'single']);
  assert.deepEqual(await kinds('?kind=batch&since=2026-01-01T00:00:00Z&key=key_test'), ['batch']);
  assert.deepEqual(await kinds('?kind=batch&until=2026-01-01T00:00:00Z'), []);
  const listed = (await request('GET', `${SCANS}?kind=batch`)).body.data;
  assert.deepEqual([listed[0].id, 'results' in listed[0]], [id, false]);
  const bad = await request('GET', `${SCANS}?kind=batch&verdict=allowed&policy=pol_1`);
  assert.equal(bad.status, 422);
  assert.deepEqual(
    bad.body.error.details.map(({ field }: { field: string }) => field),
    ['verdict', 'policy'],
  );
});

test('every bad field of every item is named, and nothing is stored then', async (t) => {
  const { request } = await open(t);
  const fieldsOf = async (body: unknown) => {
    const answer = await request('POST', SCANS, body);
    assert.equal(answer.status, 422);
    return answer.body.error.details.map(({ field }: { field: string }) => field);
  };
  assert.deepEqual(await fieldsOf({}), ['items']);
  assert.deepEqual(await fieldsOf({ items: [] }), ['items']);
  assert.deepEqual(await fieldsOf({ items: Array(1_001).fill({ response: BENIGN }) }), ['items']);
  assert.deepEqual(await fieldsOf({ items: [{ response: BENIGN }], extra: 1 }), ['extra']);
  const items = [
    { response: BENIGN },
    { response: '', prompt: 7 },
    { metadata: [], response: BENIGN, redaction: 'mask' },
    'text',
  ];
  assert.deepEqual(await fieldsOf({ items }), [
    ...['items.1.prompt', 'items.1.response', 'items.2.metadata', 'items.2.redaction', 'items.3'],
  ]);
  assert.equal((await request('GET', `${SCANS}?kind=batch`)).body.total, 0);
});

test('a batch is canceled once, by those who may scan, and is unknown to other organizations', async (t) => {
  const { request } = await open(t);
  const { id } = (await request('POST', SCANS, { items: [{ response: BENIGN }] })).body.data;
  const cancel = (token?: string) => request('POST', `${SCANS}/${id}/cancel`, undefined, token);
  assert.equal((await cancel('viewer')).status, 403);
  assert.equal((await cancel('stranger')).status, 404);
  for (const path of [`${SCANS}/${id}`, `${SCANS}/${id}/items`]) {
    assert.equal((await request('GET', path, undefined, 'stranger')).status, 404);
    assert.equal((await request('GET', path, undefined, 'viewer')).status, 200);
  }
  const canceled = await cancel('member');
  assert.deepEqual([canceled.status, canceled.body.data.status], [200, 'canceled']);
  const again = await cancel();
  assert.deepEqual([again.status, again.body.error.code], [409, 'CONFLICT']);
  const viewer = await request('POST', SCANS, { items: [{ response: BENIGN }] }, 'viewer');
  assert.equal(viewer.status, 403);
});

/** A meter with so many units left of a quota. */
function createMeter(left: number) {
  const meter: Meter & { left: number } = {
    left,
    async spend(_, quota, units) {
      if (quota !== 'gateway_scans') return;
      if (units > meter.left) throw new ProbityError('rate_limited', 'The quota is spent.');
      meter.left -= units;
    },
  };
  return meter;
}

test('a quota that ends within a batch fails the items beyond it; one that is spent refuses the batch', async (t) => {
  for (const left of [1, 6, 7, 8, 9]) {
    const meter = createMeter(left);
    const { request } = await open(t, { meter });
    const items = Array.from({ length: 8 }, () => ({ response: BENIGN }));
    const { status, body } = await request('POST', SCANS, { items });
    const spent = Math.min(8, left);
    assert.deepEqual([status, body.data.errors, body.data.pending], [202, 8 - spent, spent]);
    assert.equal(meter.left, left - spent);
    const { results } = (await request('GET', `${SCANS}/${body.data.id}`)).body.data;
    const codes = results.map(({ error }: { error: { code: string } | null }) => error?.code);
    assert.deepEqual(codes, [
      ...Array(spent).fill(undefined),
      ...Array(8 - spent).fill('RATE_LIMIT_EXCEEDED'),
    ]);
  }
  const { request } = await open(t, { meter: createMeter(0) });
  const refused = await request('POST', SCANS, { items: [{ response: BENIGN }] });
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMIT_EXCEEDED']);
});

test('a body of 10 MiB is taken, and one byte more is 413', async (t) => {
  const { request, batches, context } = await open(t);
  const limit = 10_485_760;
  const frame = JSON.stringify({ items: [{ response: '' }] }).length;
  const ask = (size: number) =>
    request('POST', SCANS, { items: [{ response: 'a'.repeat(size - frame) }] });
  assert.equal((await ask(limit)).status, 202);
  assert.equal((await ask(limit + 1)).status, 413);
  assert.equal((await batches.list(context, {}, { limit: 9, offset: 0 })).total, 1);
});
