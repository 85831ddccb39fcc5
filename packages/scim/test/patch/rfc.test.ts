import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/schemas/types.ts';
import {
  ENTERPRISE,
  memberChanges,
  patched,
  patchedAttributes,
  refusal,
  SERVICE,
  userOf,
} from './people.ts';

const home = { formatted: 'Home 1', type: 'home' };
const work = {
  formatted: 'Work 1',
  streetAddress: '100 Universal City Plaza',
  type: 'work',
  primary: true,
};

/** RFC 7644, section 3.5.2, and its examples: attributes before, operations, attributes afterwards. */
const cases: ReadonlyArray<readonly [string, JsonObject, readonly unknown[], JsonObject]> = [
  [
    'add without path assigns each attribute of the value',
    { title: 'Guide' },
    [{ op: 'add', value: { nickName: 'Babs', ims: [{ value: 'babs', type: 'xmpp' }] } }],
    { title: 'Guide', nickName: 'Babs', ims: [{ value: 'babs', type: 'xmpp' }] },
  ],
  [
    'add to a complex attribute keeps the sub-attributes that are not named',
    { name: { familyName: 'Jensen', givenName: 'Barbara' } },
    [{ op: 'add', path: 'name', value: { givenName: 'Babs', middleName: 'J' } }],
    { name: { familyName: 'Jensen', givenName: 'Babs', middleName: 'J' } },
  ],
  [
    'replace of a complex attribute keeps the sub-attributes that are not named',
    { name: { familyName: 'Jensen', givenName: 'Barbara' } },
    [{ op: 'replace', path: 'name', value: { givenName: 'Babs', familyName: null } }],
    { name: { givenName: 'Babs' } },
  ],
  [
    'add to several values appends, and a value that is there is not repeated',
    { phoneNumbers: [{ value: '1', type: 'work' }] },
    [
      { op: 'add', path: 'phoneNumbers', value: [{ value: '2' }] },
      { op: 'add', path: 'phoneNumbers', value: [{ value: '1', type: 'work' }, { value: '2' }] },
    ],
    { phoneNumbers: [{ value: '1', type: 'work' }, { value: '2' }] },
  ],
  [
    'a value that becomes the primary one ends the former',
    { phoneNumbers: [{ value: '1', primary: true }, { value: '2' }] },
    [{ op: 'add', path: 'phoneNumbers', value: [{ value: '3', primary: true }] }],
    {
      phoneNumbers: [{ value: '1', primary: false }, { value: '2' }, { value: '3', primary: true }],
    },
  ],
  [
    'a value that is made primary through a filter ends the former',
    { phoneNumbers: [{ value: '1', primary: true }, { value: '2' }] },
    [{ op: 'replace', path: 'phoneNumbers[value eq "2"].primary', value: true }],
    {
      phoneNumbers: [
        { value: '1', primary: false },
        { value: '2', primary: true },
      ],
    },
  ],
  [
    'replace of several values replaces all of them',
    { phoneNumbers: [{ value: '1' }, { value: '2' }] },
    [{ op: 'replace', path: 'phoneNumbers', value: [{ value: '3' }] }],
    { phoneNumbers: [{ value: '3' }] },
  ],
  [
    'replace through a filter replaces the value that matches (example of addresses)',
    { addresses: [home, work] },
    [
      {
        op: 'replace',
        path: 'addresses[type eq "work"]',
        value: { type: 'work', streetAddress: '911 Universal City Plaza', locality: 'Hollywood' },
      },
    ],
    {
      addresses: [
        home,
        { streetAddress: '911 Universal City Plaza', locality: 'Hollywood', type: 'work' },
      ],
    },
  ],
  [
    'a value replaced through a filter stays one that matches it',
    { addresses: [home, work] },
    [{ op: 'replace', path: 'addresses[type eq "work"]', value: { locality: 'Hollywood' } }],
    { addresses: [home, { locality: 'Hollywood', type: 'work' }] },
  ],
  [
    'replace of a sub-attribute through a filter (example of streetAddress)',
    { addresses: [home, work] },
    [
      {
        op: 'replace',
        path: 'addresses[type eq "work"].streetAddress',
        value: '1010 Broadway Ave',
      },
    ],
    { addresses: [home, { ...work, streetAddress: '1010 Broadway Ave' }] },
  ],
  [
    'a sub-attribute without a filter is that of every value',
    { phoneNumbers: [{ value: '1' }, { value: '2' }] },
    [{ op: 'replace', path: 'phoneNumbers.display', value: 'x' }],
    {
      phoneNumbers: [
        { value: '1', display: 'x' },
        { value: '2', display: 'x' },
      ],
    },
  ],
  [
    'remove of an attribute, a sub-attribute, and all values',
    { title: 'a', name: { givenName: 'b', familyName: 'c' }, phoneNumbers: [{ value: '1' }] },
    [
      { op: 'remove', path: 'title' },
      { op: 'remove', path: 'name.givenName' },
      { op: 'remove', path: 'phoneNumbers' },
    ],
    { name: { familyName: 'c' } },
  ],
  [
    'remove through a filter, of a value and of a sub-attribute',
    {
      addresses: [home, work],
      phoneNumbers: [
        { value: '1', display: 'x' },
        { value: '2', display: 'y' },
      ],
    },
    [
      { op: 'remove', path: 'addresses[type eq "work"]' },
      { op: 'remove', path: 'phoneNumbers[value eq "2" and display eq "y"].display' },
    ],
    { addresses: [home], phoneNumbers: [{ value: '1', display: 'x' }, { value: '2' }] },
  ],
  [
    'the last sub-attribute that is removed removes the attribute',
    { name: { givenName: 'a' }, [ENTERPRISE]: { department: 'b' } },
    [
      { op: 'remove', path: 'name.givenName' },
      { op: 'remove', path: `${ENTERPRISE}:department` },
    ],
    {},
  ],
  [
    'remove of values by a list removes those, whatever their letter case',
    { phoneNumbers: [{ value: 'a', type: 'work' }, { value: 'B', display: 'x' }, { value: 'c' }] },
    [{ op: 'remove', path: 'phoneNumbers', value: [{ value: 'b' }, { value: 'a', type: 'home' }] }],
    { phoneNumbers: [{ value: 'a', type: 'work' }, { value: 'c' }] },
  ],
  [
    'attributes of extensions are named by URN, in any letter case',
    {},
    [
      { op: 'add', path: `${ENTERPRISE.toUpperCase()}:Department`, value: 'R&D' },
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:core:2.0:User:Name.FamilyName',
        value: 'Lee',
      },
      { op: 'add', path: `${SERVICE}:roles`, value: ['admin', 'member'] },
      { op: 'remove', path: `${SERVICE}:roles[value eq "admin"]` },
    ],
    {
      name: { familyName: 'Lee' },
      [ENTERPRISE]: { department: 'R&D' },
      [SERVICE]: { roles: ['member'] },
    },
  ],
  [
    'an extension is added and replaced by its URN, other attributes stay',
    { [ENTERPRISE]: { department: 'R&D', division: 'x' } },
    [
      {
        op: 'add',
        path: ENTERPRISE,
        value: { costCenter: '1', schemas: [ENTERPRISE], 'manager.value': '9' },
      },
      { op: 'replace', value: { [ENTERPRISE]: { division: 'y', department: '' } } },
    ],
    { [ENTERPRISE]: { costCenter: '1', division: 'y', manager: { value: '9' } } },
  ],
  [
    'an extension is removed by its URN',
    { title: 'a', [ENTERPRISE]: { department: 'R&D' } },
    [{ op: 'remove', path: ENTERPRISE }],
    { title: 'a' },
  ],
  [
    'operations see what earlier ones did',
    { title: 'a' },
    [
      { op: 'remove', path: 'title' },
      { op: 'add', path: 'ims[type eq "x"].value', value: '1' },
      { op: 'replace', path: 'ims[value eq "1"].display', value: 'one' },
    ],
    { ims: [{ value: '1', display: 'one', type: 'x' }] },
  ],
];

