import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUIRKS } from '../../src/patch/quirks.ts';
import { toUserInput } from '../../src/resources/input.ts';
import type { JsonObject } from '../../src/schemas/types.ts';
import {
  ENTERPRISE,
  memberChanges,
  patched,
  patchedAttributes,
  patchedGroup,
  refusal,
  userOf,
} from './people.ts';

/** A request of a provider, shaped as its documents or recordings show it, and what it shall lead to. */
interface Replay {
  readonly from: string;
  readonly does: string;
  readonly run: () => unknown;
  readonly expected: unknown;
}

const MANAGER = `${ENTERPRISE}:manager`;

const replays: Readonly<Record<keyof typeof QUIRKS, readonly Replay[]>> = {
  booleansAsText: [
    {
      from: 'Entra ID without aadOptscim062020',
      does: 'suspends by "False"',
      run: () => patched(userOf(), { op: 'Replace', path: 'active', value: 'False' }).active,
      expected: false,
    },
    {
      from: 'Entra ID without aadOptscim062020',
      does: 'gives access back by "True"',
      run: () =>
        patched({ ...userOf(), active: false }, { op: 'Replace', path: 'active', value: 'True' })
          .active,
      expected: true,
    },
    {
      from: 'Entra ID with aadOptscim062020',
      does: 'suspends by false',
      run: () => patched(userOf(), { op: 'replace', path: 'active', value: false }).active,
      expected: false,
    },
    {
      from: 'Okta',
      does: 'suspends by a value without path',
      run: () => patched(userOf(), { op: 'replace', value: { active: false } }).active,
      expected: false,
    },
    {
      from: 'Google',
      does: 'suspends by a PUT of the whole user',
      run: () =>
        toUserInput({
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          id: 'u1',
          userName: 'ann@example.com',
          name: { familyName: 'Lee', givenName: 'Ann' },
          emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
          active: false,
        }).active,
      expected: false,
    },
    {
      from: "Microsoft's Postman collections",
      does: 'creates a user with "True" for primary',
      run: () =>
        toUserInput({
          userName: 'ann@example.com',
          active: 'True',
          emails: [{ value: 'ann@example.com', Primary: 'True', type: 'work' }],
        }),
      expected: {
        userName: 'ann@example.com',
        externalId: null,
        active: true,
        attributes: { emails: [{ value: 'ann@example.com', type: 'work', primary: true }] },
      },
    },
    {
      from: 'Entra ID',
      does: 'sets the role chosen by primary eq "True"',
      run: () =>
        patchedAttributes(
          {},
          { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Admin' },
        ),
      expected: { roles: [{ primary: true, value: 'Admin' }] },
    },
  ],
  bareValue: [
    {
      from: 'Entra ID',
      does: 'adds a manager by its id',
      run: () => patchedAttributes({}, { op: 'Add', path: MANAGER, value: '26118915' }),
      expected: { [ENTERPRISE]: { manager: { value: '26118915' } } },
    },
    {
      from: 'Entra ID',
      does: 'replaces a manager by its id in a value without path',
      run: () =>
        patchedAttributes(
          { [ENTERPRISE]: { manager: { value: '1', $ref: '../Users/1' }, department: 'R&D' } },
          { op: 'replace', value: { [MANAGER]: '2' } },
        ),
      expected: { [ENTERPRISE]: { manager: { value: '2' }, department: 'R&D' } },
    },
    {
      from: "Microsoft's SCIM Validator",
      does: 'removes a manager by ""',
      run: () =>
        patchedAttributes(
          { [ENTERPRISE]: { manager: { value: '1' } } },
          { op: 'Replace', path: MANAGER, value: '' },
        ),
      expected: {},
    },
    {
      from: "Microsoft's SCIM Validator",
      does: 'removes a manager by an empty value',
      run: () =>
        patchedAttributes(
          { [ENTERPRISE]: { manager: { value: '1', $ref: '../Users/1' } } },
          { op: 'replace', path: MANAGER, value: { value: '' } },
        ),
      expected: {},
    },
    {
      from: 'WSO2 Identity Server',
      does: 'sends e-mails as texts among objects',
      run: () =>
        toUserInput({
          userName: 'ann@example.com',
          emails: ['ann@home.example', { type: 'work', value: 'ann@example.com', primary: true }],
        }).attributes.emails,
      expected: [
        { value: 'ann@home.example' },
        { value: 'ann@example.com', type: 'work', primary: true },
      ],
    },
  ],
  arrayOfOne: [
    {
      from: 'Entra ID',
      does: 'adds a manager as an array of one',
      run: () =>
        patchedAttributes({}, { op: 'Add', path: MANAGER, value: [{ value: '26118915' }] }),
      expected: { [ENTERPRISE]: { manager: { value: '26118915' } } },
    },
  ],
  oneOfMany: [
    {
      from: 'OneLogin',
      does: 'replaces the e-mails by one without an array',
      run: () =>
        patched(userOf(), {
          op: 'replace',
          value: { emails: { value: 'lee@example.com', type: 'work', primary: true } },
        }).attributes.emails,
      expected: [{ value: 'lee@example.com', type: 'work', primary: true }],
    },
    {
      from: 'a hand-written client',
      does: 'adds a member without an array',
      run: () => memberChanges({ op: 'add', path: 'members', value: { value: 'u1' } }),
      expected: [{ kind: 'add', ids: ['u1'] }],
    },
  ],
  operationCase: [
    {
      from: 'JumpCloud',
      does: 'replaces each attribute by its path',
      run: () =>
        patched(
          userOf({ name: { givenName: 'An', familyName: 'Le' } }),
          { op: 'replace', path: 'name.givenName', value: 'Ann' },
          { op: 'replace', path: 'name.familyName', value: 'Lee' },
          { op: 'replace', path: 'active', value: false },
        ),
      expected: {
        ...userOf({ name: { givenName: 'Ann', familyName: 'Lee' } }),
        active: false,
      },
    },
    {
      from: 'Entra ID',
      does: 'writes operations with a capital',
      run: () =>
        patchedAttributes(
          { title: 'old', nickName: 'An' },
          { op: 'Replace', path: 'title', value: 'Engineer' },
          { op: 'Add', path: 'userType', value: 'Employee' },
          { op: 'Remove', path: 'nickName' },
        ),
      expected: { title: 'Engineer', userType: 'Employee' },
    },
  ],
  operationMembers: [
    {
      from: 'Entra ID (old)',
      does: 'names operations and gives an id beside them',
      run: () =>
        memberChanges({ name: 'addMember', OP: 'Add', Path: 'members', VALUE: [{ value: 'u1' }] }),
      expected: [{ kind: 'add', ids: ['u1'] }],
    },
  ],
  pathsAsNames: [
    {
      from: 'Entra ID',
      does: 'names values by dotted and URN-prefixed paths',
      run: () =>
        patchedAttributes(
          { name: { familyName: 'Lee', formatted: 'Lee' } },
          {
            op: 'replace',
            value: {
              displayName: 'Ann Lee',
              'name.givenName': 'Ann',
              'name.formatted': 'Ann Lee',
              [`${ENTERPRISE}:department`]: 'R&D',
              [`${ENTERPRISE}:manager`]: '7',
            },
          },
        ),
      expected: {
        displayName: 'Ann Lee',
        name: { familyName: 'Lee', givenName: 'Ann', formatted: 'Ann Lee' },
        [ENTERPRISE]: { department: 'R&D', manager: { value: '7' } },
      },
    },
    {
      from: "Microsoft's SCIM Validator",
      does: 'names values by value paths',
      run: () =>
        patchedAttributes(
          {},
          {
            op: 'add',
            value: {
              'addresses[type eq "work"].country': 'DE',
              'phoneNumbers[type eq "fax"].value': '',
            },
          },
        ),
      expected: { addresses: [{ type: 'work', country: 'DE' }] },
    },
    {
      from: 'a client with attributes of its own',
      does: 'replaces attributes by a value without path',
      run: () =>
        patchedAttributes(
          { title: 'Guide' },
          {
            op: 'replace',
            value: { name: { givenName: 'Ann' }, title: null, unknownAttribute: 'x' },
          },
        ),
      expected: { name: { givenName: 'Ann' } },
    },
  ],
  readOnlyAmongValues: [
    {
      from: 'Okta',
      does: 'renames a group and repeats its id',
      run: () =>
        patchedGroup({
          op: 'replace',
          value: { id: 'abf4dd94-a4c0-4f67-89c9-76b03340cb9b', displayName: 'Test SCIMv2' },
        }).displayName,
      expected: 'Test SCIMv2',
    },
    {
      from: 'authentik',
      does: 'replaces a whole group with its schemas and id',
      run: () =>
        patchedGroup({
          op: 'replace',
          value: {
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
            id: 'g1',
            externalId: 'g-2',
            displayName: 'Guides',
          },
        }),
      expected: { displayName: 'Guides', externalId: 'g-2', attributes: {} },
    },
  ],
  removalByValue: [
    {
      from: 'Entra ID without aadOptscim062020',
      does: 'removes members by a list',
      run: () =>
        memberChanges({ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'u1' }] }),
      expected: [{ kind: 'remove', ids: ['u1'] }],
    },
    {
      from: 'Entra ID with aadOptscim062020',
      does: 'removes a member by a filter',
      run: () => memberChanges({ op: 'remove', path: 'members[value eq "u1"]' }),
      expected: [{ kind: 'remove', ids: ['u1'] }],
    },
    {
      from: 'JumpCloud',
      does: 'removes members by a list',
      run: () =>
        memberChanges({ op: 'remove', path: 'members', value: [{ value: 'u1' }, { value: 'u2' }] }),
      expected: [{ kind: 'remove', ids: ['u1', 'u2'] }],
    },
    {
      from: 'authentik',
      does: 'sends one operation for each member',
      run: () =>
        memberChanges(
          { op: 'add', path: 'members', value: [{ value: 'u1' }] },
          { op: 'add', path: 'members', value: [{ value: 'u2' }] },
          { op: 'remove', path: 'members', value: [{ value: 'u3' }] },
        ),
      expected: [
        { kind: 'add', ids: ['u1', 'u2'] },
        { kind: 'remove', ids: ['u3'] },
      ],
    },
    {
      from: 'Okta',
      does: 'replaces all members by none when a group is pushed',
      run: () => memberChanges({ op: 'replace', path: 'members', value: [] }),
      expected: [{ kind: 'clear' }],
    },
    {
      from: 'PingOne',
      does: 'replaces the members by a list',
      run: () => memberChanges({ op: 'replace', path: 'members', value: [{ value: 'u1' }] }),
      expected: [{ kind: 'replace', ids: ['u1'] }],
    },
  ],
  valuePathCreates: [
    {
      from: 'Entra ID',
      does: 'adds the value of a type that the user does not have',
      run: () =>
        patched(userOf(), {
          op: 'Add',
          path: 'emails[type eq "home"].value',
          value: 'ann@home.example',
        }).attributes.emails,
      expected: [
        { value: 'ann@example.com', type: 'work', primary: true },
        { value: 'ann@home.example', type: 'home' },
      ],
    },
    {
      from: "Microsoft's SCIM Validator",
      does: 'replaces several sub-attributes of an address that the user does not have',
      run: () =>
        patchedAttributes(
          {},
          { op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: 'Ring 1' },
          { op: 'replace', path: 'addresses[type eq "work"].country', value: 'AT' },
        ),
      expected: { addresses: [{ streetAddress: 'Ring 1', country: 'AT', type: 'work' }] },
    },
    {
      from: "the Entra gallery's validation",
      does: 'replaces a value that is not there by "" and null, which creates nothing',
      run: () =>
        patchedAttributes(
          {},
          { op: 'replace', path: 'phoneNumbers[type eq "fax"].value', value: '' },
          { op: 'replace', path: 'phoneNumbers[type eq "mobile"].value', value: null },
        ),
      expected: {},
    },
  ],
};

