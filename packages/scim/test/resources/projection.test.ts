import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import type { JsonObject, ResourceTypeDefinition } from '../../src/index.ts';
import { GROUP, parseAttributes, project, RESOURCE_TYPES, USER } from '../../src/index.ts';
import { isReturned } from '../../src/resources/projection.ts';
import { ENTERPRISE_USER, MINIMAL_USER, TOUR_GUIDES } from '../examples.ts';
import { bodiesOf, pathsOf } from '../filters/filters.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const { schemas, id, meta } = ENTERPRISE_USER;
const always = { schemas, id } as JsonObject;

interface Case {
  readonly attributes?: string | readonly string[];
  readonly excludedAttributes?: string | readonly string[];
  readonly expected: JsonObject;
}

const INCLUDED: Readonly<Record<string, Case>> = {
  'one attribute (RFC 7644, section 3.9)': {
    attributes: 'userName',
    expected: { ...always, userName: 'bjensen@example.com' },
  },
  'names in any case, with spaces': {
    attributes: ' USERNAME , displayname,',
    expected: { ...always, userName: 'bjensen@example.com', displayName: 'Babs Jensen' },
  },
  'an array of a search request': {
    attributes: ['title', 'nickName'],
    expected: { ...always, title: 'Tour Guide', nickName: 'Babs' },
  },
  'sub-attributes': {
    attributes: 'name.familyName,NAME.givenname,emails.type',
    expected: {
      ...always,
      name: { familyName: 'Jensen', givenName: 'Barbara' },
      emails: [{ type: 'work' }, { type: 'home' }],
    },
  },
  'an attribute and a part of it': {
    attributes: 'ims,ims.type',
    expected: { ...always, ims: [{ value: 'someaimhandle', type: 'aim' }] },
  },
  'a value path, for its attribute': {
    attributes: 'emails[type eq "work"],userName',
    expected: { ...always, userName: 'bjensen@example.com', emails: ENTERPRISE_USER.emails ?? [] },
  },
  'a name with the URN of its schema': {
    attributes: 'urn:ietf:params:scim:schemas:core:2.0:User:title',
    expected: { ...always, title: 'Tour Guide' },
  },
  'an attribute of an extension': {
    attributes: `${ENTERPRISE}:department,${ENTERPRISE}:manager.value`,
    expected: {
      ...always,
      [ENTERPRISE]: {
        department: 'Tour Operations',
        manager: { value: '26118915-6090-4610-87e4-49d8ca9f808d' },
      },
    },
  },
  'an extension as a whole': {
    attributes: ENTERPRISE.toUpperCase(),
    expected: { ...always, [ENTERPRISE]: ENTERPRISE_USER[ENTERPRISE] as JsonObject },
  },
  'a part of meta': {
    attributes: 'meta.resourceType',
    expected: { ...always, meta: { resourceType: 'User' } },
  },
  'unknown names only': { attributes: 'foo,urn:x:y,name.foo,__proto__', expected: always },
  'an attribute that the user lacks': { attributes: 'entitlements', expected: always },
  'a part that no value has': { attributes: 'ims.display', expected: { ...always, ims: [] } },
  'what is never returned': {
    attributes: 'password,title',
    expected: { ...always, title: 'Tour Guide' },
  },
  'what is excluded again': {
    attributes: 'title,nickName,name.givenName',
    excludedAttributes: 'nickName,name',
    expected: { ...always, title: 'Tour Guide' },
  },
};

for (const [name, { expected, ...query }] of Object.entries(INCLUDED)) {
  test(`attributes select ${name}`, () => {
    const before = structuredClone(ENTERPRISE_USER);
    assert.deepEqual(project(ENTERPRISE_USER, parseAttributes(query), USER), expected);
    assert.deepEqual(ENTERPRISE_USER, before);
  });
}

/** The full user without some members. */
function without(...names: readonly string[]): JsonObject {
  const rest = Object.entries(ENTERPRISE_USER).filter(([name]) => !names.includes(name));
  return Object.fromEntries(rest.filter(([name]) => name !== 'password'));
}

const EXCLUDED: Readonly<Record<string, Case>> = {
  'nothing, so that all but the password is sent': { expected: without() },
  attributes: { excludedAttributes: 'emails,GROUPS', expected: without('emails', 'groups') },
  'sub-attributes': {
    excludedAttributes: 'name.formatted,name.honorificPrefix,name.honorificSuffix,emails.type',
    expected: {
      ...without(),
      name: { familyName: 'Jensen', givenName: 'Barbara', middleName: 'Jane' },
      emails: [{ value: 'bjensen@example.com', primary: true }, { value: 'babs@jensen.org' }],
    },
  },
  'an extension': { excludedAttributes: ENTERPRISE, expected: without(ENTERPRISE) },
  'a part of an extension': {
    excludedAttributes: `${ENTERPRISE}:manager,${ENTERPRISE}:division`,
    expected: {
      ...without(),
      [ENTERPRISE]: {
        employeeNumber: '701984',
        costCenter: '4130',
        organization: 'Universal Studios',
        department: 'Tour Operations',
      },
    },
  },
  'not what is always returned': { excludedAttributes: 'id,schemas,foo', expected: without() },
  'all parts of an attribute': {
    excludedAttributes:
      'meta.resourceType,meta.created,meta.lastModified,meta.location,meta.version',
    expected: without('meta'),
  },
  'all attributes of the schema': {
    excludedAttributes: 'urn:ietf:params:scim:schemas:core:2.0:User',
    expected: {
      ...always,
      meta: meta as JsonObject,
      [ENTERPRISE]: ENTERPRISE_USER[ENTERPRISE] as JsonObject,
    },
  },
};

