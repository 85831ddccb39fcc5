import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { startSmtpPeer } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { sendAround } from './held-request.ts';
import type { EmptyDatabase } from './support.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

/** Two servers on one database with an organization, called by its identity provider and its owner. */
async function start(t: TestContext, empty: EmptyDatabase) {
  const database = await empty.create(t);
  const made = await bootstrap(database);
  const inbox = await startSmtpPeer(t);
  const env = { PROBITY_SMTP_URL: inbox.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
  const [one, other] = [await serve(t, database, { env }), await serve(t, database, { env })];
  const urls = [one.url, other.url] as const;
  const scim = (method: string, path: string, body?: unknown, url: string = urls[0]) =>
    call(`${url}/scim/v2${path}`, made.scim_token, method, body);
  const platform = (method: string, path: string, body?: unknown, url: string = urls[0]) =>
    call(`${url}/v1/organizations/${made.organization_id}${path}`, made.api_key, method, body);
  const membersOf = async (email: string) => {
    const { body } = await platform('GET', '/members?limit=200');
    return body.members.filter((member: { email: string }) => member.email === email);
  };
  const memberOf = async (email: string) => (await membersOf(email))[0];
  const create = async (name: string, more: object = {}) => {
    const { status, body } = await scim('POST', '/Users', userBody(name, more));
    assert.equal(status, 201, JSON.stringify(body));
    return body.id as string;
  };
  return { ...made, database, urls, scim, platform, memberOf, membersOf, create };
}

function userBody(name: string, more: object = {}): object {
  const userName = `${name}@acme.example`;
  return { userName, emails: [{ value: userName, primary: true }], ...more };
}

function patch(...Operations: object[]): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
}

const OFF = patch({ op: 'Replace', path: 'active', value: 'False' });
const ON = patch({ op: 'Replace', path: 'active', value: 'True' });
const rename = (value: string) => patch({ op: 'replace', path: 'userName', value });