for (const [name, ofQuirk] of Object.entries(replays)) {
  for (const { from, does, run, expected } of ofQuirk) {
    test(`${name}: ${from} ${does}`, () => {
      assert.deepEqual(run(), expected);
    });
  }
}

test('every quirk says who sends it and where that is seen', () => {
  for (const [name, { clients, source, sends }] of Object.entries(QUIRKS)) {
    assert.ok(clients.length > 0 && source !== '' && sends.includes('{'), name);
  }
});

test('the Entra gallery\'s null test empties every optional attribute, by "" and by null', () => {
  const full: JsonObject = {
    displayName: 'a',
    title: 'b',
    name: { givenName: 'c', familyName: 'd', formatted: 'e' },
    addresses: [{ type: 'work', formatted: 'f', country: 'g' }],
    phoneNumbers: [
      { type: 'work', value: '1' },
      { type: 'fax', value: '2', primary: true },
    ],
    [ENTERPRISE]: { department: 'h', manager: { value: 'i' } },
  };
  const paths = [
    'displayName',
    'title',
    'externalId',
    'name.givenName',
    'name.familyName',
    'name.formatted',
    'addresses[type eq "work"].formatted',
    'addresses[type eq "work"].country',
    'phoneNumbers[type eq "work"].value',
    'phoneNumbers[type eq "fax"].value',
    `${ENTERPRISE}:department`,
    `${ENTERPRISE}:manager`,
  ];
  for (const value of ['', null]) {
    const operations = paths.map((path) => ({ op: 'Replace', path, value }));
    const { attributes, externalId } = patched(userOf(full), ...operations);
    assert.deepEqual(attributes, userOf().attributes);
    assert.equal(externalId, null);
  }
});

