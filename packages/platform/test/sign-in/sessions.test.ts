import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import {
  createMemberAuthentication,
  createMemberConfirmation,
} from '../../src/sign-in/session-authentication.ts';
import { createSqlPlatformStorage } from '../../src/sql.ts';
import { errorOf } from '../members/world.ts';
import { sqlTargets, targets, testRuntime } from '../support.ts';
import type { Browser } from './browser.ts';
import type { SignInWorld, WireSignedIn } from './world.ts';
import { bodyOf, createSignInWorld } from './world.ts';

const ANN = 'ann@example.com';

interface WireSessions {
  readonly sessions: ReadonlyArray<{
    readonly id: string;
    readonly created_at: string;
    readonly last_used: string;
    readonly expires_at: string;
    readonly address: string | null;
    readonly user_agent: string | null;
    readonly is_current: boolean;
  }>;
  readonly total: number;
}

const refresh = (browser: Browser, request = {}) => browser.send('POST', '/auth/refresh', request);
const whoAmI = (browser: Browser) => browser.send('GET', '/auth/session');

async function lastAction(world: SignInWorld): Promise<string | undefined> {
  return (await world.audited())[0]?.action;
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: sessions`, () => {
    test('a refresh returns new tokens, even after the access token has expired', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      const before = new Map(browser.cookies);
      await world.clock.advance(20 * 60_000);
      assert.equal((await whoAmI(browser)).status, 401);
      const renewed = await bodyOf<WireSignedIn>(refresh(browser), 200);
      assert.equal(renewed.member.email, ANN);
      assert.equal(renewed.csrf_token, before.get('__Host-probity_csrf'));
      for (const name of ['__Host-probity_access', '__Host-probity_refresh'])
        assert.notEqual(browser.cookies.get(name), before.get(name));
      assert.equal((await whoAmI(browser)).status, 200);
    });

    test('a session ends thirty days after the sign-in, however often it is renewed', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      for (let day = 0; day < 30; day += 10) {
        assert.equal((await refresh(browser)).status, 200);
        await world.clock.advance(10 * 86_400_000 - 1);
      }
      const last = await refresh(browser);
      assert.match(last.headers.getSetCookie()[1] ?? '', /Max-Age=0;/);
      await world.clock.advance(3);
      assert.deepEqual(await errorOf(refresh(browser)), [401, 'unauthorized']);
      assert.equal((await whoAmI(browser)).status, 401);
    });

    test('reusing a refresh token ends the session', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      const thief = browser.copy();
      assert.equal((await refresh(browser)).status, 200);
      await world.clock.advance(10_000);
      assert.deepEqual(await errorOf(refresh(thief)), [401, 'unauthorized']);
      assert.equal((await whoAmI(browser)).status, 401);
      assert.equal((await refresh(browser)).status, 401);
      const [entry] = await world.audited();
      assert.deepEqual([entry?.action, entry?.actor.id], ['session.refresh_reused', id]);
    });

    test('reuse of an older refresh token is detected within the grace period of a newer one', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      const thief = browser.copy();
      for (let count = 0; count < 3; count += 1) assert.equal((await refresh(browser)).status, 200);
      assert.equal((await refresh(thief)).status, 401);
      assert.equal((await whoAmI(browser)).status, 401);
    });

    test('two concurrent refreshes renew the session once and do not end it', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      const windows = [browser.copy(), browser.copy(), browser.copy()];
      const answers = await Promise.all(windows.map((window) => refresh(window)));
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), [200, 409, 409]);
      const refused = answers.find(({ status }) => status === 409);
      assert.deepEqual(refused?.headers.getSetCookie(), []);
      assert.equal(refused?.headers.get('retry-after'), '1');
      const winner = windows[statuses.indexOf(200)] as Browser;
      assert.equal((await whoAmI(winner)).status, 200);
      assert.equal((await refresh(winner)).status, 200);
    });

    test('a session refresh without a valid refresh token or CSRF token is refused', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      for (const csrf of [null, 'wrong']) {
        assert.deepEqual(await errorOf(refresh(browser, { csrf })), [403, 'forbidden']);
      }
      for (const value of ['', 'prt_', `prt_${'a'.repeat(64)}`, world.organization.apiKey]) {
        const other = browser.copy();
        other.cookies.set('__Host-probity_refresh', value);
        assert.deepEqual(await errorOf(refresh(other)), [401, 'unauthorized'], value);
      }
      assert.equal((await refresh(browser)).status, 200);
    });

    test('signing out ends the session and removes its cookies', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      const copy = browser.copy();
      const refused = await browser.send('POST', '/auth/logout', { csrf: null });
      assert.equal(refused.status, 403);
      await world.clock.advance(60 * 60_000);
      const response = await browser.send('POST', '/auth/logout');
      assert.deepEqual([response.status, await response.text()], [204, '']);
      assert.equal(browser.cookies.size, 0);
      assert.equal(await lastAction(world), 'session.ended');
      assert.equal((await refresh(copy)).status, 401);
      assert.equal((await copy.send('POST', '/auth/logout')).status, 204);
      assert.equal((await browser.send('POST', '/auth/logout')).status, 204);
    });

    test('an access token alone signs out, even after it has expired', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      const token = browser.cookies.get('__Host-probity_access') ?? '';
      await world.clock.advance(16 * 60_000);
      assert.equal((await world.send('POST', '/auth/logout', { token })).status, 204);
      assert.equal((await refresh(browser)).status, 401);
      assert.equal((await world.send('POST', '/auth/logout')).status, 204);
    });

    test('members list their own sessions and end them one by one', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      await world.joinWithPassword('bob@example.com');
      const first = await world.browser(ANN);
      await world.clock.advance(1_000);
      const second = await world.browser(ANN);
      const bob = await world.browser('bob@example.com');
      const list = await bodyOf<WireSessions>(first.send('GET', '/auth/sessions'), 200);
      assert.equal(list.total, 2);
      const [newest, own] = list.sessions;
      assert.deepEqual(own, {
        id: own?.id,
        created_at: '2026-01-01T00:00:00.000Z',
        last_used: '2026-01-01T00:00:00.000Z',
        expires_at: '2026-01-31T00:00:00.000Z',
        address: '127.0.0.1',
        user_agent: 'Test browser',
        is_current: true,
      });
      assert.equal(newest?.is_current, false);
      const path = `/auth/sessions/${newest?.id}`;
      assert.deepEqual(await errorOf(bob.send('DELETE', path)), [404, 'not_found']);
      assert.equal((await first.send('DELETE', path)).status, 204);
      assert.deepEqual(await errorOf(first.send('DELETE', path)), [404, 'not_found']);
      assert.equal((await whoAmI(second)).status, 401);
      assert.equal((await whoAmI(first)).status, 200);
      assert.equal(await lastAction(world), 'session.ended');
    });

    test('a session has the present role of its member', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword(ANN, 'admin');
      const browser = await world.browser(ANN);
      const keys = `/organizations/${world.organization.organizationId}/api-keys`;
      const create = () => browser.send('POST', keys, { body: { name: 'Key' } });
      assert.equal((await create()).status, 201);
      await world.send('PATCH', `${world.membersPath}/${id}`, { body: { role: 'viewer' } });
      assert.deepEqual(await errorOf(create()), [403, 'forbidden']);
      assert.equal((await browser.send('GET', world.membersPath)).status, 200);
    });

    test('a suspended member is signed out at once, and must sign in again after reactivation', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      await world.send('POST', `${world.membersPath}/${id}/suspend`);
      assert.equal((await whoAmI(browser)).status, 401);
      assert.equal((await refresh(browser)).status, 401);
      await world.send('POST', `${world.membersPath}/${id}/reactivate`);
      assert.equal((await whoAmI(browser)).status, 401);
      assert.equal((await refresh(browser)).status, 401);
      assert.equal((await whoAmI(await world.browser(ANN))).status, 200);
    });

    test('deleting the member or the organization deletes its sessions', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword(ANN);
      await world.joinWithPassword('bob@example.com');
      const [ann, bob] = [await world.browser(ANN), await world.browser('bob@example.com')];
      await world.send('DELETE', `${world.membersPath}/${id}`);
      assert.equal((await whoAmI(ann)).status, 401);
      assert.equal((await refresh(ann)).status, 401);
      assert.equal((await whoAmI(bob)).status, 200);
      const { slug } = (await bodyOf<WireSignedIn>(whoAmI(bob), 200)).organization;
      const path = `/organizations/${world.organization.organizationId}?confirm=${slug}`;
      assert.equal((await world.send('DELETE', path)).status, 204);
      assert.equal((await whoAmI(bob)).status, 401);
      assert.equal((await refresh(bob)).status, 401);
    });
  });
}

for (const target of sqlTargets) {
  test(`${target.name}: ending a session on one instance ends it on all instances`, async (t) => {
    const world = await createSignInWorld(t, target);
    const another = world.opened.openAnother();
    assert.ok(another);
    const runtime = testRuntime({ database: another, clock: world.clock });
    const storage = createSqlPlatformStorage(another);
    const authenticate = createMemberAuthentication(runtime, { storage });
    const confirmer = createMemberConfirmation(runtime, { storage });
    const confirm = (token: string) =>
      another.transaction((session) => confirmer(token, session as never));
    const id = await world.joinWithPassword(ANN);
    const ends = {
      logout: (browser: Browser) => browser.send('POST', '/auth/logout'),
      suspension: () => world.send('POST', `${world.membersPath}/${id}/suspend`),
      removal: () => world.send('DELETE', `${world.membersPath}/${id}`),
    };
    for (const [name, end] of Object.entries(ends)) {
      await world.send('POST', `${world.membersPath}/${id}/reactivate`);
      const browser = await world.browser(ANN);
      const token = browser.cookies.get('__Host-probity_access') ?? '';
      const caller = await authenticate({ token: token, address: null });
      assert.equal(caller?.memberId, id, name);
      const confirmed = await confirm(token);
      assert.deepEqual([confirmed?.keyId, confirmed?.role], [caller.keyId, caller.role], name);
      await end(browser);
      assert.equal(await authenticate({ token: token, address: null }), null, name);
      assert.equal(await confirm(token), null, name);
    }
  });
}
