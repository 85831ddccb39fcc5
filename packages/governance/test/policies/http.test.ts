import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_POLICY_ID } from '../../src/index.ts';
import { createApi } from '../api.ts';
import { BENIGN, CARD, EMAIL, INJECTION, SSN } from '../world.ts';

const PATH = '/governance/policies';
const REDACT = {
  name: 'Redact contacts',
  rules: [{ stage: 'pii_scanner', types: ['email'], action: 'redact' }],
};

test('a policy is created in version 1, read, listed behind the built-in one, and changed in version 2', async (t) => {
  const { request, clock } = await createApi(t);
  const created = await request('POST', PATH, REDACT);
  assert.equal(created.status, 201);
  const { data } = created.body;
  assert.match(data.id, /^pol_/);
  const at = '2026-01-01T00:00:00.000Z';
  const whole = {
    ...{ id: data.id, version: 1, description: null, enabled: true, mode: 'enforce' },
    ...{ default: true, keyIds: null, createdAt: at, updatedAt: at, ...REDACT },
  };
  assert.deepEqual(data, whole);
  assert.deepEqual((await request('GET', `${PATH}/${data.id}`)).body.data, whole);
  const { body: list } = await request('GET', PATH);
  assert.deepEqual(
    list.data.map(({ id }: { id: string }) => id),
    [BUILT_IN_POLICY_ID, data.id],
  );
  assert.equal(list.total, 2);
  await clock.advance(1_000);
  const changed = await request('PATCH', `${PATH}/${data.id}`, { mode: 'monitor' });
  const updatedAt = '2026-01-01T00:00:01.000Z';
  assert.deepEqual(changed.body.data, { ...whole, version: 2, mode: 'monitor', updatedAt });
});

test('the versions of a policy are listed newest first with their authors, and an update without a difference makes none', async (t) => {
  const { request, context } = await createApi(t);
  const { data } = (await request('POST', PATH, REDACT)).body;
  const path = `${PATH}/${data.id}`;
  await request('PATCH', path, { name: 'Renamed' });
  const same = await request('PATCH', path, { name: 'Renamed', enabled: true });
  assert.equal(same.body.data.version, 2);
  const { body } = await request('GET', `${path}/versions`);
  assert.deepEqual(
    body.data.map((version: { version: number; name: string; memberId: string }) => [
      ...[version.version, version.name, version.memberId],
    ]),
    [
      [2, 'Renamed', context.principal.memberId],
      [1, 'Redact contacts', context.principal.memberId],
    ],
  );
  assert.equal((await request('DELETE', path)).status, 204);
  assert.equal((await request('GET', path)).status, 404);
  assert.equal((await request('GET', `${path}/versions`)).body.total, 2);
});

test('a change of the built-in policy is a version of the organization, and the release’s rules stay version 1', async (t) => {
  const { request, postScan } = await createApi(t);
  const path = `${PATH}/${BUILT_IN_POLICY_ID}`;
  const { data } = (await request('GET', path)).body;
  assert.deepEqual([data.version, data.createdAt, data.updatedAt], [1, null, null]);
  const leak = { response: `Card ${CARD}` };
  assert.equal((await postScan(leak)).status, 403);
  const changed = await request('PATCH', path, { enabled: false });
  assert.deepEqual([changed.body.data.version, changed.body.data.enabled], [2, false]);
  const passed = await postScan(leak);
  assert.equal(passed.status, 200);
  assert.deepEqual(passed.body.data.policies, []);
  await request('PATCH', path, { enabled: true });
  const blocked = await postScan(leak);
  assert.deepEqual(
    [blocked.body.governance.policy_id, blocked.body.governance.policy_version],
    [BUILT_IN_POLICY_ID, 3],
  );
  const { body } = await request('GET', `${path}/versions`);
  assert.deepEqual(
    body.data.map((each: { version: number; memberId: string | null }) => [
      ...[each.version, each.memberId === null],
    ]),
    [
      [3, false],
      [2, false],
      [1, true],
    ],
  );
  const refused = await request('DELETE', path);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error.message, /"enabled": false/);
});

