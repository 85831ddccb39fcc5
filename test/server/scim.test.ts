import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { startSmtpPeer } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import type { Answer, EmptyDatabase } from './support.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

const SERVICE = 'urn:service:params:scim:schemas:extension:1.0';

/** A server with one organization, called by its identity provider and by its owner. */
async function start(t: TestContext, empty: EmptyDatabase) {
  const database = await empty.create(t);
  const made = await bootstrap(database);
  const inbox = await startSmtpPeer(t);
  const env = { PROBITY_SMTP_URL: inbox.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
  const { url } = await serve(t, database, { env });
  const organization = `${url}/v1/organizations/${made.organization_id}`;
  const scim = (method: string, path: string, body?: unknown, token = made.scim_token) =>
    call(`${url}/scim/v2${path}`, token, method, body);
  const platform = (method: string, path: string, body?: unknown, key = made.api_key) =>
    call(organization + path, key, method, body);
  const memberOf = async (email: string) => {
    const { body } = await platform('GET', '/members?limit=200');
    return body.members.find((member: { email: string }) => member.email === email);
  };
  const create = async (name: string, more: object = {}) => {
    const { status, body } = await scim('POST', '/Users', userBody(name, more));
    assert.equal(status, 201, JSON.stringify(body));
    return body as { id: string };
  };
  return { ...made, database, url, scim, platform, memberOf, create, inbox };
}

function userBody(name: string, more: object = {}): object {
  const userName = `${name}@acme.example`;
  return { userName, emails: [{ value: userName, primary: true }], ...more };
}

function patch(...Operations: object[]): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
}

const OFF = patch({ op: 'Replace', path: 'active', value: 'False' });
const ON = patch({ op: 'replace', value: { active: true } });

function facts(member: { role: string; status: string; name: string | null } | undefined) {
  return member ? [member.role, member.status, member.name] : null;
}

function assertRefusedKey({ status }: Answer): void {
  assert.equal(status, 401);
}

