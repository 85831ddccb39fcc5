import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GROUP_SCHEMA, PATCH_OP, start, USER_SCHEMA } from '../api.ts';
import { targets } from '../targets.ts';

type Started = Awaited<ReturnType<typeof start>>;

const nameFilter = (attribute: string, value: string) =>
  `filter=${encodeURIComponent(`${attribute} eq "${value}"`)}`;

/** The requests of a provider with its headers, each of which must have this status. */
function providerOf({ call }: Started, headers: Readonly<Record<string, string>>) {
  const send = async (status: number, method: string, path: string, body?: object) => {
    const answer = await call(method, path, body, { headers });
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const membersOf = async (path: string): Promise<string[]> => {
    const { members } = await send(200, 'GET', path);
    return members.map(({ value }: { value: string }) => value).sort();
  };
  const patch = (path: string, status: number, ...Operations: object[]) =>
    send(status, 'PATCH', path, { schemas: [PATCH_OP], Operations });
  return { send, membersOf, patch };
}

function person(name: string, more: object = {}): object {
  const userName = `${name}@example.com`;
  return {
    schemas: [USER_SCHEMA],
    userName,
    name: { givenName: name, familyName: 'Smith' },
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
    ...more,
  };
}

for (const target of targets) {
  describe(`${target.name}: the requests of further identity providers`, () => {
    // developers.onelogin.com/scim/implement-scim-api: the calls of "Example API Flow" in their order. Members come as
    // one object or a list (django-scim2, adapters.py).
    test('OneLogin connects, creates, gets, puts, assigns to groups, suspends and deletes', async (t) => {
      const { send, membersOf, patch } = providerOf(await start(t, { target }), {
        'content-type': 'application/json',
        accept: 'application/json',
      });
      const none = await send(200, 'GET', `/Users?${nameFilter('userName', 'not_a_user')}`);
      assert.deepEqual([none.totalResults, none.Resources], [0, []]);
      const body = person('jsmith', { externalId: '32198732', displayName: 'J. Smith' });
      const { id } = await send(201, 'POST', '/Users', body);
      const path = `/Users/${id}`;
      const byName = nameFilter('userName', 'jsmith@example.com');
      assert.equal((await send(200, 'GET', `/Users?${byName}`)).Resources[0].id, id);
      assert.equal((await send(200, 'GET', path)).externalId, '32198732');

      const changed = person('jsmith', { externalId: '32198732', title: 'Lead' });
      await send(200, 'PUT', path, changed);
      const read = await send(200, 'GET', path);
      // What a PUT does not have is unassigned (RFC 7644, section 3.5.1).
      assert.deepEqual([read.title, read.displayName, read.active], ['Lead', undefined, true]);

      assert.equal((await send(200, 'GET', '/Groups')).totalResults, 0);
      const group = { schemas: [GROUP_SCHEMA], displayName: 'Engineering' };
      const groupPath = `/Groups/${(await send(201, 'POST', '/Groups', group)).id}`;
      assert.deepEqual(await membersOf(groupPath), []);
      await patch(groupPath, 204, { op: 'add', path: 'members', value: [{ value: id }] });
      assert.deepEqual(await membersOf(groupPath), [id]);
      assert.equal((await send(200, 'GET', path)).groups[0].display, 'Engineering');
      await patch(groupPath, 204, { op: 'remove', path: `members[value eq "${id}"]` });
      assert.deepEqual(await membersOf(groupPath), []);
      await patch(groupPath, 204, { op: 'add', path: 'members', value: { value: id } });
      assert.deepEqual(await membersOf(groupPath), [id]);

      await send(200, 'PUT', path, { ...changed, active: false });
      assert.equal((await send(200, 'GET', path)).active, false);
      await patch(path, 200, { op: 'replace', path: 'active', value: true });
      assert.equal((await send(200, 'GET', path)).active, true);
      await send(204, 'DELETE', path);
      await send(404, 'GET', path);
      assert.deepEqual(await membersOf(groupPath), []);
    });

    // Google documents mappings and what a suspension does, no bodies; the headers are those of pond/scimitar #142.
    test('Google finds, creates, updates, suspends, restores and deletes a user, without groups', async (t) => {
      const { send, patch } = providerOf(await start(t, { target }), {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Google-Auto-Provisioning',
      });
      const byName = nameFilter('userName', 'ann@example.com');
      assert.equal((await send(200, 'GET', `/Users?${byName}`)).totalResults, 0);
      const { id } = await send(201, 'POST', '/Users', person('ann', { externalId: '1071' }));
      const path = `/Users/${id}`;
      const found = await send(200, 'GET', `/Users?${byName}&startIndex=1&count=1`);
      assert.deepEqual([found.totalResults, found.Resources[0].externalId], [1, '1071']);

      const renamed = person('ann', {
        externalId: '1071',
        name: { givenName: 'Ann', familyName: 'Lee' },
      });
      await send(200, 'PUT', path, { ...renamed, id });
      assert.equal((await send(200, 'GET', path)).name.familyName, 'Lee');
      await patch(path, 200, { op: 'replace', value: { name: { familyName: 'Gray' } } });
      const { name } = await send(200, 'GET', path);
      assert.deepEqual(name, { givenName: 'Ann', familyName: 'Gray' });

      await patch(path, 200, { op: 'replace', path: 'active', value: false });
      assert.equal((await send(200, 'GET', path)).active, false);
      await patch(path, 200, { op: 'replace', path: 'active', value: true });
      assert.equal((await send(200, 'GET', path)).active, true);
      // A new primary address is another userName of the same user.
      await send(200, 'PUT', path, person('ann.gray', { externalId: '1071' }));
      assert.equal((await send(200, 'GET', `/Users?${byName}`)).totalResults, 0);
      assert.equal((await send(200, 'GET', path)).userName, 'ann.gray@example.com');
      await send(204, 'DELETE', path);
      assert.equal((await send(200, 'GET', '/Users')).totalResults, 0);
    });

    // jumpcloud.com/support/provision-and-manage-users-and-groups-in-apps-using-custom-scim-identity-management-integration:
    // a test user and a test group are made and deleted first. Members: app.uni-moni.com/en/kb/sso-setup-jumpcloud.
    test('JumpCloud tests with a user and a group of its own, then manages members by lists', async (t) => {
      const { send, membersOf, patch } = providerOf(await start(t, { target }), {});
      const trial = await send(201, 'POST', '/Users', person('test.user'));
      const trialGroup = await send(201, 'POST', '/Groups', {
        schemas: [GROUP_SCHEMA],
        displayName: 'Test group',
        members: [{ value: trial.id }],
      });
      await send(204, 'DELETE', `/Groups/${trialGroup.id}`);
      await send(204, 'DELETE', `/Users/${trial.id}`);
      assert.equal((await send(200, 'GET', '/Users')).totalResults, 0);

      const [ann, bob] = [
        await send(201, 'POST', '/Users', person('ann')),
        await send(201, 'POST', '/Users', person('bob')),
      ];
      const found = await send(200, 'GET', `/Groups?${nameFilter('displayName', 'Test group')}`);
      assert.equal(found.totalResults, 0);
      const body = { schemas: [GROUP_SCHEMA], displayName: 'Test group' };
      const path = `/Groups/${(await send(201, 'POST', '/Groups', body)).id}`;
      await patch(path, 204, {
        op: 'add',
        path: 'members',
        value: [{ value: ann.id }, { value: bob.id }],
      });
      assert.deepEqual(await membersOf(path), [ann.id, bob.id].sort());
      await patch(path, 204, { op: 'remove', path: 'members', value: [{ value: ann.id }] });
      assert.deepEqual(await membersOf(path), [bob.id]);
      await send(200, 'PUT', `/Users/${bob.id}`, person('bob', { active: false }));
      assert.equal((await send(200, 'GET', `/Users/${bob.id}`)).active, false);
      assert.deepEqual(await membersOf(path), [bob.id]);
    });

    // developer.pingidentity.com/p14e-directory-api/update-resource.html: what was read is put back with a change, its
    // read-only attributes and extensions of its own included.
    test('Ping puts back what it read, with schemas that are not served, and deletes', async (t) => {
      const { send, membersOf } = providerOf(await start(t, { target }), {
        'content-type': 'application/json',
        accept: 'application/json',
      });
      const { id } = await send(201, 'POST', '/Users', person('meredith'));
      const path = `/Users/${id}`;
      const read = await send(200, 'GET', path);
      const own = 'urn:scim:schemas:com_pingone:1.0';
      await send(200, 'PUT', path, {
        ...read,
        schemas: [...read.schemas, own],
        [own]: { state: 'ACTIVE', accountId: 'a6538050' },
        title: 'Software Developer',
        meta: { ...read.meta, lastModified: '2015-04-15T12:44:14.227-06:00' },
      });
      const after = await send(200, 'GET', path);
      assert.deepEqual({ ...after, meta: null, title: null }, { ...read, meta: null, title: null });
      assert.deepEqual([after.title, own in after], ['Software Developer', false]);
      const group = { schemas: [GROUP_SCHEMA], displayName: 'Staff', members: [{ value: id }] };
      const made = await send(201, 'POST', '/Groups', group);
      const groupPath = `/Groups/${made.id}`;
      const whole = await send(200, 'GET', groupPath);
      await send(200, 'PUT', groupPath, { ...whole, displayName: 'All staff' });
      assert.deepEqual(await membersOf(groupPath), [id]);
      await send(200, 'PUT', groupPath, { ...whole, members: [] });
      assert.deepEqual(await membersOf(groupPath), []);
      await send(204, 'DELETE', path);
      await send(404, 'GET', path);
    });
  });
}