test('a policy that redacts emits policy.violated, and its alert where there is no other', async (t) => {
  const { request, postScan, events, listAlerts } = await createApi(t);
  const rules = [{ stage: 'injection_scanner', types: ['prompt_injection'], action: 'redact' }];
  const { data } = (await request('POST', PATH, { name: 'Cut out', rules })).body;
  const answer = await postScan({ response: INJECTION, policyIds: [data.id] });
  assert.equal(answer.body.data.verdict, 'flagged');
  assert.ok(answer.body.data.redacted.response.includes('[PROMPT_INJECTION_1]'));
  const violated = (await events()).filter(({ type }) => type === 'policy.violated');
  assert.deepEqual(
    violated.map((event) => event.data),
    [
      {
        policyId: data.id,
        violationReason: 'injection_scanner found prompt_injection',
        scanId: answer.body.data.id,
        action: 'redact',
      },
    ],
  );
  const { items } = await listAlerts();
  assert.deepEqual(
    items.map(({ type, scanId }) => [type, scanId]),
    [['injection', answer.body.data.id]],
  );
});

test('a policy that monitors changes no verdict, and each scan records what it would have decided', async (t) => {
  const { request, postScan, scans, context, events } = await createApi(t);
  const rules = [{ stage: 'pii_scanner', types: ['email'], action: 'block' }];
  const monitor = { name: 'Trial', mode: 'monitor', rules };
  const { data } = (await request('POST', PATH, monitor)).body;
  const answer = await postScan({ response: `Write to ${EMAIL}.` });
  assert.equal(answer.status, 200);
  const expected = [
    {
      ...{ policyId: data.id, version: 1, verdict: 'blocked' },
      ...{ reason: 'pii_scanner found email', code: 'PII_DETECTED' },
    },
  ];
  assert.deepEqual(answer.body.data.monitored, expected);
  assert.deepEqual(answer.body.data.policies, [
    { id: BUILT_IN_POLICY_ID, version: 1, mode: 'enforce' },
    { id: data.id, version: 1, mode: 'monitor' },
  ]);
  assert.deepEqual((await scans.get(context, answer.body.data.id)).monitored, expected);
  const benign = await postScan({ response: BENIGN });
  assert.deepEqual(benign.body.data.monitored, [
    { policyId: data.id, version: 1, verdict: 'allowed', reason: null, code: null },
  ]);
  assert.ok(!(await events()).some(({ type }) => type === 'policy.violated'));
  await request('PATCH', `${PATH}/${data.id}`, { mode: 'enforce' });
  assert.equal((await postScan({ response: `Write to ${EMAIL}.` })).status, 403);
});

test('a policy that is bound to a key holds for its scans only, whatever policies they name', async (t) => {
  const { request, postScan } = await createApi(t);
  const rules = [{ stage: 'pii_scanner', action: 'block' }];
  const bound = { name: 'Chat', keyIds: ['key_member', 'key_member'], rules };
  const { data } = (await request('POST', PATH, bound)).body;
  assert.deepEqual(data.keyIds, ['key_member']);
  const contact = { response: `Write to ${EMAIL}.` };
  assert.equal((await postScan(contact, 'member')).status, 403);
  assert.equal((await postScan(contact, 'owner')).status, 200);
  const named = { ...contact, policyIds: [BUILT_IN_POLICY_ID] };
  assert.equal((await postScan(named, 'member')).status, 403);
  assert.equal((await postScan({ ...contact, policyIds: [data.id] }, 'owner')).status, 403);
});