for (const empty of sampleTargets(emptyDatabases)) {
  describe(`${empty.name}: people of an identity provider`, () => {
    test('a suspension ends access on every instance, and refuses a request whose body is on its way', async (t) => {
      const { urls, scim, create, api_key, platform } = await start(t, empty);
      const id = await create('ann');
      const held = {
        method: 'POST',
        url: `${urls[1]}/api/v1/webhooks`,
        key: api_key,
        body: { url: 'https://8.8.8.8/hook', events: ['alert.created'] },
      };
      const suspend = async () => {
        assert.equal((await scim('PATCH', `/Users/${id}`, OFF)).status, 200);
      };
      assert.equal(await sendAround(held, suspend), 401);
      for (const url of urls) {
        assert.equal((await platform('GET', '/members', undefined, url)).status, 401);
      }
      assert.equal((await scim('PATCH', `/Users/${id}`, ON, urls[1])).status, 200);
      for (const url of urls) {
        assert.equal((await platform('GET', '/members', undefined, url)).status, 200);
      }
      const { body } = await call(`${urls[0]}/api/v1/webhooks`, api_key);
      assert.equal(body.total, 0);
    });

    test('what an administrator took is not given back', async (t) => {
      const { scim, platform, create, memberOf } = await start(t, empty);
      const id = await create('bob');
      const { id: memberId } = await memberOf('bob@acme.example');
      assert.equal((await platform('POST', `/members/${memberId}/suspend`)).status, 200);
      await scim('PATCH', `/Users/${id}`, OFF);
      await scim('PATCH', `/Users/${id}`, ON);
      assert.equal((await memberOf('bob@acme.example')).status, 'suspended');
      assert.equal((await platform('POST', `/members/${memberId}/reactivate`)).status, 200);
      assert.equal((await memberOf('bob@acme.example')).status, 'active');
    });

    test('a member belongs to one user: a second one for it is refused', async (t) => {
      const { scim, create, memberOf } = await start(t, empty);
      const id = await create('ann');
      // The owner keeps the e-mail that the user had.
      assert.equal((await scim('PATCH', `/Users/${id}`, rename('new@acme.example'))).status, 200);
      const second = await scim('POST', '/Users', userBody('ann'));
      assert.deepEqual([second.status, second.body.scimType], [409, 'uniqueness']);
      assert.equal((await scim('GET', '/Users')).body.totalResults, 1);
      assert.equal((await memberOf('ann@acme.example')).status, 'active');
    });

    test('a person whom an administrator removed and invited again is suspended and removed with the user', async (t) => {
      const { scim, platform, create, memberOf } = await start(t, empty);
      for (const isDeleted of [false, true]) {
        const name = isDeleted ? 'eve' : 'bob';
        const email = `${name}@acme.example`;
        const id = await create(name);
        const { id: memberId } = await memberOf(email);
        assert.equal((await platform('DELETE', `/members/${memberId}`)).status, 204);
        // What does not concern the person's access adds nobody.
        const named = patch({ op: 'replace', path: 'displayName', value: 'B' });
        assert.equal((await scim('PATCH', `/Users/${id}`, named)).status, 200);
        assert.equal(await memberOf(email), undefined);
        const invited = await platform('POST', '/members', { email, role: 'editor' });
        assert.equal(invited.status, 201);
        if (isDeleted) {
          assert.equal((await scim('DELETE', `/Users/${id}`)).status, 204);
          assert.equal(await memberOf(email), undefined);
          continue;
        }
        assert.equal((await scim('PATCH', `/Users/${id}`, OFF)).status, 200);
        assert.equal((await memberOf(email)).status, 'suspended');
        const { body } = await platform('GET', '/invitations');
        const invitation = body.invitations.find((each: { email: string }) => each.email === email);
        assert.equal(invitation.status, 'revoked');
        assert.equal((await scim('PATCH', `/Users/${id}`, ON)).status, 200);
        assert.equal((await memberOf(email)).status, 'active');
      }
    });

    test("a userName that is another member's e-mail is refused, and that of another organization is not", async (t) => {
      const { database, urls, scim, platform, create, membersOf } = await start(t, empty);
      const other = await bootstrap(database);
      const members = `${urls[0]}/v1/organizations/${other.organization_id}/members`;
      const theirs = { email: 'x@o.example', role: 'admin' };
      assert.equal((await call(members, other.api_key, 'POST', theirs)).status, 201);
      const id = await create('bob');
      assert.equal(
        (await platform('POST', '/members', { email: 'fay@acme.example', role: 'viewer' })).status,
        201,
      );
      for (const taken of ['ann@acme.example', 'FAY@acme.example']) {
        const { status, body } = await scim('PATCH', `/Users/${id}`, rename(taken));
        assert.deepEqual(
          [status, body.scimType, body.detail],
          [409, 'uniqueness', 'email already in use: another user or member has this userName'],
        );
      }
      assert.equal((await scim('GET', `/Users/${id}`)).body.userName, 'bob@acme.example');
      assert.equal((await scim('PATCH', `/Users/${id}`, rename('x@o.example'))).status, 200);
      assert.equal((await membersOf('x@o.example')).length, 1);
      const { body: listed } = await call(members, other.api_key);
      assert.deepEqual(listed.members.map(({ role }: { role: string }) => role).sort(), [
        'admin',
        'owner',
      ]);
      for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
        const body = method === 'PUT' ? userBody('z') : method === 'PATCH' ? OFF : undefined;
        const stranger = await call(
          `${urls[0]}/scim/v2/Users/${id}`,
          other.scim_token,
          method,
          body,
        );
        assert.equal(stranger.status, 404);
      }
      const group = { displayName: 'G', members: [{ value: id }] };
      const foreign = await call(`${urls[0]}/scim/v2/Groups`, other.scim_token, 'POST', group);
      assert.deepEqual([foreign.status, foreign.body.scimType], [400, 'invalidValue']);
    });
  });
}
