import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { GROUP_SCHEMA, PATCH_OP, start, USER_SCHEMA } from '../api.ts';
import { targets } from '../targets.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const filterOf = (text: string) => `filter=${encodeURIComponent(text)}`;

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: the requests of identity providers`, () => {
    // Microsoft: "Develop and plan provisioning for a SCIM endpoint", without and with aadOptscim062020.
    test('Entra ID tests the connection, creates, updates, disables and deletes a user', async (t) => {
      const { call } = await start(t, { target });
      const probe = await call('GET', `/Users?${filterOf('userName eq "non-existent user"')}`);
      assert.deepEqual([probe.status, probe.body.totalResults], [200, 0]);
      const created = await call('POST', '/Users', {
        schemas: [USER_SCHEMA, ENTERPRISE],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'test_user_ab6490ee@testuser.com',
        active: true,
        addresses: [],
        displayName: 'lennay',
        emails: [{ primary: true, type: 'work', value: 'test_user_11bb@testuser.com' }],
        meta: { resourceType: 'User' },
        name: {
          formatted: 'givenName familyName',
          familyName: 'familyName',
          givenName: 'givenName',
        },
        phoneNumbers: [],
        roles: [],
      });
      assert.equal(created.status, 201);
      const path = `/Users/${created.body.id}`;
      const get = async () => (await call('GET', path)).body;
      const byName = filterOf('userName eq "TEST_user_ab6490ee@testuser.com"');
      assert.equal((await call('GET', `/Users?${byName}`)).body.Resources[0].id, created.body.id);

      const multi = await call('PATCH', path, {
        schemas: [PATCH_OP],
        Operations: [
          {
            op: 'Replace',
            path: 'emails[type eq "work"].value',
            value: 'updatedEmail@microsoft.com',
          },
          { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
          { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
          { op: 'Add', path: `${ENTERPRISE}:manager`, value: '2819c223-7f76-453a' },
        ],
      });
      assert.equal(multi.status, 200);
      const changed = await get();
      assert.equal(changed.emails[0].value, 'updatedEmail@microsoft.com');
      assert.equal(changed.name.familyName, 'updatedFamilyName');
      assert.deepEqual(changed.phoneNumbers, [{ type: 'mobile', value: '+1 555 0100' }]);
      assert.equal(changed[ENTERPRISE].manager.value, '2819c223-7f76-453a');

      const pathless = {
        schemas: [PATCH_OP],
        Operations: [
          {
            op: 'replace',
            value: {
              displayName: 'pathless',
              'name.givenName': 'dotted',
              [`${ENTERPRISE}:department`]: 'Sales',
            },
          },
        ],
      };
      assert.equal((await call('PATCH', path, pathless)).status, 200);
      const merged = await get();
      assert.deepEqual(
        [merged.displayName, merged.name.givenName, merged[ENTERPRISE].department],
        ['pathless', 'dotted', 'Sales'],
      );
      for (const value of ['False', false]) {
        const op = { op: 'Replace', path: 'active', value };
        assert.equal(
          (await call('PATCH', path, { schemas: [PATCH_OP], Operations: [op] })).status,
          200,
        );
        assert.equal((await get()).active, false);
        const back = { op: 'replace', value: { active: 'True' } };
        await call('PATCH', path, { schemas: [PATCH_OP], Operations: [back] });
        assert.equal((await get()).active, true);
      }
      assert.equal((await call('DELETE', path)).status, 204);
      assert.equal((await call('GET', path)).status, 404);
    });

    test('Entra ID manages a group by capitalised operations with value arrays', async (t) => {
      const { call } = await start(t, { target });
      const ids: string[] = [];
      for (const name of ['ann', 'bob', 'cid']) {
        const user = { userName: `${name}@corp`, emails: [{ value: `${name}@corp` }] };
        ids.push((await call('POST', '/Users', user)).body.id);
      }
      const [ann, bob, cid] = ids;
      const created = await call('POST', '/Groups', {
        schemas: [
          GROUP_SCHEMA,
          'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
        ],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'displayName',
        meta: { resourceType: 'Group' },
      });
      const path = `/Groups/${created.body.id}`;
      const members = async () =>
        (await call('GET', path)).body.members.map(({ value }: { value: string }) => value).sort();
      const send = async (...Operations: object[]) => {
        const { status } = await call('PATCH', path, { schemas: [PATCH_OP], Operations });
        assert.equal(status, 204);
      };
      const filter = filterOf('displayName eq "displayName"');
      const found = await call('GET', `/Groups?excludedAttributes=members&${filter}`);
      assert.equal(found.body.totalResults, 1);
      await send({
        op: 'Replace',
        path: 'displayName',
        value: '1879db59-3bdf-4490-ad68-ab880a269474',
      });
      await send({ op: 'Add', path: 'members', value: [{ $ref: null, value: ann }] });
      await send({
        name: 'addMember',
        op: 'Add',
        path: 'members',
        value: [{ value: bob }, { value: cid }],
      });
      assert.deepEqual(await members(), [ann, bob, cid].sort());
      await send({ op: 'Remove', path: 'members', value: [{ $ref: null, value: ann }] });
      assert.deepEqual(await members(), [bob, cid].sort());
      assert.equal(
        (await call('GET', path)).body.displayName,
        '1879db59-3bdf-4490-ad68-ab880a269474',
      );
      assert.equal((await call('DELETE', path)).status, 204);
    });

    // Okta: "SCIM 2.0" reference, the requests of the wizard (PUT) and of catalogue applications (PATCH).
    test('Okta finds, creates, gets and puts back a user, and deactivates by a value without path', async (t) => {
      const { call } = await start(t, { target });
      const query = `${filterOf('userName eq "test.user@okta.local"')}&startIndex=1&count=100`;
      const none = (await call('GET', `/Users?${query}`)).body;
      assert.deepEqual([none.totalResults, none.startIndex, none.Resources], [0, 1, []]);
      const created = await call('POST', '/Users', {
        schemas: [USER_SCHEMA],
        userName: 'test.user@okta.local',
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      });
      assert.equal(created.status, 201);
      assert.equal('password' in created.body, false);
      const path = `/Users/${created.body.id}`;
      const read = (await call('GET', path)).body;
      const put = await call('PUT', path, {
        ...read,
        name: { ...read.name, familyName: 'Changed' },
      });
      assert.equal(put.status, 200);
      assert.equal((await call('GET', path)).body.name.familyName, 'Changed');
      const off = {
        schemas: [PATCH_OP],
        Operations: [{ op: 'replace', value: { active: false } }],
      };
      assert.equal((await call('PATCH', path, off)).status, 200);
      const inactive = (await call('GET', path)).body;
      assert.equal(inactive.active, false);
      assert.equal((await call('PUT', path, { ...inactive, active: true })).body.active, true);
      const first = (await call('GET', '/Users?count=1&startIndex=1')).body.Resources[0];
      assert.deepEqual(
        [first.name.givenName, first.active, first.emails[0].value],
        ['Test', true, 'test.user@okta.local'],
      );
    });

    test('Okta pushes a group, replaces its members and renames it with its id in the value', async (t) => {
      const { call } = await start(t, { target });
      const ids: string[] = [];
      for (const name of ['ann', 'bob']) {
        const user = { userName: `${name}@okta.local`, emails: [{ value: `${name}@okta.local` }] };
        ids.push((await call('POST', '/Users', user)).body.id);
      }
      const [ann, bob] = ids;
      const members = [{ value: ann, display: 'ann@okta.local' }];
      const group = { schemas: [GROUP_SCHEMA], displayName: 'Test SCIMv2', members };
      const { body } = await call('POST', '/Groups', group);
      const path = `/Groups/${body.id}`;
      const send = async (...Operations: object[]) =>
        assert.equal((await call('PATCH', path, { schemas: [PATCH_OP], Operations })).status, 204);
      await send({ op: 'replace', value: { id: body.id, displayName: 'Renamed' } });
      assert.deepEqual((await call('GET', path)).body.members.length, 1);
      await send(
        { op: 'remove', path: `members[value eq "${ann}"]` },
        { op: 'add', path: 'members', value: [{ value: bob, display: 'bob@okta.local' }] },
      );
      const after = (await call('GET', path)).body;
      assert.deepEqual([after.displayName, after.members[0].value], ['Renamed', bob]);
      await send({ op: 'replace', path: 'members', value: [{ value: ann }, { value: bob }] });
      assert.equal((await call('GET', path)).body.members.length, 2);
      await send({ op: 'replace', path: 'members', value: [] });
      assert.deepEqual((await call('GET', path)).body.members, []);
    });
  });
}
