import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '../../src/index.ts';
import { GROUP, matches, parseFilter, parsePath, printFilter, USER } from '../../src/index.ts';

/** The structure of a filter, with single letters for the comparisons with that value. */
function shapeOf(filter: Filter): unknown {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { [filter.kind]: filter.filters.map(shapeOf) };
    case 'not':
      return { not: shapeOf(filter.filter) };
    case 'valuePath':
      return { [filter.path.attribute.name]: shapeOf(filter.filter) };
    case 'present':
      return `${(filter.path.subAttribute ?? filter.path.attribute).name} pr`;
    case 'compare':
      return filter.value;
  }
}

const t = (letter: string) => `title eq "${letter}"`;

const SHAPES: ReadonlyArray<readonly [string, string, unknown]> = [
  [
    'and binds more than or',
    `${t('a')} or ${t('b')} and ${t('c')}`,
    { or: ['a', { and: ['b', 'c'] }] },
  ],
  [
    'and binds more than a later or',
    `${t('a')} and ${t('b')} or ${t('c')}`,
    { or: [{ and: ['a', 'b'] }, 'c'] },
  ],
  ['brackets group', `(${t('a')} or ${t('b')}) and ${t('c')}`, { and: [{ or: ['a', 'b'] }, 'c'] }],
  [
    'terms of one operator are in one list',
    [t('a'), t('b'), t('c')].join(' and '),
    { and: ['a', 'b', 'c'] },
  ],
  ['brackets around one term mean nothing', `((${t('a')}))`, 'a'],
  [
    'not applies to its brackets only',
    `not (${t('a')}) and ${t('b')}`,
    { and: [{ not: 'a' }, 'b'] },
  ],
  ['not needs no space', `not(${t('a')})`, { not: 'a' }],
  ['not may be repeated', `not (not (${t('a')}))`, { not: { not: 'a' } }],
  [
    'operators have any case',
    `NOT (title EQ "a" AND title pR) Or title Ne "c"`,
    { or: [{ not: { and: ['a', 'title pr'] } }, 'c'] },
  ],
  [
    'white space may be more or less',
    `  (  ${t('a')}\tand\n(title  eq"b")  )  `,
    { and: ['a', 'b'] },
  ],
  [
    'value paths group',
    'emails[(type eq "a" or type eq "b") and not (value eq "c")]',
    { emails: { and: [{ or: ['a', 'b'] }, { not: 'c' }] } },
  ],
  ['value paths may contain spaces', 'emails [ type eq "a" ]', { emails: 'a' }],
  [
    'value paths stand beside other terms',
    `not (emails[type eq "a"]) and (ims[value pr] or ${t('c')})`,
    { and: [{ not: { emails: 'a' } }, { or: [{ ims: 'value pr' }, 'c'] }] },
  ],
  [
    "Entra ID's sub-attribute after a value path is within it",
    'emails[type eq "a"].value eq "b"',
    { emails: { and: ['a', 'b'] } },
  ],
  [
    'a sub-attribute after a value path may be asked for',
    'emails[type eq "a" or type eq "b"].Value PR and title pr',
    { and: [{ emails: { and: [{ or: ['a', 'b'] }, 'value pr'] } }, 'title pr'] },
  ],
];

for (const [name, text, expected] of SHAPES) {
  test(`in filters, ${name}`, () => assert.deepEqual(shapeOf(parseFilter(text, USER)), expected));
}

const TEXTS: Readonly<Record<string, string>> = {
  '"a \\"quoted\\" word"': 'a "quoted" word',
  '"back\\\\slash"': 'back\\slash',
  '"ends with a backslash\\\\"': 'ends with a backslash\\',
  '"\\u00e9\\n\\t\\/"': 'é\n\t/',
  '"\\uD83D\\uDE00"': '😀',
  '"😀 ü \'"': "😀 ü '",
  '"] and (title pr) or \\" ["': '] and (title pr) or " [',
  '"%_*.+?^$()|[]{}"': '%_*.+?^$()|[]{}',
  '""': '',
};

for (const [quoted, value] of Object.entries(TEXTS)) {
  test(`the filter value ${quoted} is read as JSON`, () => {
    const filter = parseFilter(`title eq ${quoted} and title pr`, USER);
    assert.deepEqual(shapeOf(filter), { and: [value, 'title pr'] });
    assert.equal(matches(filter, { title: value }), true);
    assert.equal(matches(filter, { title: `${value}x` }), false);
  });
}