const rule = { stage: 'pii_scanner', action: 'block' };
const BAD: ReadonlyArray<[string, object, Record<string, RegExp>]> = [
  ['without anything', {}, { name: /is required/, rules: /is required/ }],
  [
    'with every member of the wrong form',
    {
      ...{ name: ' ', description: 1, enabled: 'yes', mode: 'watch', default: 0, keyIds: [] },
      rules: [{ stage: 1, types: [], threshold: 2, action: 'deny', weight: 1 }],
      owner: 'x',
    },
    {
      name: /1 to 200 characters/,
      description: /at most 5,000/,
      enabled: /expected boolean/,
      mode: /one of enforce, monitor/,
      default: /expected boolean/,
      keyIds: /1 to 200 ids/,
      'rules.0.stage': /name of a stage/,
      'rules.0.types': /1 to 100 types/,
      'rules.0.threshold': /from 0 to 1/,
      'rules.0.action': /block, redact, flag, allow/,
      'rules.0.weight': /not a known field/,
      owner: /not a known field/,
    },
  ],
  [
    'with stages and types that do not exist',
    {
      name: 'x',
      rules: [
        rule,
        { stage: 'pii_scaner', action: 'block' },
        { stage: 'pii_scanner', types: ['ssn', 'e-mail'], action: 'block' },
      ],
    },
    {
      'rules.1.stage': /got "pii_scaner"\. Did you mean pii_scanner\?/,
      'rules.2.types.1': /got "e-mail"\. Did you mean email\?/,
    },
  ],
  [
    'with too many rules',
    { name: 'x', rules: Array.from({ length: 201 }, () => rule) },
    { rules: /at most 200 rules/ },
  ],
];
for (const [name, body, expected] of BAD) {
  test(`a policy ${name} is 422 and names every bad field`, async (t) => {
    const { request } = await createApi(t);
    const { data } = (await request('POST', PATH, REDACT)).body;
    const answer = await request('POST', PATH, body);
    assert.equal(answer.status, 422);
    const found = new Map<string, string>(
      answer.body.error.details.map((each: { field: string; message: string }) => [
        ...[each.field, each.message],
      ]),
    );
    assert.deepEqual([...found.keys()].sort(), Object.keys(expected).sort());
    for (const [field, message] of Object.entries(expected)) {
      assert.match(found.get(field) ?? '', message, field);
    }
    if (Object.keys(body).length === 0) return;
    assert.equal((await request('PATCH', `${PATH}/${data.id}`, body)).status, 422);
  });
}

test('policies are changed by editors and read by viewers of their own organization', async (t) => {
  const { request, runtime } = await createApi(t);
  const { data } = (await request('POST', PATH, REDACT)).body;
  const path = `${PATH}/${data.id}`;
  assert.equal((await request('POST', PATH, REDACT, 'member')).status, 403);
  assert.equal((await request('PATCH', path, { name: 'x' }, 'member')).status, 403);
  assert.equal((await request('DELETE', path, undefined, 'viewer')).status, 403);
  assert.equal((await request('GET', path, undefined, 'viewer')).status, 200);
  await runtime.tenants?.ensure('org_other');
  for (const [method, target] of [
    ['GET', path],
    ['PATCH', path],
    ['DELETE', path],
    ['GET', `${path}/versions`],
  ] as const) {
    const body = method === 'PATCH' ? { name: 'x' } : undefined;
    const answer = await request(method, target, body, 'stranger');
    assert.equal(answer.status, 404, `${method} ${target}`);
  }
  const named = { response: BENIGN, policyIds: [data.id] };
  assert.equal((await request('POST', '/governance/scan', named, 'stranger')).status, 422);
});

for (const [title, policy] of Object.entries({
  disabled: { enabled: false, rules: REDACT.rules },
  monitored: { mode: 'monitor', rules: REDACT.rules },
  'one that allows': { rules: [{ stage: 'pii_scanner', action: 'allow' }] },
})) {
  test(`a member cannot escape the default policy by naming a policy: ${title}`, async (t) => {
    const { request, postScan } = await createApi(t);
    const { data } = (await request('POST', PATH, { name: 'Named', ...policy })).body;
    const named = { response: `SSN ${SSN}`, policyIds: [data.id] };
    const blocked = await postScan(named, 'member');
    assert.equal(blocked.status, 403);
    assert.equal(blocked.body.governance.policy_id, BUILT_IN_POLICY_ID);
    const byEditor = await postScan(named, 'editor');
    if ('rules' in policy && !('enabled' in policy) && !('mode' in policy)) {
      assert.equal(byEditor.status, 200);
      return;
    }
    assert.equal(byEditor.status, 422);
    assert.deepEqual(byEditor.body.error.details, [
      {
        field: 'policyIds',
        message:
          'must name at least one policy that is enforced; enable one, set its mode to enforce, or name another',
      },
    ]);
  });
}

test('the hundredth policy of an organization is the last', async (t) => {
  const { request } = await createApi(t);
  for (let number = 0; number < 100; number += 1) {
    assert.equal((await request('POST', PATH, REDACT)).status, 201);
  }
  const refused = await request('POST', PATH, REDACT);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT']);
  const { body } = await request('GET', `${PATH}?limit=3&offset=99`);
  assert.deepEqual([body.data.length, body.total, body.has_more], [2, 101, false]);
  assert.equal(
    (await request('PATCH', `${PATH}/${BUILT_IN_POLICY_ID}`, { name: 'x' })).status,
    200,
  );
});
