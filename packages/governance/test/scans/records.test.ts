import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApi } from '../api.ts';
import { BENIGN, CARD, EMAIL, INJECTION } from '../world.ts';

const PATH = '/governance/scans';
const SYSTEM = '01890a5d-ac96-774b-bcce-b302099a8057';

test('scans are listed and read with findings, versions of policies and hashes, without their texts', async (t) => {
  const { request, postScan } = await createApi(t);
  const { body } = await postScan({ response: `Card ${CARD}`, aiSystemId: SYSTEM });
  const id = body.governance.scan_id;
  const { data } = (await request('GET', `${PATH}/${id}`, undefined, 'viewer')).body;
  assert.deepEqual(
    [data.id, data.kind, data.verdict, data.aiSystemId, data.findingCount],
    [id, 'single', 'blocked', SYSTEM, 1],
  );
  assert.deepEqual(data.policies, [{ id: 'pol_builtin', version: 1, mode: 'enforce' }]);
  assert.deepEqual(data.violation, {
    ...{ policyId: 'pol_builtin', code: 'PII_DETECTED' },
    reason: 'pii_scanner found credit_card',
  });
  assert.match(data.responseHash, /^[0-9a-f]{64}$/);
  assert.ok(!JSON.stringify(data).includes(CARD));
  const list = await request('GET', PATH);
  assert.deepEqual(list.body, { data: [data], total: 1, limit: 50, offset: 0, has_more: false });
});

test('scans are filtered by verdict, stage, type, policy, key, AI system and time', async (t) => {
  const { request, postScan, clock } = await createApi(t);
  const ids: string[] = [];
  for (const [text, token] of [
    [BENIGN, 'owner'],
    [`Write to ${EMAIL}.`, 'member'],
    [INJECTION, 'owner'],
  ] as const) {
    const body = { response: text, ...(text === BENIGN ? { aiSystemId: SYSTEM } : {}) };
    const answer = await postScan(body, token);
    ids.push(answer.body.data?.id ?? answer.body.governance.scan_id);
    await clock.advance(1_000);
  }
  for (const [query, expected] of [
    ['', [2, 1, 0]],
    ['verdict=flagged', [1]],
    ['verdict=blocked&stage=injection_scanner', [2]],
    ['stage=pii_scanner', [1]],
    ['type=email&key=key_member', [1]],
    ['type=email&key=key_test', []],
    ['policy=pol_builtin&limit=2', [2, 1]],
    ['policy=pol_none', []],
    [`aiSystemId=${SYSTEM}`, [0]],
    ['since=2026-01-01T00:00:01Z', [2, 1]],
    ['until=2026-01-01T02:00:01%2B02:00', [0]],
  ] as const) {
    const { status, body } = await request('GET', `${PATH}?${query}`);
    assert.equal(status, 200, query);
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => ids.indexOf(id)),
      expected,
      query,
    );
  }
  const { body } = await request('GET', PATH, undefined, 'stranger');
  assert.equal(body.total, 0);
  assert.equal((await request('GET', `${PATH}/${ids[0]}`, undefined, 'stranger')).status, 404);
  const bad = await request('GET', `${PATH}?verdict=x&since=now&aiSystemId=1&color=red`);
  assert.deepEqual(bad.body.error.details.map(({ field }: { field: string }) => field).sort(), [
    'aiSystemId',
    'color',
    'since',
    'verdict',
  ]);
});
