import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGroupInput, toUserInput } from '../../src/resources/input.ts';
import type { JsonObject } from '../../src/schemas/types.ts';
import { ENTERPRISE, refusal, SERVICE } from '../patch/people.ts';

const EMAILS = [{ value: 'ann@example.com', type: 'work', primary: true }];

function userOf(body: JsonObject) {
  return toUserInput({ userName: 'ann@example.com', emails: EMAILS, ...body });
}

function attributesOf(body: JsonObject): JsonObject {
  const { emails: _, ...others } = userOf(body).attributes;
  return others;
}

function userRefusal(body: unknown) {
  return refusal(() => toUserInput(body));
}

test('a user that Entra ID creates is read whole', () => {
  const input = toUserInput({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee@example.com',
    active: true,
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@example.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  });
  assert.deepEqual(input, {
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee@example.com',
    active: true,
    attributes: {
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      emails: [{ value: 'Test_User_fd0ea19b@example.com', type: 'work', primary: true }],
    },
  });
});

test('active may be a list of one truth value, and nothing else in a list', () => {
  assert.deepEqual(
    [userOf({ active: [false] }).active, userOf({ active: ['True'] }).active],
    [false, true],
  );
  for (const active of [[], [true, false], [null], [[true]], [{ value: true }], ['no']]) {
    const { scimType, detail } = userRefusal({ userName: 'a@b', emails: EMAILS, active });
    assert.deepEqual(
      [scimType, detail],
      ['invalidValue', 'invalid user attributes: active must be true or false'],
    );
  }
});

test('names of attributes, sub-attributes and extensions may have any letter case', () => {
  const { emails: _, ...attributes } = toUserInput({
    USERNAME: 'ann@example.com',
    Emails: [{ VALUE: 'ann@example.com', Type: 'work', Primary: 'True' }],
    NAME: { GivenName: 'Ann' },
    [ENTERPRISE.toUpperCase()]: { Department: 'R&D', Manager: { Value: '42' } },
  }).attributes;
  assert.deepEqual(attributes, {
    name: { givenName: 'Ann' },
    [ENTERPRISE]: { department: 'R&D', manager: { value: '42' } },
  });
});

test('"" and null are no value, in complex, multi-valued and extension attributes too', () => {
  const body = {
    title: '',
    nickName: null,
    externalId: '',
    name: { givenName: '', familyName: null },
    phoneNumbers: [{ type: 'fax', value: '' }, null, { type: 'work', value: null, primary: true }],
    addresses: [],
    ims: null,
    roles: '',
    [ENTERPRISE]: { department: '', manager: '' },
    [SERVICE]: null,
  };
  assert.deepEqual(attributesOf(body), {});
  assert.equal(userOf(body).externalId, null);
});

test('read-only attributes, the password and unknown attributes and schemas are ignored', () => {
  const attributes = attributesOf({
    schemas: ['urn:example:unknown'],
    id: 'mine',
    meta: { created: 'yesterday' },
    groups: [{ value: 'g' }],
    password: 'secret',
    favouriteColour: 'blue',
    constructor: 'of bridges',
    toString: 'x',
    name: { givenName: 'Ann', shoeSize: 44, hasOwnProperty: 1 },
    'urn:example:unknown': { a: 1 },
    [ENTERPRISE]: { manager: { value: '42', displayName: 'Bob' }, unknown: true },
  });
  assert.deepEqual(attributes, {
    name: { givenName: 'Ann' },
    [ENTERPRISE]: { manager: { value: '42' } },
  });
});

for (const [name, poisoned] of Object.entries({
  'in a resource': { constructor: { prototype: { isAdmin: true } } },
  'in an attribute': { name: { constructor: { prototype: {} } } },
  'as a path': { 'constructor.prototype.isAdmin': true },
  'as __proto__': JSON.parse('{"name": {"__proto__": {"isAdmin": true}}}'),
})) {
  test(`the prototype of objects ${name} is invalidSyntax`, () => {
    const { scimType, detail } = userRefusal({ userName: 'ann@example.com', ...poisoned });
    assert.equal(scimType, 'invalidSyntax');
    assert.match(detail, /is not an allowed member name$/);
    assert.equal(({} as { isAdmin?: unknown }).isAdmin, undefined);
  });
}

