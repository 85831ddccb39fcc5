import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Database } from '@probity/core';
import { systemRandom } from '@probity/core';
import { mintToken } from '@probity/core/internal';
import { sampleTargets } from '@probity/test-support/combinations';
import { PASSWORD_RESET_QUEUE } from '../../src/sign-in/password-resets.ts';
import { errorOf } from '../members/world.ts';
import { targets } from '../support.ts';
import type { Browser } from './browser.ts';
import type { SignInWorld, WireError } from './world.ts';
import { bodyOf, createSignInWorld, PASSWORD } from './world.ts';

const ANN = 'ann@example.com';
const NEW_PASSWORD = 'quite another one';

const whoAmI = (browser: Browser) => browser.send('GET', '/auth/session');

function change(browser: Browser, current: string | undefined, next = NEW_PASSWORD) {
  const body = { current_password: current, new_password: next };
  return browser.send('POST', '/auth/password', { body });
}

async function forget(world: SignInWorld, email: string): Promise<void> {
  const browser = await world.browser();
  const response = await browser.send('POST', '/auth/password/forgot', { body: { email } });
  assert.deepEqual([response.status, await response.text()], [202, '']);
  await world.resetWorker.runOnce();
  await world.resetWorker.runOnce();
}

function tokenOf(world: SignInWorld): string {
  const link = /^https:\/\/probity\.example\.com\/password\/reset\?token=(\w+)$/m;
  const token = link.exec(world.resetMails.at(-1)?.text ?? '')?.[1];
  assert.ok(token, 'no mail with a token');
  return token;
}

