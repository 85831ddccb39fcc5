import {
  ENTERPRISE,
  memberChanges,
  patched,
  patchedAttributes,
  patchedGroup,
  userOf,
} from './people.ts';
import type { Replays } from './replay.ts';

/** Forms of PATCH operations. */
export const OPERATION_REPLAYS = {
  unservedExtensions: [
    {
      from: 'Ping',
      does: 'sends an extension of its own',
      run: () => patchedAttributes({}, { op: 'add', value: { 'urn:ping': {}, title: 'x' } }),
      expected: { title: 'x' },
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
} satisfies Replays;