for (const [title, before, operations, after] of cases) {
  test(`PATCH: ${title}`, () => {
    assert.deepEqual(patchedAttributes(before, ...operations), after);
  });
}

test('a PATCH does not change the user that it is applied to', () => {
  const user = userOf({ addresses: [home, work], name: { givenName: 'a' } });
  const copy = structuredClone(user);
  patched(
    user,
    { op: 'remove', path: 'addresses[type eq "home"]' },
    { op: 'replace', path: 'addresses[type eq "work"].region', value: 'x' },
    { op: 'replace', path: 'name.givenName', value: 'b' },
    { op: 'replace', value: { userName: 'lee@example.com', active: false, externalId: null } },
  );
  assert.deepEqual(user, copy);
});

test('e-mails that are removed and added in one PATCH are replaced', () => {
  const emails = [{ value: 'lee@example.com' }];
  const { attributes } = patched(
    userOf(),
    { op: 'remove', path: 'emails' },
    { op: 'add', path: 'emails', value: emails },
  );
  assert.deepEqual(attributes, { emails });
});

test('a PATCH whose later operation fails is refused as a whole', () => {
  const operations = [
    { op: 'add', path: 'members', value: [{ value: 'u1' }] },
    { op: 'remove', path: 'nothing' },
  ];
  assert.equal(refusal(() => memberChanges(...operations)).scimType, 'invalidPath');
});

test('two values made primary by one operation are refused', () => {
  const ims = [
    { value: '1', type: 'a' },
    { value: '2', type: 'a' },
  ];
  const operation = { op: 'replace', path: 'ims[type eq "a"].primary', value: true };
  assert.equal(refusal(() => patched(userOf({ ims }), operation)).scimType, 'invalidValue');
});

test('the members of the group in the examples of RFC 7644 are added, removed and replaced', () => {
  const value = [
    { display: 'Babs Jensen', $ref: 'https://example.com/v2/Users/2819c223', value: '2819c223' },
  ];
  const ids = ['2819c223'];
  assert.deepEqual(memberChanges({ op: 'add', path: 'members', value }), [{ kind: 'add', ids }]);
  assert.deepEqual(memberChanges({ op: 'remove', path: 'members[value eq "2819c223"]' }), [
    { kind: 'remove', ids },
  ]);
  assert.deepEqual(
    memberChanges({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value }),
    [{ kind: 'clear' }, { kind: 'add', ids }],
  );
  assert.deepEqual(memberChanges({ op: 'replace', path: 'members', value }), [
    { kind: 'replace', ids },
  ]);
});

test('a user that was stored without what SCIM requires can be suspended and renamed', () => {
  const user = { userName: 'ann', externalId: null, active: true, attributes: { title: 'a' } };
  assert.deepEqual(patched(user, { op: 'replace', path: 'active', value: false }), {
    ...user,
    active: false,
  });
  const operation = { op: 'replace', path: 'userName', value: 'ann@example.com' };
  assert.equal(patched(user, operation).userName, 'ann@example.com');
});

test('e-mails that have lost their values are mutability', () => {
  const operation = { op: 'remove', path: 'emails[type eq "work"].value' };
  assert.equal(refusal(() => patched(userOf(), operation)).scimType, 'mutability');
});
