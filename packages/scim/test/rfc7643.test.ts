import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import type { JsonObject } from '../src/index.ts';
import { BASE, GROUP_SCHEMA, SERVICE, start, USER_SCHEMA } from './api.ts';
import { ENTERPRISE_USER, FULL_USER, MINIMAL_USER, TOUR_GUIDES } from './examples.ts';
import { DEVIATIONS, SECTION_8_7_1 } from './rfc7643-schemas.ts';
import { targets } from './targets.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** What a client sends of an example and reads again: not what the server sets, nor the password. */
function assignedOf({ id: _, meta: __, groups: ___, password: ____, ...assigned }: JsonObject) {
  return assigned;
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: the JSON of RFC 7643, section 8`, () => {
    test('8.1 to 8.3: each user is created and read back with all that it was sent', async (t) => {
      const { call } = await start(t, { target });
      const { manager, ...enterprise } = ENTERPRISE_USER[ENTERPRISE] as JsonObject;
      const { displayName: _, ...kept } = manager as JsonObject;
      const users: ReadonlyArray<readonly [JsonObject, JsonObject]> = [
        // The specification of the service requires e-mail addresses.
        [{ ...MINIMAL_USER, emails: [{ value: 'bjensen@example.com', primary: true }] }, {}],
        [FULL_USER, {}],
        // The name of a manager is read-only.
        [ENTERPRISE_USER, { [ENTERPRISE]: { ...enterprise, manager: kept } }],
      ];
      for (const [user, changes] of users) {
        const created = await call('POST', '/Users', user);
        assert.equal(created.status, 201, JSON.stringify(created.body));
        const path = `/Users/${created.body.id}`;
        const { active = true, ...expected } = { ...assignedOf(user), ...changes } as JsonObject;
        const { body } = await call('GET', path);
        assert.deepEqual(assignedOf(body), { ...expected, active });
        assert.deepEqual(
          Object.keys(body.meta).sort(),
          Object.keys(MINIMAL_USER.meta ?? {}).sort(),
        );
        assert.equal((await call('DELETE', path)).status, 204);
      }
    });

    test('8.4: the group has its members, and they have the group', async (t) => {
      const { call } = await start(t, { target });
      const ids: string[] = [];
      for (const name of ['Babs Jensen', 'Mandy Pepperidge']) {
        const userName = `${name.replace(' ', '.')}@example.com`;
        const user = { userName, displayName: name, emails: [{ value: userName }] };
        ids.push((await call('POST', '/Users', user)).body.id);
      }
      const members = (TOUR_GUIDES.members as JsonObject[]).map((member, index) => ({
        ...member,
        value: ids[index],
        $ref: `${BASE}/Users/${ids[index]}`,
      }));
      const created = await call('POST', '/Groups', { ...TOUR_GUIDES, members });
      assert.equal(created.status, 201);
      const { body } = await call('GET', `/Groups/${created.body.id}`);
      assert.deepEqual(body.schemas, TOUR_GUIDES.schemas);
      assert.equal(body.displayName, TOUR_GUIDES.displayName);
      const byName = (left: JsonObject, right: JsonObject) =>
        String(left.display) < String(right.display) ? -1 : 1;
      assert.deepEqual(
        body.members.sort(byName),
        members.map((member) => ({ ...member, type: 'User' })),
      );
      const [group] = (await call('GET', `/Users/${ids[0]}`)).body.groups;
      assert.deepEqual(group, {
        value: body.id,
        $ref: body.meta.location,
        display: 'Tour Guides',
        type: 'direct',
      });
    });
  });
}

test('8.5: the configuration of the service has every member of the example', async (t) => {
  const { call } = await start(t);
  const { body } = await call('GET', '/ServiceProviderConfig');
  assert.deepEqual(body.schemas, ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig']);
  for (const name of ['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag']) {
    assert.equal(typeof body[name].supported, 'boolean', name);
  }
  assert.equal(typeof body.bulk.maxOperations, 'number');
  assert.equal(typeof body.bulk.maxPayloadSize, 'number');
  assert.equal(typeof body.filter.maxResults, 'number');
  const [scheme] = body.authenticationSchemes;
  assert.equal(scheme.type, 'oauthbearertoken');
  assert.equal(scheme.primary, true);
  for (const name of ['name', 'description', 'specUri'])
    assert.equal(typeof scheme[name], 'string');
  assert.deepEqual(body.meta, {
    resourceType: 'ServiceProviderConfig',
    location: `${BASE}/ServiceProviderConfig`,
  });
});

test('8.6: the resource types are those of the example, and the extension of the service', async (t) => {
  const { call } = await start(t);
  const list = (await call('GET', '/ResourceTypes')).body.Resources;
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'];
  const meta = (name: string) => ({
    resourceType: 'ResourceType',
    location: `${BASE}/ResourceTypes/${name}`,
  });
  assert.deepEqual(list, [
    {
      schemas,
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'User Account',
      schema: USER_SCHEMA,
      schemaExtensions: [
        { schema: ENTERPRISE, required: false },
        { schema: SERVICE, required: false },
      ],
      meta: meta('User'),
    },
    {
      schemas,
      id: 'Group',
      name: 'Group',
      endpoint: '/Groups',
      description: 'Group',
      schema: GROUP_SCHEMA,
      schemaExtensions: [],
      meta: meta('Group'),
    },
  ]);
});

/** The characteristics of every attribute and sub-attribute, by path. */
function declared(attributes: readonly JsonObject[], prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...attributes.map((each) => {
      const path = prefix + String(each.name);
      const facts = [
        each.type,
        each.multiValued ? 'multi' : 'single',
        each.required ? 'required' : 'optional',
        each.caseExact ? 'exact' : 'folded',
        each.mutability,
        each.returned,
        each.uniqueness,
        ...((each.canonicalValues ?? []) as string[]),
        ...((each.referenceTypes ?? []) as string[]),
      ];
      const below = declared((each.subAttributes ?? []) as JsonObject[], `${path}.`);
      return { [path]: facts.join(' '), ...below };
    }),
  );
}

for (const [id, expected] of Object.entries(SECTION_8_7_1)) {
  test(`8.7.1: ${id} is the RFC's but for what is decided otherwise`, async (t) => {
    const { call } = await start(t);
    const { body } = await call('GET', `/Schemas/${id}`);
    assert.deepEqual(body.schemas, ['urn:ietf:params:scim:schemas:core:2.0:Schema']);
    assert.deepEqual(declared(body.attributes), { ...expected, ...DEVIATIONS[id] });
  });
}
