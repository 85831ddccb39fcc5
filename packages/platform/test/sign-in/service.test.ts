import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SecretBox } from '@probity/core';
import {
  createIdempotency,
  createMemoryRateLimiter,
  createSecretBox,
  systemClock,
} from '@probity/core';
import type { SignInProof } from '@probity/core/internal';
import type { TestLifetime } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import type { Passwords } from '../../src/sign-in/passwords.ts';
import { createPasswords } from '../../src/sign-in/passwords.ts';
import { createSignIn } from '../../src/sign-in/sign-in.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import { targets, testPasswords, testSecretBox } from '../support.ts';
import { createSignInWorld, PASSWORD } from './world.ts';

const ANN = 'ann@example.com';
const CALL = { requestId: 'req_test_request', address: null };

/** The sign-in services with separate password hashing on the world's database. */
async function serviceWith(t: TestLifetime, target: PlatformTarget, passwords: Passwords) {
  const world = await createSignInWorld(t, target);
  const { runtime, storage } = world;
  const withKey = (secretBox: SecretBox) =>
    createSignIn(runtime, { storage, passwords, secretBox });
  return { world, service: withKey(testSecretBox()), withKey };
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: sign-in services`, () => {
    test('a repeated call with an Idempotency-Key is replayed under renewed tokens', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const fixed = { name: target.name, open: async () => opened };
      const world = await createSignInWorld(t, fixed, {
        idempotency: createIdempotency({ database: opened.database, clock: systemClock }),
      });
      await world.joinWithPassword(ANN, 'admin');
      const browser = await world.browser(ANN);
      const path = `/organizations/${world.organization.organizationId}/api-keys`;
      const create = () =>
        browser.send('POST', path, {
          body: { name: 'Key' },
          headers: { 'idempotency-key': 'key-1' },
        });
      const first = await create();
      assert.equal(first.status, 201);
      await world.clock.advance(60_000);
      assert.equal((await browser.send('POST', '/auth/refresh')).status, 200);
      const second = await create();
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(await second.json(), await first.json());
    });

    test('a session is renewed and ended with its tokens under another encryption key', async (t) => {
      const { world, service, withKey } = await serviceWith(t, target, testPasswords());
      await world.joinWithPassword(ANN);
      const rotated = withKey(createSecretBox([new Uint8Array(32).fill(8)]));
      const login = { email: ANN, password: PASSWORD, userAgent: null };
      const { csrfToken, refreshToken } = await service.login(CALL, login);
      const confirm = (proof: SignInProof) => assert.equal(proof.csrfToken, csrfToken);
      const renewed = await rotated.sessions.refresh(CALL, refreshToken, confirm);
      assert.equal(renewed.csrfToken, csrfToken);
      await rotated.sessions.logout(CALL, { refresh: renewed.refreshToken }, confirm);
      await assert.rejects(rotated.sessions.refresh(CALL, renewed.refreshToken, confirm));
    });

    test('signing in rehashes a password stored at a former cost', async (t) => {
      const costlier = createPasswords({ cost: { logN: 5, r: 8, p: 1 } });
      const { world, service } = await serviceWith(t, target, costlier);
      const memberId = await world.joinWithPassword(ANN);
      const key = { organizationId: world.organization.organizationId, memberId };
      const hash = async () => (await world.storage.findAccount(key))?.passwordHash ?? '';
      assert.match(await hash(), /^\$scrypt\$ln=4,/);
      await service.login(CALL, { email: ANN, password: PASSWORD, userAgent: null });
      assert.match(await hash(), /^\$scrypt\$ln=5,/);
      await service.login(CALL, { email: ANN, password: PASSWORD, userAgent: null });
    });

    test('sign-in computes as many hashes whatever accounts the e-mail has, and wherever the caller is', async (t) => {
      const counts: string[] = [];
      const plain = testPasswords();
      const counting: Passwords = {
        ...plain,
        verify(password, stored) {
          counts.push(stored === null ? 'dummy' : 'real');
          return plain.verify(password, stored);
        },
      };
      const { world, service } = await serviceWith(t, target, counting);
      await world.joinWithPassword(ANN);
      await world.join('without@example.com', 'viewer');
      const several = 'several@example.com';
      await world.joinWithPassword(several);
      for (const name of ['Second', 'Third']) {
        const other = await world.bootstrap(name);
        const path = `/organizations/${other.organizationId}/members`;
        const body = { email: several, role: 'viewer' };
        await world.send('POST', path, { token: other.apiKey, body });
        await world.accept(await world.receiveToken(several), { password: PASSWORD });
      }
      const { organizationId } = world.organization;
      const hashesOf = async (input: object) => {
        counts.length = 0;
        const credentials = { email: ANN, password: 'wrong one', userAgent: null, ...input };
        await assert.rejects(service.login(CALL, credentials), { kind: 'unauthorized' });
        return counts.join();
      };
      assert.equal(await hashesOf({}), 'real,dummy');
      assert.equal(await hashesOf({ email: 'nobody@example.com' }), 'dummy,dummy');
      assert.equal(await hashesOf({ email: 'without@example.com' }), 'dummy,dummy');
      assert.equal(await hashesOf({ email: several }), 'real,real');
      assert.equal(await hashesOf({ email: several, organizationId }), 'real');
      assert.equal(await hashesOf({ organizationId }), 'real');
      assert.equal(await hashesOf({ organizationId: 'org_none' }), 'dummy');
      // From outside the allowlist, where the right password is answered like a wrong one.
      const body = { settings: { ip_allowlist: ['192.0.2.0/24'] } };
      const path = `/organizations/${organizationId}?force=true`;
      assert.equal((await world.send('PATCH', path, { body })).status, 200);
      assert.equal(await hashesOf({ password: PASSWORD }), 'real,dummy');
    });
  });
}

test('requests of all sessions of a member share one rate limit', async (t) => {
  const [memory] = targets as [PlatformTarget];
  const limit = { requests: 5, windowSeconds: 60 };
  const plenty = { requests: 1_000, windowSeconds: 60 };
  const limits = {
    platform: plenty,
    general: plenty,
    evidence: plenty,
    scim: plenty,
    session: plenty,
  };
  const mutable = { ...limits };
  const rateLimits = { limiter: createMemoryRateLimiter(), limits: mutable };
  const world = await createSignInWorld(t, memory, { rateLimits });
  await world.joinWithPassword(ANN);
  await world.joinWithPassword('bob@example.com');
  const browsers = [await world.browser(ANN), await world.browser(ANN)];
  const bob = await world.browser('bob@example.com');
  mutable.session = limit;
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    for (const browser of browsers) {
      statuses.push((await browser.send('GET', '/auth/session')).status);
    }
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  assert.equal((await bob.send('GET', '/auth/session')).status, 200);
});