for (const [text, value] of [
  ['True', true],
  ['false', false],
  ['FALSE', false],
] as const) {
  test(`active "${text}" of a body is ${value}`, () => {
    assert.equal(userOf({ active: text }).active, value);
  });
}

test('active that a body does not name is null, so that a PUT keeps it', () => {
  assert.equal(userOf({}).active, null);
});

for (const active of ['', null, 'no', 0, {}]) {
  test(`active ${JSON.stringify(active)} is refused`, () => {
    const { scimType, detail } = refusal(() => userOf({ active }));
    assert.equal(scimType, 'invalidValue');
    assert.equal(detail, 'invalid user attributes: active must be true or false');
  });
}

test('manager may be an id, an object, or an array of one', () => {
  const expected = { [ENTERPRISE]: { manager: { value: '42' } } };
  for (const manager of ['42', { value: '42' }, [{ value: '42' }], ['42']]) {
    assert.deepEqual(attributesOf({ [ENTERPRISE]: { manager } }), expected);
  }
});

test('multi-valued attributes take one value without an array, and texts for their values', () => {
  assert.deepEqual(userOf({ emails: { value: 'a@example.com' } }).attributes.emails, [
    { value: 'a@example.com', primary: true },
  ]);
  assert.deepEqual(userOf({ emails: ['a@example.com', { value: 'b@example.com' }] }).attributes, {
    emails: [{ value: 'a@example.com', primary: true }, { value: 'b@example.com' }],
  });
  assert.deepEqual(attributesOf({ [SERVICE]: { roles: 'admin' } }), {
    [SERVICE]: { roles: ['admin'] },
  });
});

test('the first e-mail is primary unless one says whether it is', () => {
  const [a, b] = [{ value: 'a@example.com' }, { value: 'b@example.com' }];
  assert.deepEqual(userOf({ emails: [a, b] }).attributes.emails, [{ ...a, primary: true }, b]);
  const stated = [a, { ...b, primary: false }];
  assert.deepEqual(userOf({ emails: stated }).attributes.emails, stated);
});

test('a repeated value is kept once', () => {
  const work = { value: '1', type: 'work' };
  const attributes = attributesOf({
    phoneNumbers: [work, { value: '1', type: 'home' }, { ...work, display: 'Office' }],
    [SERVICE]: { roles: ['admin', 'admin'] },
  });
  assert.deepEqual(attributes, {
    phoneNumbers: [
      { value: '1', type: 'work', display: 'Office' },
      { value: '1', type: 'home' },
    ],
    [SERVICE]: { roles: ['admin'] },
  });
});

test('forms of values are not checked: random words in every attribute are kept', () => {
  const body = {
    profileUrl: 'SRJZMDKNNUYN',
    locale: 'KQUIXOKQ',
    preferredLanguage: 'de_AT',
    timezone: 'WQAVNVOT',
    photos: [{ value: 'no uri', type: 'x' }],
    x509Certificates: [{ value: 'not base64' }],
    addresses: [{ formatted: 'QKXJ', type: 'zzz', primary: true }],
  };
  assert.deepEqual(attributesOf(body), body);
  assert.deepEqual(userOf({ emails: ['not an address'] }).attributes.emails, [
    { value: 'not an address', primary: true },
  ]);
});

test('names with control and direction marks are kept as they are', () => {
  assert.deepEqual(attributesOf({ displayName: 'A\u202en\tn' }), { displayName: 'A\u202en\tn' });
});