for (const [name, { expected, ...query }] of Object.entries(EXCLUDED)) {
  test(`excludedAttributes leave out ${name}`, () => {
    assert.deepEqual(project(ENTERPRISE_USER, parseAttributes(query), USER), expected);
  });
}

test('one projection applies to users and groups, each by its own attributes', () => {
  const projection = parseAttributes({ attributes: 'displayName,userName,members.value' });
  assert.deepEqual(project(TOUR_GUIDES, projection, GROUP), {
    schemas: TOUR_GUIDES.schemas,
    id: TOUR_GUIDES.id,
    displayName: 'Tour Guides',
    members: [
      { value: '2819c223-7f76-453a-919d-413861904646' },
      { value: '902c246b-6245-4190-8e05-00816be7344a' },
    ],
  });
  assert.deepEqual(project(MINIMAL_USER, projection, USER), {
    schemas: MINIMAL_USER.schemas,
    id: MINIMAL_USER.id,
    userName: MINIMAL_USER.userName,
  });
});

test('an empty group keeps its empty list of members', () => {
  const empty = { ...TOUR_GUIDES, members: [] };
  for (const query of [{}, { attributes: 'members' }, { attributes: 'members.value' }]) {
    assert.deepEqual(project(empty, parseAttributes(query), GROUP).members, []);
  }
});

test('it can be told whether an attribute is sent before it is read', () => {
  const answers: ReadonlyArray<readonly [Parameters<typeof parseAttributes>[0], boolean]> = [
    [{}, true],
    [{ excludedAttributes: 'Members' }, false],
    [{ excludedAttributes: 'members.display' }, true],
    [{ excludedAttributes: 'members.value,members.display,members.$ref,members.type' }, false],
    [{ attributes: 'displayName' }, false],
    [{ attributes: 'displayName,members.value' }, true],
    [{ attributes: '' }, true],
  ];
  for (const [query, expected] of answers) {
    assert.equal(
      isReturned(parseAttributes(query), GROUP, 'members'),
      expected,
      JSON.stringify(query),
    );
  }
});

test('values that are not declared are never sent', () => {
  const body = { ...MINIMAL_USER, accountId: 'mem_1', 'urn:other:extension': { secret: 1 } };
  assert.deepEqual(project(body, parseAttributes({}), USER), MINIMAL_USER);
  const named = parseAttributes({ attributes: 'accountId,urn:other:extension' });
  assert.deepEqual(Object.keys(project(body, named, USER)).sort(), ['id', 'schemas']);
});

for (const type of RESOURCE_TYPES) {
  test(`selecting names of a ${type.name} and excluding them splits the resource`, () => {
    fc.assert(
      fc.property(bodiesOf(type), namesOf(type), (body, names) => {
        const included = project(body, parseAttributes({ attributes: names }), type);
        const excluded = project(body, parseAttributes({ excludedAttributes: names }), type);
        const whole = project(body, parseAttributes({}), type);
        const parts = [...leavesOf(included).filter(isSelectable), ...leavesOf(excluded)];
        assert.deepEqual(parts.sort(), leavesOf(whole).sort());
      }),
      { numRuns: roundsOf(300) },
    );
  });
}

/** Names of attributes, most of them with sub-attributes. */
function namesOf(type: ResourceTypeDefinition): fc.Arbitrary<string[]> {
  const names = pathsOf(type).map(({ extension, attribute, subAttribute }) => {
    const prefix = extension === null ? '' : `${extension}:`;
    return prefix + [attribute.name, subAttribute?.name].filter(Boolean).join('.');
  });
  return fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 });
}

const isSelectable = (leaf: string) => !/^(?:id|schemas)=/.test(leaf);

/** All simple values with their paths. */
function leavesOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, path));
  if (typeof value !== 'object' || value === null) return [`${path}=${String(value)}`];
  return Object.entries(value).flatMap(([name, one]) =>
    leavesOf(one, path ? `${path}.${name}` : name),
  );
}

test('the time that a long list of names takes is bounded', async () => {
  const names = Array.from({ length: 400_000 }, (_, index) => `name${index}`);
  await assertCpuBelow(500, () => {
    const { attributes } = parseAttributes({ attributes: names });
    assert.equal(attributes?.length, 1_000);
  });
});