const PATHS: ReadonlyArray<readonly [string, string | null]> = [
  ['USERNAME', 'userName'],
  ['NAME.familyname', 'name.familyName'],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName', 'userName'],
  ['URN:IETF:params:SCIM:schemas:core:2.0:user:Name.FAMILYNAME', 'name.familyName'],
  ['urn:ietf:params:scim:schemas:core:2.0:User:meta.created', 'meta.created'],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:DEPARTMENT', 'department'],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.$REF', 'manager.$ref'],
  ['urn:service:params:scim:schemas:extension:1.0:Roles', 'roles'],
  ['externalid', 'externalId'],
  ['ID', 'id'],
  ['Schemas', 'schemas'],
  ['members', null],
  ['department', null],
  ['urn:ietf:params:scim:schemas:core:2.0:Group:displayName', null],
  ['urn:ietf:params:scim:schemas:core:2.0:User', null],
  ['urn:ietf:params:scim:schemas:core:2.0:User.userName', null],
  ['urn:other:User:userName', null],
  ['name.', null],
  ['.familyName', null],
  ['name.familyName.x', null],
  ['userName.value', null],
  ['name familyName', null],
  ['__proto__', null],
  ['constructor', null],
  ['name.__proto__', null],
  ['nic\u212aName', null],
  ['', null],
];

for (const [text, expected] of PATHS) {
  test(`the path ${JSON.stringify(text)} of a user is ${expected ?? 'unknown'}`, () => {
    const path = parsePath(text, USER);
    const names = path && [path.attribute.name, path.subAttribute?.name].filter((name) => name);
    assert.equal(names?.join('.') ?? null, expected);
    const extended = text.toLowerCase().includes('extension') && expected !== null;
    assert.equal(path?.extension != null, extended);
  });
}

test('groups have their own attributes', () => {
  const body = { displayName: 'Tour Guides', members: [{ value: 'a' }] };
  assert.equal(matches(parseFilter('DisplayName eq "tour guides"', GROUP), body), true);
  assert.equal(matches(parseFilter('members[value eq "a"]', GROUP), body), true);
  assert.equal(matches(parseFilter('members.value eq "A"', GROUP), body), false);
  assert.throws(() => parseFilter('userName eq "a"', GROUP), /Group has no attribute "userName"/);
});

/** Filters that are not understood, with the part of the error's detail that says why. */
const MALFORMED: Readonly<Record<string, RegExp>> = {
  '': /needs an attribute instead of the end/,
  '   ': /needs an attribute instead of the end/,
  userName: /needs an operator .* instead of the end/,
  'userName eq': /needs a value .* instead of the end/,
  "userName eq 'bjensen'": /needs a value .* instead of "'bjensen'" \(character 13\)/,
  'userName eq Barbara Jensen': /and, or, or its end instead of "Jensen"/,
  'userName eq and title pr': /needs a value .* instead of "and"/,
  'userName eq or': /needs a value/,
  'userName eq not': /needs a value/,
  'userName eq pr': /needs a value/,
  'userName eq co "x"': /needs a value/,
  'userName eq a,b': /needs a value/,
  'userName eq a\\b': /needs a value/,
  'userName eq a=b': /needs a value/,
  'emails[type eq "x"] pr': /and, or, or its end instead of "pr"/,
  'userName eq "bjensen': /quote is not closed: " \\"bjensen"/,
  'userName eq "a\\"': /quote is not closed/,
  'userName eq "\\x"': /not a JSON string/,
  'userName eq "\\u12"': /not a JSON string/,
  'userName eq "a\nb"': /not a JSON string/,
  'userName eq "\\u0000"': /U\+0000/,
  'userName eq "\\ud800"': /surrogate/,
  'userName eq "\ud800"': /surrogate/,
  'userName is "x"': /operator .* instead of "is" \(character 10\)/,
  'userName = "x"': /operator/,
  'userName eq "x" "y"': /needs and, or, or its end instead of "y"/,
  'userName eq "x" userName': /needs and, or, or its end/,
  'userName eq "x" and': /needs an attribute instead of the end/,
  'or userName eq "x"': /no attribute "or"/,
  'userName eq "x" and or title pr': /no attribute "or"/,
  'userName eq "x" xor title pr': /and, or, or its end instead of "xor"/,
  '(userName eq "x"': /needs "\)" instead of the end/,
  'userName eq "x")': /and, or, or its end instead of "\)"/,
  '(userName eq "x"]': /needs "\)" instead of "\]"/,
  'emails[type eq "x"': /needs "\]" instead of the end/,
  'emails[type eq "x")': /needs "\]"/,
  'emails[]': /needs an attribute instead of "\]"/,
  '()': /needs an attribute/,
  'emails[type eq "x"] value pr': /and, or, or its end/,
  'emails[type eq "x"].value': /operator .* instead of the end/,
  'emails[type eq "x"].foo eq "y"': /emails has no sub-attribute "foo"/,
  'emails[type[value eq "x"]]': /emails.type has no sub-attributes/,
  'emails[emails[type eq "x"]]': /no sub-attribute "emails"/,
  'emails[emails.type eq "x"]': /no sub-attribute "emails.type"/,
  'not userName eq "x"': /needs "\(" after not/,
  not: /needs "\(" after not/,
  '"userName" eq "x"': /needs an attribute/,
  'foo eq "x"': /User has no attribute "foo"/,
  'userName.foo eq "x"': /no attribute "userName.foo"/,
  'urn:x:userName eq "x"': /no attribute "urn:x:userName"/,
  '__proto__ pr': /no attribute "__proto__"/,
  'title eq ["x"]': /needs a value/,
  'title eq {}': /needs a value/,
};

