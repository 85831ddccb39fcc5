import { toGroupInput, toUserInput } from '../../src/resources/input.ts';
import { ENTERPRISE, memberChanges, patched, patchedAttributes, userOf } from './people.ts';
import type { Replays } from './replay.ts';

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const MANAGER = `${ENTERPRISE}:manager`;

/** Forms of values, in bodies and in PATCH operations. */
export const VALUE_REPLAYS = {
  roleAsJson: [
    {
      from: 'Entra ID with AppRoleAssignmentsComplex',
      does: 'adds a role as JSON in a text',
      run: () =>
        patchedAttributes(
          {},
          {
            op: 'add',
            path: 'roles',
            value: [{ value: '{"id":"06b0","value":"editor","displayName":"Editor"}' }],
          },
        ).roles,
      expected: [{ value: 'editor', display: 'Editor' }],
    },
  ],
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
  emptyText: [
    {
      from: "Microsoft's SCIM Validator",
      does: 'replaces a title by "" and a nickname by null',
      run: () =>
        patchedAttributes(
          { title: 'Guide', nickName: 'An' },
          { op: 'Replace', path: 'title', value: '' },
          { op: 'Replace', path: 'nickName', value: null },
        ),
      expected: {},
    },
    {
      from: "the Entra gallery's validation",
      does: 'creates a user whose externalId is ""',
      run: () =>
        toUserInput({
          userName: 'ann@example.com',
          externalId: '',
          emails: [{ value: 'ann@example.com' }],
        }).externalId,
      expected: null,
    },
  ],
  emptyList: [
    {
      from: 'Entra ID',
      does: 'creates a user with empty lists',
      run: () =>
        toUserInput({
          userName: 'ann@example.com',
          addresses: [],
          emails: [{ primary: true, type: 'work', value: 'ann@example.com' }],
          phoneNumbers: [],
          roles: [],
        }).attributes,
      expected: { emails: [{ value: 'ann@example.com', type: 'work', primary: true }] },
    },
    {
      from: 'a client that replaces values by none',
      does: 'removes all phone numbers, and adds none',
      run: () =>
        patchedAttributes(
          { phoneNumbers: [{ value: '1' }], ims: [{ value: 'ann' }] },
          { op: 'replace', path: 'phoneNumbers', value: [] },
          { op: 'add', path: 'ims', value: [] },
        ),
      expected: { ims: [{ value: 'ann' }] },
    },
    {
      from: 'Okta',
      does: 'creates a user with no groups',
      run: () =>
        toUserInput({
          userName: 'ann@example.com',
          emails: [{ primary: true, type: 'work', value: 'ann@example.com' }],
          groups: [],
        }).attributes,
      expected: { emails: [{ value: 'ann@example.com', type: 'work', primary: true }] },
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
  coreBelowUrn: [
    {
      from: 'scimverify',
      does: 'creates a user whose attributes are below the URN of their schema',
      run: () =>
        toUserInput({
          schemas: [USER_SCHEMA],
          [USER_SCHEMA]: { userName: 'ann@example.com', active: false },
          emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
        }),
      expected: {
        userName: 'ann@example.com',
        externalId: null,
        active: false,
        attributes: { emails: [{ value: 'ann@example.com', type: 'work', primary: true }] },
      },
    },
    {
      from: 'scimverify',
      does: 'creates a group whose attributes are below the URN of their schema',
      run: () =>
        toGroupInput({
          schemas: [GROUP_SCHEMA],
          [GROUP_SCHEMA]: { displayName: 'Guides', members: [{ value: 'u1' }] },
        }),
      expected: { displayName: 'Guides', externalId: null, attributes: {}, members: ['u1'] },
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
  activeInArray: [
    {
      from: 'a client of Apache Syncope',
      does: 'suspends by a list of one',
      run: () => patched(userOf(), { op: 'replace', path: 'active', value: [false] }).active,
      expected: false,
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
} satisfies Replays;
