import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/index.ts';
import { GROUP, matches, parseFilter, parsePatchPath, USER } from '../../src/index.ts';
import { ENTERPRISE_USER, FULL_USER, TOUR_GUIDES } from '../examples.ts';

/** Users that the filters of RFC 7644, figure 2, tell apart. */
const USERS: Readonly<Record<string, JsonObject>> = {
  barbara: { ...FULL_USER, userName: 'bjensen' },
  enterprise: { ...ENTERPRISE_USER, userName: 'enterprise' },
  james: {
    userName: 'James',
    userType: 'Intern',
    name: { familyName: "O'Malley" },
    emails: [{ type: 'home', value: 'james@example.org' }],
    meta: { lastModified: '2011-05-13T04:42:34.001Z' },
  },
  judy: {
    userName: 'judy',
    userType: 'Employee',
    emails: [
      { type: 'work', value: 'judy@elsewhere.test' },
      { type: 'home', value: 'judy@example.com' },
    ],
    ims: [{ type: 'xmpp', value: 'judy@foo.com' }],
    meta: { lastModified: '2010-01-01T00:00:00Z' },
  },
  nobody: { userName: 'nobody', meta: { lastModified: '2012-01-01T00:00:00Z' } },
};

const FIGURE_2: Readonly<Record<string, readonly string[]>> = {
  'userName eq "bjensen"': ['barbara'],
  'name.familyName co "O\'Malley"': ['james'],
  'userName sw "J"': ['james', 'judy'],
  'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"': ['james', 'judy'],
  'title pr': ['barbara', 'enterprise'],
  'meta.lastModified gt "2011-05-13T04:42:34Z"': ['james', 'nobody'],
  'meta.lastModified ge "2011-05-13T04:42:34Z"': ['barbara', 'enterprise', 'james', 'nobody'],
  'meta.lastModified lt "2011-05-13T04:42:34Z"': ['judy'],
  'meta.lastModified le "2011-05-13T04:42:34Z"': ['barbara', 'enterprise', 'judy'],
  'title pr and userType eq "Employee"': ['barbara', 'enterprise'],
  'title pr or userType eq "Intern"': ['barbara', 'enterprise', 'james'],
  'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"': ['enterprise'],
  'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")': [
    'barbara',
    'enterprise',
    'judy',
  ],
  'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")': [
    'nobody',
  ],
  'userType eq "Employee" and (emails.type eq "work")': ['barbara', 'enterprise', 'judy'],
  'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]': [
    'barbara',
    'enterprise',
  ],
  'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]':
    ['barbara', 'enterprise', 'judy'],
};

for (const [filter, expected] of Object.entries(FIGURE_2)) {
  test(`RFC 7644, figure 2: ${filter}`, () => {
    const parsed = parseFilter(filter, USER);
    const found = Object.entries(USERS).filter(([, body]) => matches(parsed, body));
    assert.deepEqual(
      found.map(([name]) => name),
      expected,
    );
  });
}

test('RFC 7644, section 3.4.2.1: resource types without quotes', () => {
  const filter = '(meta.resourceType eq User) or (meta.resourceType eq Group)';
  assert.equal(matches(parseFilter(filter, USER), FULL_USER), true);
  assert.equal(matches(parseFilter(filter, GROUP), TOUR_GUIDES), true);
  assert.equal(matches(parseFilter('meta.resourceType eq Group', USER), FULL_USER), false);
});

test('RFC 7644, section 3.4.3: the filter of the search request', () => {
  const filter = parseFilter('displayName sw "smith"', USER);
  assert.equal(matches(filter, { displayName: 'Smith Berry' }), true);
  assert.equal(matches(filter, { displayName: 'Berry Smith' }), false);
});

/** Paths of RFC 7644, section 3.5.2, by the attribute, the filter and the sub-attribute that they name. */
const PATHS: ReadonlyArray<readonly [typeof USER, string, string, string | null, string | null]> = [
  [GROUP, 'members', 'members', null, null],
  [USER, 'name.familyName', 'name', null, 'familyName'],
  [USER, 'addresses[type eq "work"]', 'addresses', 'type', null],
  [USER, 'addresses[type eq "work"].streetAddress', 'addresses', 'type', 'streetAddress'],
  [GROUP, 'members[value eq "2819c223-7f76-453a-919d-413861904646"]', 'members', 'value', null],
  [USER, 'emails[type eq "work" and value ew "example.com"]', 'emails', 'and', null],
];

for (const [type, text, attribute, filter, sub] of PATHS) {
  test(`RFC 7644, section 3.5.2: the path ${text}`, () => {
    const path = parsePatchPath(text, type);
    assert.ok('attribute' in path.path);
    assert.equal(path.path.attribute.name, attribute);
    assert.equal(path.sub?.name ?? null, sub);
    const named =
      path.valueFilter?.kind === 'compare'
        ? path.valueFilter.path.subAttribute?.name
        : path.valueFilter?.kind;
    assert.equal(named ?? null, filter);
  });
}

test('the path members[...].displayName of RFC 7644 is refused: members have display', () => {
  const path = 'members[value eq "2819c223-7f76-453a-919d-413861904646"].displayName';
  assert.throws(() => parsePatchPath(path, GROUP), { reason: 'invalidPath' });
});