for (const empty of sampleTargets(emptyDatabases)) {
  describe(`${empty.name}: SCIM of the server`, () => {
    test('answers at the base URL, and needs a token there', async (t) => {
      const { scim, create, url, api_key } = await start(t, empty);
      const { id } = await create('ann');
      for (const path of ['', '/', '?aadOptscim062020', '/?count=1']) {
        const { status, body } = await scim('GET', path);
        assert.deepEqual([status, body.Resources?.[0]?.id], [200, id], path);
      }
      assert.equal((await scim('GET', '', undefined, api_key)).status, 401);
      assert.equal((await scim('DELETE', '')).status, 405);
      assert.equal((await fetch(`${url}/scim/v2`)).status, 401);
      assert.equal((await fetch(`${url}/scim/v20`)).status, 404);
    });

    test('a SCIM user is a member: created, renamed, given a role, suspended, active again and removed', async (t) => {
      const { scim, memberOf, create } = await start(t, empty);
      const roles = { [SERVICE]: { roles: ['Editor', 'other'] }, displayName: 'B\u202eob\n B' };
      const { id } = await create('bob', roles);
      assert.deepEqual(facts(await memberOf('bob@acme.example')), ['editor', 'active', 'B ob B']);
      const read = await scim('GET', `/Users/${id}`);
      assert.equal(read.body.displayName, 'B\u202eob\n B');
      assert.deepEqual(read.body[SERVICE].roles, ['Editor', 'other']);

      await scim('PATCH', `/Users/${id}`, OFF);
      assert.equal((await memberOf('bob@acme.example')).status, 'suspended');
      await scim('PATCH', `/Users/${id}`, ON);
      assert.equal((await memberOf('bob@acme.example')).status, 'active');

      const changes = patch(
        { op: 'replace', path: 'userName', value: 'rob@acme.example' },
        { op: 'replace', path: `${SERVICE}:roles`, value: ['owner'] },
        { op: 'replace', path: 'displayName', value: 'Rob' },
      );
      assert.equal((await scim('PATCH', `/Users/${id}`, changes)).status, 200);
      assert.equal(await memberOf('bob@acme.example'), undefined);
      assert.deepEqual(facts(await memberOf('rob@acme.example')), ['admin', 'active', 'Rob']);

      assert.equal((await scim('DELETE', `/Users/${id}`)).status, 204);
      assert.equal(await memberOf('rob@acme.example'), undefined);
    });

    test('a regenerated token ends the former one at once and keeps the users', async (t) => {
      const { url, scim, platform, create, memberOf } = await start(t, empty);
      const { id } = await create('bob', { [SERVICE]: { roles: ['admin'] } });
      const link = await platform('POST', '/scim', {});
      assert.equal(link.status, 201);
      const token = link.body.token as string;
      // The old token of the identity provider has ended.
      assert.equal((await scim('GET', '/Users')).status, 401);
      assert.equal((await scim('PATCH', `/Users/${id}`, OFF, token)).status, 200);
      assert.equal((await memberOf('bob@acme.example')).status, 'suspended');
      assert.equal((await call(`${url}/scim/v2/Users/${id}`, token)).body.active, false);
    });

    test('an invited person is activated, and an existing member is linked with its role', async (t) => {
      const { platform, memberOf, create, scim } = await start(t, empty);
      for (const [name, role] of [
        ['eve', 'editor'],
        ['fay', 'admin'],
      ]) {
        const invited = { email: `${name}@acme.example`, role };
        assert.equal((await platform('POST', '/members', invited)).status, 201);
      }
      const { id } = await create('eve');
      assert.deepEqual(facts(await memberOf('eve@acme.example')), ['editor', 'active', null]);
      const { body } = await platform('GET', '/invitations');
      const invitation = body.invitations.find(
        ({ email }: { email: string }) => email === 'eve@acme.example',
      );
      assert.equal(invitation.status, 'revoked');
      await create('fay', { [SERVICE]: { roles: ['viewer'] } });
      assert.equal((await memberOf('fay@acme.example')).role, 'viewer');
      assert.equal((await scim('POST', '/Users', userBody('EVE'))).status, 409);
      assert.equal((await scim('GET', '/Users')).body.totalResults, 2);
      assert.equal((await scim('DELETE', `/Users/${id}`)).status, 204);
    });

    test('the last owner can be suspended and not deleted, and keeps role and e-mail', async (t) => {
      const { url, scim, memberOf, create, api_key } = await start(t, empty);
      const { id } = await create('ann', { [SERVICE]: { roles: ['viewer'] } });
      assert.equal((await memberOf('ann@acme.example')).role, 'owner');
      const rename = patch({ op: 'replace', path: 'userName', value: 'evil@acme.example' });
      assert.equal((await scim('PATCH', `/Users/${id}`, rename)).status, 200);
      assert.equal((await memberOf('ann@acme.example')).role, 'owner');
      const refused = await scim('DELETE', `/Users/${id}`);
      assert.deepEqual([refused.status, refused.body.status], [409, '409']);
      assert.equal((await scim('GET', `/Users/${id}`)).status, 200);
      assert.equal((await scim('PATCH', `/Users/${id}`, OFF)).status, 200);
      assertRefusedKey(await call(`${url}/v1/organizations`, api_key));
      assert.equal((await scim('PATCH', `/Users/${id}`, ON)).status, 200);
      assert.equal((await call(`${url}/v1/organizations`, api_key)).status, 200);
    });

    test('the other admins are mailed when the last owner is suspended, once', async (t) => {
      const { scim, create, inbox } = await start(t, empty);
      await create('bob', { [SERVICE]: { roles: ['admin'] } });
      const { id } = await create('ann');
      for (const change of [OFF, OFF]) {
        assert.equal((await scim('PATCH', `/Users/${id}`, change)).status, 200);
      }
      assert.match(await inbox.textTo('bob@acme.example'), /deactivated ann@acme\.example/);
      // What is mailed later arrives later: one notice is all that there was.
      await create('cid', { [SERVICE]: { roles: ['admin'] } });
      assert.equal((await scim('PATCH', `/Users/${id}`, ON)).status, 200);
      assert.equal((await scim('PATCH', `/Users/${id}`, OFF)).status, 200);
      assert.match(await inbox.textTo('cid@acme.example'), /deactivated ann@acme\.example/);
      const toBob = inbox.mails.filter(({ to }) => to.includes('bob@acme.example'));
      assert.ok(toBob.length <= 2, `${toBob.length} mails`);
    });

    test('a provisioned person sets a password by mail and signs in under a confirmed userName', async (t) => {
      const { url, scim, create, inbox, platform, memberOf } = await start(t, empty);
      const { id } = await create('bob', { password: 'sent by the provider 7' });
      const login = (name: string, password: string) =>
        call(`${url}/v1/auth/login`, null, 'POST', { email: `${name}@acme.example`, password });
      const forget = (name: string) =>
        call(`${url}/v1/auth/password/forgot`, null, 'POST', { email: `${name}@acme.example` });
      assert.equal((await login('bob', 'sent by the provider 7')).status, 401);
      assert.equal((await forget('bob')).status, 202);
      const mail = await inbox.textTo('bob@acme.example');
      const token = /token=(prs_\w{38})/.exec(mail)?.[1] ?? '';
      const password = 'the own one of Bob 7';
      const body = { token, password };
      assert.equal((await call(`${url}/v1/auth/password/reset`, null, 'POST', body)).status, 204);
      const signedIn = await login('bob', password);
      assert.equal(signedIn.status, 200);
      const rename = patch({ op: 'replace', path: 'userName', value: 'rob@acme.example' });
      assert.equal((await scim('PATCH', `/Users/${id}`, rename)).status, 200);
      assert.equal((await login('bob', password)).status, 200, 'until an owner confirms it');
      assert.equal((await login('rob', password)).status, 401);
      const { id: member } = await memberOf('bob@acme.example');
      const confirmed = { email: 'rob@acme.example' };
      assert.equal((await platform('PATCH', `/members/${member}`, confirmed)).status, 200);
      assert.equal((await login('bob', password)).status, 401);
      assert.equal((await login('rob', password)).status, 200);
      assert.equal((await scim('PATCH', `/Users/${id}`, OFF)).status, 200);
      assert.notEqual((await login('rob', password)).status, 200);
      const session = await call(`${url}/v1/auth/session`, signedIn.body.access_token);
      assert.equal(session.status, 401);
    });

    test('only SCIM tokens are accepted, and an access token that they get', async (t) => {
      const { url, scim, platform, scim_token, api_key, organization_id } = await start(t, empty);
      for (const token of [api_key, 'psc_wrong', null]) {
        const { status, body } = await call(`${url}/scim/v2/Users`, token);
        assert.deepEqual([status, body.detail], [401, 'invalid bearer token']);
      }
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: organization_id,
        client_secret: scim_token,
      });
      const issued = await fetch(`${url}/scim/v2/oauth/token`, { method: 'POST', body: form });
      const { access_token } = (await issued.json()) as { access_token: string };
      assert.equal((await scim('GET', '/Users', undefined, access_token)).status, 200);
      assert.equal((await scim('POST', '/Users', userBody('bob'), access_token)).status, 201);
      assert.equal((await platform('DELETE', '/scim')).status, 204);
      assert.equal((await scim('GET', '/Users', undefined, access_token)).status, 401);
      assert.equal((await scim('GET', '/Users')).status, 401);
      const config = await call(`${url}/v1/organizations`, access_token);
      assert.equal(config.status, 401);
    });

    test('an administrator sees what the identity provider does', async (t) => {
      const { scim, platform, create } = await start(t, empty);
      const { id } = await create('bob');
      await scim('POST', '/Groups', { displayName: 'Team', members: [{ value: id }] });
      await scim('POST', '/Users', userBody('bob'));
      await scim('POST', '/Users', { userName: 5 });
      const activity = await platform('GET', '/scim/activity');
      assert.equal(activity.status, 200);
      const { requests } = activity.body;
      const { user_count, group_count } = (await platform('GET', '/scim')).body;
      assert.deepEqual([user_count, group_count], [1, 1]);
      assert.deepEqual(
        requests.map(({ method, path, status }: Record<string, unknown>) => [method, path, status]),
        [
          ['POST', '/Users', 400],
          ['POST', '/Users', 409],
          ['POST', '/Groups', 201],
          ['POST', '/Users', 201],
        ],
      );
      assert.match(requests[0].detail, /userName/);
      assert.equal(
        requests[1].detail,
        'email already in use: another user or member has this userName',
      );
      assert.equal(requests[2].detail, null);
    });

    test('changes are in the audit log under the token', async (t) => {
      const { scim, platform, create } = await start(t, empty);
      const { id } = await create('bob');
      await scim('PATCH', `/Users/${id}`, OFF);
      const { body } = await platform('GET', '/audit-log?limit=10');
      const actions = body.audit_log.map(({ action }: { action: string }) => action);
      assert.deepEqual(actions.slice(0, 4).sort(), [
        'member.added',
        'member.suspended',
        'scim_user.created',
        'scim_user.updated',
      ]);
      assert.match(body.audit_log[0].actor.id, /^sct_/);
    });

    test('addresses in bodies have the public URL, not that of the request', async (t) => {
      const { database, scim_token } = await start(t, empty);
      const { url } = await serve(t, database, {
        env: { PROBITY_PUBLIC_URL: 'https://probity.example/base' },
      });
      const created = await call(`${url}/scim/v2/Users`, scim_token, 'POST', userBody('bob'));
      const location = `https://probity.example/base/scim/v2/Users/${created.body.id}`;
      assert.equal(created.headers.get('location'), location);
      assert.equal(created.body.meta.location, location);
    });
  });
}