async function reset(world: SignInWorld, token: string, password = NEW_PASSWORD) {
  const browser = await world.browser();
  return browser.send('POST', '/auth/password/reset', { body: { token, password } });
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: passwords`, () => {
    test('changing a password ends all other sessions and takes effect at once', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword(ANN);
      const [browser, other] = [await world.browser(ANN), await world.browser(ANN)];
      const response = await change(browser, PASSWORD);
      assert.equal(response.status, 204, await response.text());
      assert.equal((await whoAmI(browser)).status, 200);
      assert.equal((await whoAmI(other)).status, 401);
      assert.equal((await world.login({ email: ANN, password: PASSWORD })).status, 401);
      assert.equal((await world.login({ email: ANN, password: NEW_PASSWORD })).status, 200);
      const entry = (await world.audited())[1];
      assert.deepEqual([entry?.action, entry?.actor.id], ['password.changed', id]);
      assert.deepEqual(entry?.after, { ended_sessions: 1 });
    });

    test('changing a password needs the present password, and wrong ones are counted', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      for (const current of [undefined, ...Array.from({ length: 10 }, () => 'wrong')]) {
        const error = await bodyOf<WireError>(change(browser, current), 400);
        assert.equal(error.details?.[0]?.field, 'current_password');
      }
      assert.deepEqual(await errorOf(change(browser, PASSWORD)), [429, 'rate_limited']);
      const body = { email: ANN, password: PASSWORD };
      assert.deepEqual(await errorOf(world.login(body)), [429, 'rate_limited']);
    });

    test('a password change to one that breaks the password rules is refused', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      for (const next of ['seven77', 'iloveyou1', ANN, 'x'.repeat(1_025)]) {
        const error = await bodyOf<WireError>(change(browser, PASSWORD, next), 400);
        assert.equal(error.details?.[0]?.field, 'new_password', next);
      }
    });

    test("the set-up token of a new organization sets the owner's first password, for a week", async (t) => {
      const world = await createSignInWorld(t, target);
      const { setupToken } = world.organization;
      const late = await world.bootstrap('Late');
      assert.equal((await reset(world, setupToken, PASSWORD)).status, 204);
      assert.equal((await whoAmI(await world.browser('owner@example.com'))).status, 200);
      assert.deepEqual(await errorOf(reset(world, setupToken)), [404, 'not_found']);
      await world.clock.advance(7 * 86_400_000);
      assert.deepEqual(await errorOf(reset(world, late.setupToken)), [409, 'conflict']);
    });

    test("an API key never sets its member's password, not even the first", async (t) => {
      const world = await createSignInWorld(t, target);
      for (const current_password of [undefined, '', PASSWORD]) {
        const body = { current_password, new_password: PASSWORD };
        const sent = world.send('POST', '/auth/password', { body });
        assert.deepEqual(await errorOf(sent), [403, 'forbidden']);
      }
      const key = {
        organizationId: world.organization.organizationId,
        memberId: world.organization.ownerId,
      };
      assert.equal((await world.storage.findAccount(key))?.passwordHash, null);
    });

    test('a forgotten password is reset by mail, once, and all sessions end', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      await forget(world, 'ANN@example.com');
      assert.equal(world.resetMails.length, 1);
      assert.equal(world.resetMails[0]?.to, ANN);
      const token = tokenOf(world);
      const stored = await world.storage.findAccount({
        organizationId: world.organization.organizationId,
        memberId: id,
      });
      const key = { organizationId: world.organization.organizationId, memberId: id };
      assert.equal((await world.storage.findPasswordReset(key))?.sealedToken, null);
      assert.equal((await reset(world, token)).status, 204);
      assert.notEqual((await world.storage.findAccount(key))?.passwordHash, stored?.passwordHash);
      assert.equal((await whoAmI(browser)).status, 401);
      assert.equal((await world.login({ email: ANN, password: NEW_PASSWORD })).status, 200);
      assert.deepEqual(await errorOf(reset(world, token)), [404, 'not_found']);
      const entry = (await world.audited())[1];
      assert.deepEqual([entry?.action, entry?.actor.id], ['password.reset', id]);
    });

    test('ends a mailed password reset when the address of its member is replaced', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword(ANN);
      const email = 'ann@new.example';
      await forget(world, ANN);
      const token = tokenOf(world);
      const member = `${world.membersPath}/${id}`;
      const replaced = await world.send('PATCH', member, { body: { email } });
      assert.equal(replaced.status, 200, await replaced.text());
      assert.deepEqual(await errorOf(reset(world, token)), [404, 'not_found']);
      await forget(world, email);
      assert.equal(world.resetMails.at(-1)?.to, email);
      assert.equal((await reset(world, tokenOf(world))).status, 204);
    });

    test("the set-up token of an organization outlives a change of its owner's address", async (t) => {
      const world = await createSignInWorld(t, target);
      const { ownerId, setupToken } = world.organization;
      const body = { email: 'owner@new.example' };
      const replaced = await world.send('PATCH', `${world.membersPath}/${ownerId}`, { body });
      assert.equal(replaced.status, 200, await replaced.text());
      assert.equal((await reset(world, setupToken, PASSWORD)).status, 204);
    });

    test('password reset mails go to active members only, at most once a minute', async (t) => {
      const world = await createSignInWorld(t, target);
      const gone = await world.joinWithPassword('gone@example.com');
      await world.send('POST', `${world.membersPath}/${gone}/suspend`);
      await world.invite('pending@example.com');
      for (const name of ['nobody', 'gone', 'pending']) await forget(world, `${name}@example.com`);
      assert.equal(world.resetMails.length, 0);
      await world.joinWithPassword(ANN);
      await forget(world, ANN);
      await forget(world, ANN);
      assert.equal(world.resetMails.length, 1);
      const former = tokenOf(world);
      await world.clock.advance(60_000);
      await forget(world, ANN);
      assert.equal(world.resetMails.length, 2);
      assert.deepEqual(await errorOf(reset(world, former)), [404, 'not_found']);
    });

    test('a member is mailed five password resets an hour, the last of which works', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      for (let count = 0; count < 8; count += 1) {
        await forget(world, ANN);
        await world.clock.advance(60_000);
      }
      assert.equal(world.resetMails.length, 5);
      assert.equal((await reset(world, tokenOf(world))).status, 204);
      await world.clock.advance(3_600_000);
      await forget(world, ANN);
      assert.equal(world.resetMails.length, 6);
    });

    test('a failed password reset mail is retried every minute until the reset expires', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      world.resetMailSystem.isDown = true;
      await forget(world, ANN);
      for (let second = 0; second < 3_700; second += 10) {
        await world.clock.advance(10_000);
        await world.resetWorker.runOnce();
      }
      assert.equal(world.resetMails.length, 60);
      assert.equal(new Set(world.resetMails.map(({ text }) => text)).size, 1);
      const database: Database = world.opened.database;
      const reads = database.kernel(database.reader);
      assert.equal(await reads.countJobs(PASSWORD_RESET_QUEUE), 0);
      assert.equal(await reads.countFailedJobs(), 0);
      assert.equal((await world.storage.listSealedResets('none', '', 9)).length, 0);
    });

    test('a password reset expires after an hour; used before that, it ends a lock', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      for (let count = 0; count < 10; count += 1) await world.login({ email: ANN, password: 'x' });
      await forget(world, ANN);
      assert.equal((await reset(world, tokenOf(world))).status, 204);
      assert.equal((await world.login({ email: ANN, password: NEW_PASSWORD })).status, 200);
      await forget(world, ANN);
      await world.clock.advance(3_600_000);
      assert.deepEqual(await errorOf(reset(world, tokenOf(world))), [409, 'conflict']);
    });

    test('an invalid password reset token is not found, and the password rules apply', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const unknown = mintToken('prs_', systemRandom);
      for (const token of ['', 'prs_', unknown, `${unknown}x`, world.organization.apiKey]) {
        assert.deepEqual(await errorOf(reset(world, token)), [404, 'not_found'], token);
      }
      await forget(world, ANN);
      const error = await bodyOf<WireError>(reset(world, tokenOf(world), 'short'), 400);
      assert.equal(error.details?.[0]?.field, 'password');
      const resets = Array.from({ length: 4 }, () => reset(world, tokenOf(world)));
      const statuses = (await Promise.all(resets)).map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), [204, 404, 404, 404]);
    });
  });
}
