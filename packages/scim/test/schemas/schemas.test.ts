import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttributeDefinition, JsonObject, ResourceTypeDefinition } from '../../src/index.ts';
import {
  ENTERPRISE_USER_SCHEMA,
  GROUP,
  GROUP_SCHEMA,
  parsePath,
  RESOURCE_TYPES,
  SCHEMAS,
  SERVICE_SCHEMA,
  toResourceTypeBody,
  toSchemaBody,
  USER,
  USER_SCHEMA,
} from '../../src/index.ts';
import { ENTERPRISE_USER, FULL_USER, MINIMAL_USER, TOUR_GUIDES } from '../examples.ts';

const BASE_URL = 'https://example.com/scim/v2';

function definitionOf(type: ResourceTypeDefinition, name: string): AttributeDefinition {
  const path = parsePath(name, type);
  assert.ok(path, `${type.name} has no ${name}`);
  return path.subAttribute ?? path.attribute;
}

const EXAMPLES: ReadonlyArray<readonly [string, ResourceTypeDefinition, JsonObject]> = [
  ['minimal user (8.1)', USER, MINIMAL_USER],
  ['full user (8.2)', USER, FULL_USER],
  ['enterprise user (8.3)', USER, ENTERPRISE_USER],
  ['group (8.4)', GROUP, TOUR_GUIDES],
];

for (const [name, type, body] of EXAMPLES) {
  test(`every attribute of RFC 7643's ${name} is declared with its type`, () => {
    for (const [path, value] of attributesIn(body)) {
      const { type: declared, multiValued } = definitionOf(type, path);
      assert.equal(Array.isArray(value), multiValued, path);
      for (const one of Array.isArray(value) ? value : [value]) {
        const text =
          declared === 'complex' ? 'object' : declared === 'boolean' ? declared : 'string';
        assert.equal(typeof one, text, path);
      }
    }
  });
}

/** Each attribute and sub-attribute of a body with its path and value. */
function attributesIn(body: JsonObject, prefix = ''): ReadonlyArray<readonly [string, unknown]> {
  return Object.entries(body).flatMap(
    ([name, value]): ReadonlyArray<readonly [string, unknown]> => {
      if (name.startsWith('urn:')) return attributesIn(value as JsonObject, `${name}:`);
      const path = prefix + name;
      const elements = (Array.isArray(value) ? value : [value]) as readonly unknown[];
      const below = elements.flatMap((element) =>
        typeof element === 'object' ? attributesIn(element as JsonObject, `${path}.`) : [],
      );
      return [[path, value], ...below];
    },
  );
}

const REQUIRED: ReadonlyArray<readonly [ResourceTypeDefinition, string]> = [
  [USER, 'userName'],
  [USER, 'emails'],
  [USER, 'emails.value'],
  [GROUP, 'displayName'],
];

test('schemas require userName, emails with their value and displayName of groups only', () => {
  for (const [type, name] of REQUIRED) assert.equal(definitionOf(type, name).required, true, name);
  const required = SCHEMAS.flatMap(({ attributes }) => withSubAttributes(attributes)).filter(
    (attribute) => attribute.required,
  );
  assert.equal(required.length, REQUIRED.length);
});

function withSubAttributes(
  attributes: readonly AttributeDefinition[],
): readonly AttributeDefinition[] {
  return attributes.flatMap((one) => [one, ...withSubAttributes(one.subAttributes ?? [])]);
}

test('the types that mappings of Entra ID name are canonical values', () => {
  const canonical: Readonly<Record<string, readonly string[]>> = {
    'emails.type': ['work', 'home', 'other'],
    'phoneNumbers.type': ['work', 'mobile', 'fax'],
    'addresses.type': ['work', 'home'],
    'groups.type': ['direct', 'indirect'],
  };
  for (const [name, values] of Object.entries(canonical)) {
    const declared = definitionOf(USER, name).canonicalValues ?? [];
    for (const value of values) assert.ok(declared.includes(value), `${name}: ${value}`);
  }
  assert.deepEqual(definitionOf(GROUP, 'members.type').canonicalValues, ['User', 'Group']);
});

