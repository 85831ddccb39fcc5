import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectMembers } from '../../src/patch/members.ts';
import { memberChanges, patchedGroup, refusal } from './people.ts';

const added = { op: 'add', path: 'members', value: [{ value: 'u1' }] };

test('a replacement of other attributes leaves the members as they are', () => {
  assert.deepEqual(memberChanges({ op: 'replace', value: { displayName: 'Guides' } }), []);
  assert.deepEqual(memberChanges({ op: 'replace', path: 'displayName', value: 'Guides' }), []);
});

test('changes of members stay in their order, consecutive ones of a kind are one', () => {
  assert.deepEqual(
    memberChanges(
      added,
      { op: 'add', path: 'members', value: [{ value: 'u2' }, { value: 'u1' }] },
      { op: 'remove', path: 'members[value eq "u1" or value eq "u3"]' },
      { op: 'replace', path: 'displayName', value: 'Guides' },
      { op: 'remove', path: 'members', value: [{ value: 'u4' }] },
      added,
      { op: 'replace', path: 'members', value: [{ value: 'u5' }] },
      { op: 'replace', path: 'members', value: [{ value: 'u6' }] },
    ),
    [
      { kind: 'add', ids: ['u1', 'u2'] },
      { kind: 'remove', ids: ['u1', 'u3', 'u4'] },
      { kind: 'add', ids: ['u1'] },
      { kind: 'replace', ids: ['u5'] },
      { kind: 'replace', ids: ['u6'] },
    ],
  );
});

for (const operation of [
  { op: 'remove', path: 'members' },
  { op: 'remove', path: 'members', value: null },
  { op: 'replace', path: 'members', value: [] },
  { op: 'replace', path: 'members', value: null },
  { op: 'replace', value: { members: [] } },
]) {
  test(`${JSON.stringify(operation)} empties a group`, () => {
    assert.deepEqual(memberChanges(operation), [{ kind: 'clear' }]);
  });
}

for (const operation of [
  { op: 'add', path: 'members', value: [] },
  { op: 'add', path: 'members', value: null },
  { op: 'remove', path: 'members', value: [] },
]) {
  test(`${JSON.stringify(operation)} changes no member`, () => {
    assert.deepEqual(memberChanges(operation), []);
  });
}

for (const value of [
  '',
  'u1',
  7,
  true,
  {},
  ['u1'],
  [{}],
  [null],
  [{ value: '' }],
  [{ display: 'Ann' }],
]) {
  for (const op of ['add', 'replace', 'remove']) {
    test(`${op} of members ${JSON.stringify(value)} is refused`, () => {
      const { scimType } = refusal(() => memberChanges({ op, path: 'members', value }));
      assert.equal(scimType, 'invalidValue');
    });
  }
}

test('a value path of members that names one adds it', () => {
  const expected = [{ kind: 'add', ids: ['u1'] }];
  assert.deepEqual(
    memberChanges({ op: 'add', path: 'members[value eq "u1"]', value: {} }),
    expected,
  );
  const value = { value: 'u1', type: 'User' };
  assert.deepEqual(
    memberChanges({ op: 'replace', path: 'members[value eq "u1"]', value }),
    expected,
  );
});

for (const [op, path, value] of [
  ['replace', 'members[value eq "u1"]', { value: 'u2' }],
  ['replace', 'members[value eq "u1"].value', 'u2'],
  ['replace', 'members.value', 'u2'],
  ['add', 'members[type eq "User"]', { value: 'u2' }],
  ['remove', 'members[value eq "u1"].value', undefined],
] as const) {
  test(`${op} ${path} is refused: members are added and removed`, () => {
    assert.equal(refusal(() => memberChanges({ op, path, value })).scimType, 'mutability');
  });
}

test('the name and the id of a member cannot be assigned', () => {
  const operation = { op: 'replace', path: 'members[value eq "u1"].display', value: 'Ann' };
  assert.equal(refusal(() => memberChanges(operation)).scimType, 'mutability');
});

test('a filter by anything but ids selects members when the change is made', () => {
  const [change] = memberChanges({
    op: 'remove',
    path: 'members[type eq "group" or value eq "u2"]',
  });
  assert.ok(change?.kind === 'removeMatching');
  const members = [
    { id: 'u1', type: 'User', display: 'Ann' },
    { id: 'u2', type: 'User', display: null },
    { id: 'g1', type: 'Group', display: 'Guides' },
  ] as const;
  assert.deepEqual(selectMembers(change.filter, members), ['u2', 'g1']);
});

test('a list of 10,000 members is one change', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `u${index}`);
  const value = ids.map((id) => ({ value: id }));
  assert.deepEqual(memberChanges({ op: 'replace', path: 'members', value }), [
    { kind: 'replace', ids },
  ]);
});

test('a group keeps its name, and loses its externalId by ""', () => {
  assert.equal(
    refusal(() => patchedGroup({ op: 'remove', path: 'displayName' })).scimType,
    'mutability',
  );
  assert.equal(patchedGroup({ op: 'replace', path: 'externalId', value: '' }).externalId, null);
});