const faults: ReadonlyArray<readonly [string, JsonObject, string]> = [
  ['without userName', { userName: null }, 'userName is missing'],
  ['without e-mails', { emails: null }, 'emails is missing'],
  ['with e-mails that have no value', { emails: [{ type: 'work' }] }, 'emails is missing'],
  [
    'with an e-mail that has a display name only',
    { emails: [{ display: 'Ann' }] },
    'emails[0].value is missing',
  ],
  ['with a userName that is no address', { userName: 'ann' }, 'userName must be an e-mail address'],
  ['with a number for a text', { title: 7 }, 'title must be a text'],
  ['with an object for a text', { name: { givenName: {} } }, 'name.givenName must be a text'],
  ['with a text for an object', { name: 'Ann' }, 'name must be an object'],
  ['with a text for an extension', { [ENTERPRISE]: 'x' }, `${ENTERPRISE} must be an object`],
  [
    'with a number in an extension',
    { [ENTERPRISE]: { department: 1 } },
    `${ENTERPRISE}:department must be a text`,
  ],
  [
    'with a text for primary',
    { emails: [{ value: 'a@example.com', primary: 'yes' }] },
    'emails[0].primary must be true or false',
  ],
  [
    'with two primary values',
    {
      roles: [
        { value: 'a', primary: true },
        { value: 'b', primary: 'True' },
      ],
    },
    'roles must have at most one primary value',
  ],
  ['with a name given twice', { title: 'a', Title: 'b' }, 'Title is given twice'],
  [
    'with several managers',
    { [ENTERPRISE]: { manager: ['1', '2'] } },
    `${ENTERPRISE}:manager must be an object`,
  ],
  [
    'with a very long externalId',
    { externalId: 'x'.repeat(513) },
    'externalId must have at most 512 characters',
  ],
  [
    'with too many values',
    { ims: Array.from({ length: 1_001 }, (_, index) => ({ value: String(index) })) },
    'ims must have at most 1000 values',
  ],
];

for (const [what, body, message] of faults) {
  test(`a user ${what} is refused with the name of the attribute`, () => {
    const { scimType, detail } = refusal(() => userOf(body));
    assert.deepEqual(
      { scimType, detail },
      {
        scimType: 'invalidValue',
        detail: `invalid user attributes: ${message}`,
      },
    );
  });
}

test('every fault of a user is named at once', () => {
  const { detail } = userRefusal({ userName: 'ann', title: 1, name: 2 });
  for (const name of ['userName', 'title', 'name', 'emails'])
    assert.ok(detail.includes(`${name} `));
});

for (const body of [null, [], 'text', 7]) {
  test(`a body ${JSON.stringify(body)} is invalidSyntax`, () => {
    assert.equal(userRefusal(body).scimType, 'invalidSyntax');
  });
}

test('a resource of more than a million characters is refused', () => {
  assert.match(refusal(() => userOf({ title: 'x'.repeat(1_100_000) })).detail, /in total/);
});

test('a group is read with the ids of its members, each once', () => {
  assert.deepEqual(
    toGroupInput({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Tour Guides',
      Members: [{ value: 'u1', display: 'Ann' }, { Value: 'u2', $ref: null }, { value: 'u1' }],
    }),
    {
      displayName: 'Tour Guides',
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      attributes: {},
      members: ['u1', 'u2'],
    },
  );
});

test('members that a body does not name are null, so that a PUT keeps them; [] and null empty', () => {
  assert.equal(toGroupInput({ displayName: 'A' }).members, null);
  assert.deepEqual(toGroupInput({ displayName: 'A', members: [] }).members, []);
  assert.deepEqual(toGroupInput({ displayName: 'A', members: null }).members, []);
});

for (const members of [
  '',
  'u1',
  7,
  false,
  {},
  ['u1'],
  [{}],
  [null],
  [{ value: '' }],
  [{ value: 7 }],
]) {
  test(`members ${JSON.stringify(members)} are refused and never empty a group`, () => {
    const { scimType, detail } = refusal(() => toGroupInput({ displayName: 'A', members }));
    assert.equal(scimType, 'invalidValue');
    assert.match(detail, /^invalid group attributes: members/);
  });
}

test('a group without displayName is refused', () => {
  assert.equal(
    refusal(() => toGroupInput({ members: [] })).detail,
    'invalid group attributes: displayName is missing',
  );
});

test('an attribute beside and below the URN of its schema is given twice', () => {
  const schema = 'urn:ietf:params:scim:schemas:core:2.0:User';
  const { scimType, detail } = userRefusal({
    userName: 'ann@example.com',
    emails: EMAILS,
    [schema]: { USERNAME: 'bob@example.com' },
  });
  assert.equal(scimType, 'invalidValue');
  assert.match(detail, /core:2\.0:User:username is given twice/);
});