test('schemas declare what clients look for beyond the attributes of RFC 7643', () => {
  for (const { attributes } of [USER_SCHEMA, GROUP_SCHEMA]) {
    assert.ok(attributes.some(({ name }) => name === 'externalId'));
  }
  for (const { name, multiValued, subAttributes } of USER_SCHEMA.attributes) {
    if (!multiValued || name === 'groups') continue;
    const names = subAttributes?.map((sub) => sub.name) ?? [];
    for (const label of ['display', 'type', 'primary']) assert.ok(names.includes(label), name);
  }
  for (const name of ['members.display', 'members.$ref', 'members.type']) definitionOf(GROUP, name);
});

test('names and e-mail addresses are compared without case, identifiers with', () => {
  const caseExact: ReadonlyArray<readonly [ResourceTypeDefinition, string, boolean]> = [
    [USER, 'userName', false],
    [USER, 'emails.value', false],
    [USER, 'displayName', false],
    [GROUP, 'displayName', false],
    [USER, 'id', true],
    [USER, 'externalId', true],
    [GROUP, 'externalId', true],
    [GROUP, 'members.value', true],
    [USER, 'groups.value', true],
    [USER, `${ENTERPRISE_USER_SCHEMA.id}:manager.value`, true],
  ];
  for (const [type, name, exact] of caseExact) {
    assert.equal(definitionOf(type, name).caseExact, exact, name);
  }
});

test('no schema has two names that differ by case only', () => {
  for (const { id, attributes } of SCHEMAS) {
    const levels = [attributes, ...attributes.map(({ subAttributes }) => subAttributes ?? [])];
    for (const level of levels) {
      const names = level.map(({ name }) => name.toLowerCase());
      assert.equal(new Set(names).size, names.length, id);
    }
  }
});

test("the service's extension has a department, an organization and several roles", () => {
  assert.equal(SERVICE_SCHEMA.id, 'urn:service:params:scim:schemas:extension:1.0');
  assert.deepEqual(
    SERVICE_SCHEMA.attributes.map(({ name, type, multiValued }) => [name, type, multiValued]),
    [
      ['department', 'string', false],
      ['organization', 'string', false],
      ['roles', 'string', true],
    ],
  );
});

test('a schema is sent with the seven characteristics of each attribute', () => {
  for (const schema of SCHEMAS) {
    const body = toSchemaBody(schema, BASE_URL);
    assert.deepEqual(body.schemas, ['urn:ietf:params:scim:schemas:core:2.0:Schema']);
    assert.deepEqual(body.meta, {
      resourceType: 'Schema',
      location: `${BASE_URL}/Schemas/${schema.id}`,
    });
    const sent = withSubAttributes(body.attributes as unknown as readonly AttributeDefinition[]);
    const withoutMailbox = (key: string, value: unknown) =>
      key === 'isMailbox' ? undefined : value;
    const declared = JSON.parse(
      JSON.stringify(withSubAttributes(schema.attributes), withoutMailbox),
    );
    assert.deepEqual(sent, declared);
    for (const attribute of sent) {
      assert.ok(attribute.description.length > 3);
      assert.equal(typeof attribute.caseExact, 'boolean');
      assert.match(attribute.mutability, /^(?:readOnly|readWrite|immutable|writeOnly)$/);
      assert.match(attribute.returned, /^(?:always|never|default|request)$/);
      assert.match(attribute.uniqueness, /^(?:none|server|global)$/);
      assert.equal(attribute.type === 'complex', attribute.subAttributes !== undefined);
      assert.equal(attribute.type === 'reference', attribute.referenceTypes !== undefined);
    }
  }
});

test("schemas have RFC 7643's names and descriptions, by which clients find them", () => {
  assert.deepEqual(
    SCHEMAS.slice(0, 2).map(({ id, name, description }) => [id, name, description]),
    [
      ['urn:ietf:params:scim:schemas:core:2.0:User', 'User', 'User Account'],
      [
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
        'EnterpriseUser',
        'Enterprise User',
      ],
    ],
  );
});

test('/Users is the first resource type and lists its extensions', () => {
  const [users, groups, ...others] = RESOURCE_TYPES.map((type) =>
    toResourceTypeBody(type, BASE_URL),
  );
  assert.deepEqual(others, []);
  assert.deepEqual(users, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'User Account',
    schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
    schemaExtensions: [
      { schema: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', required: false },
      { schema: 'urn:service:params:scim:schemas:extension:1.0', required: false },
    ],
    meta: { resourceType: 'ResourceType', location: `${BASE_URL}/ResourceTypes/User` },
  });
  assert.equal(groups?.endpoint, '/Groups');
  assert.deepEqual(groups?.schemaExtensions, []);
});
