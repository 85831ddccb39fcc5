import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireEnforced, selectPolicies, withDefaults } from '../../src/policies/select.ts';
import type { PolicyMode } from '../../src/policies/types.ts';

const policy = (id: string, changes: object = {}) => ({
  ...{ id, enabled: true, isDefault: true, keyIds: null as readonly string[] | null },
  mode: 'enforce' as PolicyMode,
  ...changes,
});
const policies = [
  policy('pol_default'),
  policy('pol_named', { isDefault: false }),
  policy('pol_bound', { keyIds: ['key_chat'] }),
  policy('pol_off', { enabled: false }),
  policy('pol_bound_off', { keyIds: ['key_chat'], enabled: false }),
];

interface Case {
  name: string;
  ids?: readonly string[] | null;
  keyId?: string;
  expected: readonly string[];
}

const cases: readonly Case[] = [
  { name: 'a scan that names none gets the default ones', expected: ['pol_default'] },
  { name: 'null is the same as none', ids: null, expected: ['pol_default'] },
  {
    name: 'one that is bound to the key applies besides the default ones',
    keyId: 'key_chat',
    expected: ['pol_default', 'pol_bound'],
  },
  {
    name: 'a scan that names one gets that one alone',
    ids: ['pol_named'],
    expected: ['pol_named'],
  },
  {
    name: 'naming others does not escape one that is bound to the key',
    ids: ['pol_named'],
    keyId: 'key_chat',
    expected: ['pol_named', 'pol_bound'],
  },
  {
    name: 'one that is bound to other keys can be named',
    ids: ['pol_bound'],
    expected: ['pol_bound'],
  },
  {
    name: 'duplicates are dropped, disabled ones too, and the order of the policies is kept',
    ids: ['pol_named', 'pol_default', 'pol_off', 'pol_named'],
    expected: ['pol_default', 'pol_named'],
  },
];
for (const { name, ids, keyId = 'key_other', expected } of cases) {
  test(`selecting policies: ${name}`, () => {
    const selected = selectPolicies(policies, ids, keyId);
    assert.deepEqual(
      selected.map(({ id }) => id),
      expected,
    );
  });
}

test('selecting policies fails with every unknown id', () => {
  assert.throws(() => selectPolicies(policies, ['pol_a', 'pol_off', 'pol_b'], 'key_chat'), {
    kind: 'validation_failed',
    details: [
      { field: 'policyIds.0', message: 'is not a policy of this organization' },
      { field: 'policyIds.2', message: 'is not a policy of this organization' },
    ],
  });
});

test('a scan by a role without policies:write keeps the default policies', () => {
  const named = ['pol_named', 'pol_off'];
  for (const role of ['owner', 'admin', 'editor'] as const) {
    assert.deepEqual(withDefaults(policies, named, { role }), named);
  }
  for (const role of ['member', 'viewer'] as const) {
    assert.deepEqual(withDefaults(policies, named, { role }), [...named, 'pol_default']);
    assert.equal(withDefaults(policies, null, { role }), null);
    assert.deepEqual(withDefaults(policies, [], { role }), []);
  }
});

test('a scan by a caller with permissions and no role keeps the default policies', () => {
  const scanning = { role: null, permissions: ['scans:create'] } as const;
  assert.deepEqual(withDefaults(policies, ['pol_off'], scanning), ['pol_off', 'pol_default']);
  const writing = { role: null, permissions: ['scans:create', 'policies:write'] } as const;
  assert.deepEqual(withDefaults(policies, ['pol_off'], writing), ['pol_off']);
});

test('refuses a choice without a policy that is enforced', () => {
  const monitored = policy('pol_watch', { mode: 'monitor' });
  assert.doesNotThrow(() => requireEnforced([monitored, policy('pol_default')]));
  for (const chosen of [[], [monitored]]) {
    assert.throws(() => requireEnforced(chosen), {
      kind: 'validation_failed',
      message: /policyIds: must name at least one policy that is enforced/,
    });
  }
});