const refusedShapes: ReadonlyArray<readonly [string, unknown, string]> = [
  ['an unknown operation', { op: 'merge', path: 'title', value: 'x' }, 'invalidSyntax'],
  ['no operation name', { path: 'title', value: 'x' }, 'invalidSyntax'],
  ['an unknown path', { op: 'replace', path: 'shoeSize', value: 'x' }, 'invalidPath'],
  ['a path that is no text', { op: 'replace', path: ['title'], value: 'x' }, 'invalidPath'],
  ['a broken path', { op: 'replace', path: 'emails[type eq "work"', value: 'x' }, 'invalidFilter'],
  [
    'an enterprise attribute after a dot',
    { op: 'add', path: `${ENTERPRISE}.manager`, value: 'x' },
    'invalidPath',
  ],
  ['the same as a name', { op: 'add', value: { [`${ENTERPRISE}.manager`]: 'x' } }, 'invalidPath'],
  [
    'an unknown attribute of a known schema',
    { op: 'add', path: `${ENTERPRISE}:x`, value: 'x' },
    'invalidPath',
  ],
  ['a removal without path', { op: 'remove', value: { title: 'x' } }, 'noTarget'],
  ['no value', { op: 'replace', path: 'title' }, 'invalidValue'],
  ['a text for a value without path', { op: 'replace', value: 'x' }, 'invalidValue'],
  ['a removal of active', { op: 'remove', path: 'active' }, 'mutability'],
  ['null for active', { op: 'replace', path: 'active', value: null }, 'invalidValue'],
  ['"" for active', { op: 'Replace', path: 'active', value: '' }, 'invalidValue'],
  ['null for active without path', { op: 'replace', value: { active: null } }, 'invalidValue'],
  ['a removal of userName', { op: 'remove', path: 'userName' }, 'mutability'],
  ['"" for userName', { op: 'replace', path: 'userName', value: '' }, 'mutability'],
  ['a removal of all e-mails', { op: 'remove', path: 'emails' }, 'mutability'],
  [
    'a userName that is no address',
    { op: 'replace', path: 'userName', value: 'ann' },
    'invalidValue',
  ],
  ['another id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
  ['groups of the user', { op: 'add', path: 'groups', value: [{ value: 'g' }] }, 'mutability'],
  [
    'the name of a manager',
    { op: 'add', path: `${MANAGER}.displayName`, value: 'x' },
    'mutability',
  ],
  [
    'a filter that describes no value',
    { op: 'replace', path: 'emails[type ne "work"].value', value: 'x' },
    'noTarget',
  ],
  [
    'a filter that contradicts itself',
    { op: 'add', path: 'ims[type eq "a" and type eq "b"].value', value: 'x' },
    'noTarget',
  ],
  [
    'a filter of alternatives',
    { op: 'add', path: 'ims[type eq "a" or type eq "b"].value', value: 'x' },
    'noTarget',
  ],
  ['a number for a text', { op: 'replace', path: 'name.givenName', value: 7 }, 'invalidValue'],
  ['a text for name', { op: 'replace', path: 'name', value: 'Ann' }, 'invalidValue'],
];

for (const [what, operation, expected] of refusedShapes) {
  test(`a PATCH of a user with ${what} is ${expected} and changes nothing`, () => {
    const valid = { op: 'replace', path: 'title', value: 'Engineer' };
    assert.equal(refusal(() => patched(userOf(), valid, operation)).scimType, expected);
  });
}

const ignored: ReadonlyArray<readonly [string, unknown]> = [
  ['a password', { op: 'replace', path: 'password', value: 'secret' }],
  [
    'a path into an unknown extension',
    { op: 'add', path: 'urn:example:ext:2.0:User:badge', value: '1' },
  ],
  ['an unknown extension', { op: 'add', value: { 'urn:example:ext:2.0:User': { badge: '1' } } }],
  [
    'unknown attributes',
    { op: 'add', value: { shoeSize: 44, 'name.shoe': 1, 'shoes[type eq "a"].b': 1 } },
  ],
  [
    'prototype names',
    { op: 'add', value: { constructor: { prototype: { x: 1 } }, toString: 'x' } },
  ],
  ['null added to several values', { op: 'add', path: 'emails', value: null }],
  ['a removal of what is not there', { op: 'remove', path: 'phoneNumbers[type eq "fax"]' }],
  ['a removal of an unassigned attribute', { op: 'remove', path: `${ENTERPRISE}:department` }],
];

for (const [what, operation] of ignored) {
  test(`a PATCH of a user with ${what} leaves everything as it was`, () => {
    assert.deepEqual(patched(userOf(), operation), userOf());
  });
}
