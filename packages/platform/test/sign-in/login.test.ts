import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCidrList } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import type { AuditLine } from '../members/world.ts';
import { targets } from '../support.ts';
import type { SignInWorld, WireError, WireSignedIn } from './world.ts';
import { bodyOf, createSignInWorld, PASSWORD } from './world.ts';

const WRONG = { email: 'ann@example.com', password: 'wrong password' };

async function fail(world: SignInWorld, times: number, input: object = WRONG): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    assert.equal((await world.login(input)).status, 401, `attempt ${count + 1}`);
  }
}

/** Status, body without the request's identifier, and the relevant headers. */
async function factsOf(sent: Promise<Response>) {
  const response = await sent;
  const { request_id: _, ...body } = (await response.json()) as Record<string, unknown>;
  const header = (name: string) => response.headers.get(name);
  return [response.status, body, header('retry-after'), header('www-authenticate')];
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: signing in`, () => {
    test('a password set with the invitation signs in, with the e-mail in any case', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword('Ann@Example.com', 'editor');
      const browser = await world.browser();
      const body = { email: 'ANN@example.com', password: PASSWORD };
      const signedIn = await bodyOf<WireSignedIn>(world.login(body, browser), 200);
      const { organizationId } = world.organization;
      assert.deepEqual(signedIn, {
        access_token: browser.cookies.get('__Host-probity_access'),
        token_type: 'Bearer',
        expires_in: 900,
        csrf_token: browser.cookies.get('__Host-probity_csrf'),
        member: {
          id,
          email: 'Ann@Example.com',
          name: null,
          role: 'editor',
          status: 'active',
          created_at: '2026-01-01T00:00:00.000Z',
          last_login: '2026-01-01T00:00:00.000Z',
          mfa_enabled: false,
        },
        organization: { id: organizationId, ...(await nameOf(world)) },
      });
      const [entry] = await world.audited();
      assert.equal(entry?.action, 'session.created');
      assert.equal(entry?.actor.id, id);
      assert.equal(entry?.actor.credential_id, entry?.target.id);
      assert.match(entry?.target.id ?? '', /^ses_/);
    });

    test('the session cookies are bound to the host, HTTPS and same-site requests', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com');
      const browser = await world.browser('ann@example.com');
      const attributes = browser.setCookies().map((line) => line.replace(/=[^;]+/, '').split('; '));
      const strict = ['Path=/', 'SameSite=Strict', 'Secure'];
      assert.deepEqual(
        attributes.map(([name, ...rest]) => [name, ...rest.toSorted()]),
        [
          ['__Host-probity_access', 'HttpOnly', 'Max-Age=900', ...strict],
          ['__Host-probity_refresh', 'HttpOnly', 'Max-Age=2592000', ...strict],
          ['__Host-probity_csrf', 'Max-Age=2592000', ...strict],
        ],
      );
    });

    test('a sign-in takes nothing over from cookies that were planted before', async (t) => {
      const world = await createSignInWorld(t, target);
      const [ann, eve] = ['ann@example.com', 'eve@example.com'];
      await world.joinWithPassword(ann);
      await world.joinWithPassword(eve);
      const planted = await world.browser(eve);
      const browser = planted.copy();
      assert.equal((await world.login({ email: ann, password: PASSWORD }, browser)).status, 200);
      for (const [name, value] of planted.cookies) {
        assert.notEqual(browser.cookies.get(name), value, name);
      }
      const [family, plantedFamily] = [browser, planted].map(({ cookies }) =>
        cookies.get('__Host-probity_refresh')?.slice(0, 'prt_'.length + 32),
      );
      assert.notEqual(family, plantedFamily);
      const members = [browser, planted].map(async (each) => {
        await bodyOf(each.send('POST', '/auth/refresh'), 200);
        return (await bodyOf<WireSignedIn>(each.send('GET', '/auth/session'), 200)).member.email;
      });
      assert.deepEqual(await Promise.all(members), [ann, eve]);
    });

    test('the form of a page of another site signs nobody in', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com');
      const browser = await world.browser();
      const body = { email: 'ann@example.com', password: PASSWORD };
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const headers = { 'content-type': type };
        assert.equal((await browser.send('POST', '/auth/login', { body, headers })).status, 415);
      }
      assert.equal(browser.cookies.size, 0);
    });

    test('the access token is valid for fifteen minutes, as a bearer token and as a cookie', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword('ann@example.com');
      const browser = await world.browser('ann@example.com');
      const token = browser.cookies.get('__Host-probity_access') ?? '';
      const csrf = browser.cookies.get('__Host-probity_csrf');
      for (const sent of [
        browser.send('GET', '/auth/session'),
        world.send('GET', '/auth/session', { token }),
      ]) {
        const current = await bodyOf<WireSignedIn & { expires_at: string }>(sent, 200);
        assert.equal(current.member.id, id);
        assert.equal(current.csrf_token, csrf);
        assert.equal(current.expires_at, '2026-01-31T00:00:00.000Z');
        assert.equal(current.organization.id, world.organization.organizationId);
      }
      await world.clock.advance(15 * 60_000 - 1_000);
      assert.equal((await world.send('GET', '/auth/session', { token })).status, 200);
      await world.clock.advance(1_000);
      assert.equal((await world.send('GET', '/auth/session', { token })).status, 401);
      assert.equal((await browser.send('GET', '/auth/session')).status, 401);
    });

    test('sign-in answers alike for a wrong e-mail and a wrong password', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com');
      await world.join('without@example.com', 'viewer');
      const suspended = await world.joinWithPassword('gone@example.com');
      await world.send('POST', `${world.membersPath}/${suspended}/suspend`);
      await world.invite('pending@example.com');
      const wrong = await factsOf(world.login(WRONG));
      assert.equal(wrong[0], 401);
      assert.equal(wrong[3], 'Bearer realm="probity-platform"');
      for (const name of ['nobody', 'without', 'gone', 'pending']) {
        const sent = world.login({ email: `${name}@example.com`, password: PASSWORD });
        assert.deepEqual(await factsOf(sent), wrong, name);
      }
      const elsewhere = { ...WRONG, password: PASSWORD, organization_id: 'org_none' };
      assert.deepEqual(await factsOf(world.login(elsewhere)), wrong);
    });

    test('with accounts in several organizations the password decides, then organization_id', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com', 'viewer');
      const other = await world.bootstrap('Øther');
      const add = (email: string, password: string) =>
        joinOther(world, other.organizationId, other.apiKey, email, password);
      await add('ann@example.com', 'quite another 1');
      const first = await bodyOf<WireSignedIn>(
        world.login({ email: 'ann@example.com', password: 'quite another 1' }),
        200,
      );
      assert.equal(first.organization.id, other.organizationId);
      await world.joinWithPassword('bob@example.com');
      await add('bob@example.com', PASSWORD);
      const body = { email: 'bob@example.com', password: PASSWORD };
      const error = await bodyOf<WireError>(world.login(body), 400);
      assert.equal(error.error, 'invalid_request');
      const ids = [world.organization.organizationId, other.organizationId];
      assert.deepEqual(
        error.details?.map(({ field }) => field),
        ['organization_id', 'organization_id'],
      );
      for (const id of ids) assert.ok(error.details?.some(({ message }) => message.includes(id)));
      assert.match(error.message, /Øther/);
      for (const organization_id of ids) {
        const chosen = await bodyOf<WireSignedIn>(world.login({ ...body, organization_id }), 200);
        assert.equal(chosen.organization.id, organization_id);
      }
    });

    test('the tenth sign-in failure locks for fifteen minutes, even for the right password', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword('ann@example.com');
      await fail(world, 10);
      const right = { email: 'Ann@example.com', password: PASSWORD };
      const refused = await world.login(right);
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get('retry-after'), '900');
      assert.equal(((await refused.json()) as WireError).error, 'rate_limited');
      const [entry] = await world.audited();
      assert.deepEqual([entry?.action, entry?.target.id], ['member.sign_in_locked', id]);
      await world.clock.advance(15 * 60_000 - 1);
      assert.equal((await world.login(right)).status, 429);
      await world.clock.advance(1);
      assert.equal((await world.login(right)).status, 200);
      await fail(world, 9);
      assert.equal((await world.login(right)).status, 200);
    });

    test('an unknown e-mail is locked with the same response', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com');
      await fail(world, 10);
      const nobody = { email: 'nobody@example.com', password: 'some password' };
      await fail(world, 10, nobody);
      assert.deepEqual(await factsOf(world.login(nobody)), await factsOf(world.login(WRONG)));
    });

    test('a successful sign-in resets the failure count, and so does a day without failures', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com');
      const right = { email: 'ann@example.com', password: PASSWORD };
      await fail(world, 9);
      assert.equal((await world.login(right)).status, 200);
      await fail(world, 9);
      await world.clock.advance(86_400_000);
      await fail(world, 9);
      assert.equal((await world.login(right)).status, 200);
    });

    test('a sign-in to another organization does not clear the failures of an account', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com');
      const other = await world.bootstrap('Øther');
      const { organizationId, apiKey } = other;
      await joinOther(world, organizationId, apiKey, 'ann@example.com', 'quite another 1');
      const attack = { ...WRONG, organization_id: world.organization.organizationId };
      const own = { email: 'ann@example.com', password: 'quite another 1' };
      await fail(world, 9, attack);
      assert.equal((await world.login(own)).status, 200);
      await fail(world, 1, attack);
      const victim = { ...attack, password: PASSWORD };
      assert.equal((await world.login(victim)).status, 429);
      // Without organization_id too, whatever the password.
      assert.equal((await world.login({ ...own, password: PASSWORD })).status, 429);
      assert.equal((await world.login(WRONG)).status, 429);
      assert.equal((await world.login(own)).status, 200);
      await world.clock.advance(15 * 60_000);
      assert.equal((await world.login(victim)).status, 200);
    });

    test('a lock does not disclose whether an organization has an account of the e-mail', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com');
      for (const email of ['ann@example.com', 'nobody@example.com']) {
        const { organizationId } = world.organization;
        await fail(world, 5, { ...WRONG, email, organization_id: organizationId });
        await fail(world, 5, { ...WRONG, email });
        for (const organization_id of [organizationId, 'org_none', undefined]) {
          const sent = await world.login({ ...WRONG, email, organization_id });
          assert.equal(sent.status, 429, `${email} ${organization_id}`);
        }
      }
    });

    test('of concurrent password guesses exactly ten are answered', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword('ann@example.com');
      const guesses = Array.from({ length: 40 }, () => world.login(WRONG));
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 401).length, 10);
      assert.equal(statuses.filter((status) => status === 429).length, 30);
      const right = { email: 'ann@example.com', password: PASSWORD };
      assert.equal((await world.login(right)).status, 429);
    });

    test('sign-in and sessions obey the IP allowlist', async (t) => {
      const trustedProxies = parseCidrList('127.0.0.1');
      const world = await createSignInWorld(t, target, { trustedProxies });
      await world.joinWithPassword('ann@example.com');
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
      const path = `/organizations/${world.organization.organizationId}`;
      const body = { settings: { ip_allowlist: ['192.0.2.0/24'] } };
      const browser = await world.browser('ann@example.com');
      const changed = await world.send('PATCH', path, { body, ...from('192.0.2.1') });
      assert.equal(changed.status, 200);
      const login = (address: string) =>
        browser.copy().send('POST', '/auth/login', {
          body: { email: 'ann@example.com', password: PASSWORD },
          ...from(address),
        });
      assert.equal((await login('192.0.2.9')).status, 200);
      const current = (address: string) => browser.send('GET', '/auth/session', from(address));
      assert.equal((await current('198.51.100.1')).status, 403);
      assert.equal((await current('192.0.2.9')).status, 200);
    });

    test('outside the IP allowlist the right password is answered and counted like a wrong one', async (t) => {
      const trustedProxies = parseCidrList('127.0.0.1');
      const world = await createSignInWorld(t, target, { trustedProxies });
      const id = await world.joinWithPassword('ann@example.com');
      const path = `/organizations/${world.organization.organizationId}`;
      const [inside, outside] = ['192.0.2.1', '198.51.100.1'].map((address) => ({
        headers: { 'x-forwarded-for': address },
      }));
      const settings = { ip_allowlist: ['192.0.2.0/24'] };
      await bodyOf(world.send('PATCH', path, { body: { settings }, ...inside }), 200);
      const browser = await world.browser();
      const login = (password: string, from: object = {}) => {
        const body = { email: 'ann@example.com', password };
        return browser.copy().send('POST', '/auth/login', { body, ...from });
      };
      const wrong = await factsOf(login('wrong one', outside));
      assert.equal(wrong[0], 401);
      assert.deepEqual(await factsOf(login(PASSWORD, outside)), wrong);
      const { audit_log: log } = await bodyOf<{ audit_log: AuditLine[] }>(
        world.send('GET', `${path}/audit-log`, inside),
        200,
      );
      const [entry] = log;
      assert.deepEqual(
        [entry?.action, entry?.target.id, entry?.after],
        ['member.sign_in_refused', id, { reason: 'ip_allowlist' }],
      );
      for (let count = 2; count < 10; count += 1) await login(PASSWORD, outside);
      assert.equal((await login(PASSWORD, inside)).status, 429);
    });

    test('renewal, password reset and acceptance of an invitation obey the IP allowlist', async (t) => {
      const trustedProxies = parseCidrList('127.0.0.1');
      const world = await createSignInWorld(t, target, { trustedProxies });
      await world.joinWithPassword('ann@example.com');
      await world.invite('bob@example.com');
      const invitation = await world.receiveToken('bob@example.com');
      const browser = await world.browser('ann@example.com');
      const { organizationId, setupToken } = world.organization;
      const [inside, outside] = ['192.0.2.1', '198.51.100.1'].map((address) => ({
        headers: { 'x-forwarded-for': address },
      }));
      const settings = { ip_allowlist: ['192.0.2.0/24'] };
      const path = `/organizations/${organizationId}`;
      const changed = await world.send('PATCH', path, { body: { settings }, ...inside });
      assert.equal(changed.status, 200);
      const calls: Array<[string, object]> = [
        ['/auth/refresh', {}],
        ['/auth/password/reset', { body: { token: setupToken, password: PASSWORD } }],
        ['/invitations/accept', { body: { token: invitation, password: PASSWORD } }],
      ];
      for (const [where, request] of calls) {
        const refused = await browser.send('POST', where, { ...request, ...outside });
        assert.equal(refused.status, 403, where);
        const { status } = await browser.send('POST', where, { ...request, ...inside });
        assert.ok(status === 200 || status === 204, `${where} ${status}`);
      }
    });

    test('many simultaneous sign-ins from one address are refused with 429 and Retry-After', async (t) => {
      const trustedProxies = parseCidrList('127.0.0.1');
      const world = await createSignInWorld(t, target, { trustedProxies });
      const from = async (address: string, index: number) => {
        const browser = await world.browser();
        const body = { email: `nobody-${index}@example.com`, password: PASSWORD };
        const headers = { 'x-forwarded-for': address };
        return browser.send('POST', '/auth/login', { body, headers });
      };
      const flood = Array.from({ length: 85 }, (_, index) => from('192.0.2.1', index));
      const other = await from('192.0.2.2', 99);
      assert.equal(other.status, 401);
      const answers = await Promise.all(flood);
      for (const { status, headers } of answers) {
        assert.equal(headers.get('retry-after') !== null, status === 429);
        assert.ok(status === 401 || status === 429, `${status}`);
      }
    });

    test('an invitation accepted with a password that breaks a rule is refused and stays open', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.invite('ann.lee@example.com');
      const token = await world.receiveToken('ann.lee@example.com');
      for (const password of ['short', 'Password123', 'ANN.LEE@example.com']) {
        const error = await bodyOf<WireError>(world.accept(token, { password }), 400);
        assert.equal(error.error, 'invalid_request');
        assert.equal(error.details?.[0]?.field, 'password');
      }
      assert.equal((await world.accept(token, { password: PASSWORD })).status, 200);
      const actions = (await world.audited()).map(({ action }) => action);
      assert.ok(actions.includes('invitation.accepted'));
    });
  });
}

async function nameOf(world: SignInWorld) {
  const { organizationId } = world.organization;
  const found = await world.opened.storage.findOrganization(organizationId);
  return { name: found?.name, slug: found?.slug };
}

/** Creates an active member with a password in another organization. */
async function joinOther(
  world: SignInWorld,
  organizationId: string,
  token: string,
  email: string,
  password: string,
): Promise<void> {
  const path = `/organizations/${organizationId}/members`;
  await bodyOf(world.send('POST', path, { token, body: { email, role: 'viewer' } }), 201);
  const accepted = await world.accept(await world.receiveToken(email), { password });
  assert.equal(accepted.status, 200);
}