for (const [filter, message] of Object.entries(MALFORMED)) {
  test(`the filter ${JSON.stringify(filter)} is refused with the reason`, () => {
    assert.throws(() => parseFilter(filter, USER), {
      kind: 'invalid_request',
      reason: 'invalidFilter',
      message,
    });
  });
}

test("a refusal's detail repeats at most 60 characters of the filter", () => {
  const name = 'x'.repeat(3_000);
  assert.throws(
    () => parseFilter(`${name} pr`, USER),
    (error: Error) => error.message.length < 120,
  );
});

/** Filters as identity providers send or document them, and the equal filter of the RFC. */
const PROVIDERS: ReadonlyArray<readonly [string, typeof USER, string, string]> = [
  [
    'Entra ID matches by work address',
    USER,
    'emails[type eq "work"].value eq "a@b.test"',
    'emails[type eq "work" and value eq "a@b.test"]',
  ],
  [
    'Microsoft documented a value path with a comparison (azure-docs #83855)',
    USER,
    'emails[type eq "work"] eq "a@b.test"',
    'emails[type eq "work" and value eq "a@b.test"]',
  ],
  [
    'Microsoft documents identifiers without quotes (langwatch #6973)',
    USER,
    'externalId eq jyoung',
    'externalId eq "jyoung"',
  ],
  [
    'Entra ID asks whether a group has a member',
    GROUP,
    'id eq 6c5bb468-14b2 and members eq "f648f8d5ea4e4cd38e9c"',
    'id eq "6c5bb468-14b2" and members eq "f648f8d5ea4e4cd38e9c"',
  ],
  [
    'authentik sends names without quotes (authentik #16455)',
    USER,
    'userName eq akadmin',
    'userName eq "akadmin"',
  ],
  [
    'an Entra guest without quotes',
    USER,
    "userName eq o'hara_corp.test#EXT#@tenant.test",
    'userName eq "o\'hara_corp.test#EXT#@tenant.test"',
  ],
  ['digits without quotes are a text', USER, 'externalId eq 007', 'externalId eq "007"'],
  [
    'a time without quotes',
    USER,
    'meta.lastModified gt 2011-05-13T04:42:34Z',
    'meta.lastModified gt "2011-05-13T04:42:34.000Z"',
  ],
  ['a type without quotes', USER, 'emails[type eq work]', 'emails[type eq "work"]'],
  [
    'Okta looks up names',
    USER,
    'userName eq "test.user@okta.local"',
    'userName eq "test.user@okta.local"',
  ],
  ['OneLogin looks up names', USER, 'userName Eq "a@b.test"', 'userName eq "a@b.test"'],
  ['booleans in quotes', USER, 'active eq "False"', 'active eq false'],
];

for (const [name, type, sent, meant] of PROVIDERS) {
  test(`filters of providers: ${name}`, () => {
    assert.equal(printFilter(parseFilter(sent, type)), meant);
  });
}
