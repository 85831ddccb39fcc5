import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { resetMfa } from '../../src/sign-in/mfa-reset.ts';
import { errorOf } from '../members/world.ts';
import { targets } from '../support.ts';
import type { Browser } from './browser.ts';
import type { SignInWorld, WireError, WireSignedIn } from './world.ts';
import { bodyOf, createSignInWorld, otpAt, PASSWORD } from './world.ts';

const ANN = 'ann@example.com';

interface Enrolled {
  readonly world: SignInWorld;
  readonly browser: Browser;
  readonly secret: string;
  readonly codes: readonly string[];
  /** The code shown by the app now, or the given number of steps away. */
  otp(steps?: number): string;
  login(otp?: string): Promise<Response>;
}

function begin(browser: Browser, password = PASSWORD): Promise<Response> {
  return browser.send('POST', '/auth/mfa', { body: { password } });
}

async function enroll(world: SignInWorld): Promise<Enrolled> {
  await world.joinWithPassword(ANN);
  const browser = await world.browser(ANN);
  const { secret } = await bodyOf<{ secret: string }>(begin(browser), 201);
  const otp = (steps = 0) => otpAt(secret, world.clock.now(), steps);
  const confirmation = browser.send('POST', '/auth/mfa/confirm', { body: { otp: otp() } });
  const { recovery_codes } = await bodyOf<{ recovery_codes: string[] }>(confirmation, 200);
  await advanceBy(30_000, world, otp);
  const login = (given?: string) => world.login({ email: ANN, password: PASSWORD, otp: given });
  return { world, browser, secret, codes: recovery_codes, otp, login };
}

/** Advances the clock to a moment whose neighboring one-time passwords all differ. */
async function advanceBy(ms: number, { clock }: SignInWorld, otp: Enrolled['otp']): Promise<void> {
  const around = [-4, -3, -2, -1, 0, 1, 2, 3];
  do await clock.advance(ms);
  while (new Set(around.map((steps) => otp(steps))).size < around.length);
}

/** A one-time password that is not valid now. */
function wrongOtp(secret: string, now: Date): string {
  const near = [-1, 0, 1].map((steps) => otpAt(secret, now, steps));
  return ['000000', '000001', '000002', '000003'].find((each) => !near.includes(each)) ?? '';
}

async function otpError(sent: Promise<Response>): Promise<[number, string | undefined]> {
  const response = await sent;
  return [response.status, ((await response.json()) as WireError).details?.[0]?.field];
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: second factor`, () => {
    test('a second factor is enabled after the first valid code', async (t) => {
      const world = await createSignInWorld(t, target);
      const id = await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      const status = () => bodyOf<object>(browser.send('GET', '/auth/mfa'), 200);
      const off = { enabled: false, recovery_codes_left: 0 };
      assert.deepEqual(await status(), off);
      const confirm = (otp: string) => browser.send('POST', '/auth/mfa/confirm', { body: { otp } });
      assert.deepEqual(await errorOf(confirm('123456')), [409, 'conflict']);
      const begun = await bodyOf<{ secret: string; otpauth_url: string }>(begin(browser), 201);
      const url = new URL(begun.otpauth_url);
      assert.equal(url.protocol, 'otpauth:');
      assert.equal(url.searchParams.get('secret'), begun.secret);
      assert.equal(url.searchParams.get('issuer'), 'Probity');
      assert.ok(decodeURIComponent(url.pathname).includes(ANN));
      assert.deepEqual(await status(), off);
      assert.equal((await world.login({ email: ANN, password: PASSWORD })).status, 200);
      const right = otpAt(begun.secret, world.clock.now());
      const wrong = wrongOtp(begun.secret, world.clock.now());
      assert.deepEqual(await otpError(confirm(wrong)), [400, 'otp']);
      const { recovery_codes: codes } = await bodyOf<{ recovery_codes: string[] }>(
        confirm(right),
        200,
      );
      assert.equal(new Set(codes).size, 10);
      for (const code of codes) assert.match(code, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
      assert.deepEqual(await status(), { enabled: true, recovery_codes_left: 10 });
      assert.deepEqual(await errorOf(begin(browser)), [409, 'conflict']);
      const list = await bodyOf<{ members: Array<{ id: string; mfa_enabled: boolean }> }>(
        world.send('GET', world.membersPath),
        200,
      );
      assert.equal(list.members.find((member) => member.id === id)?.mfa_enabled, true);
      assert.equal((await world.audited())[0]?.action, 'mfa.enabled');
    });

    test('sign-in with a second factor requires otp by name, and accepts each code once', async (t) => {
      const { world, secret, login, otp } = await enroll(await createSignInWorld(t, target));
      assert.deepEqual(await otpError(login()), [401, 'otp']);
      const wrong = wrongOtp(secret, world.clock.now());
      assert.deepEqual(await otpError(login(wrong)), [401, 'otp']);
      const used = otp();
      const signedIn = await bodyOf<WireSignedIn>(login(used), 200);
      assert.equal(signedIn.member.mfa_enabled, true);
      assert.deepEqual(await otpError(login(used)), [401, 'otp']);
      const entries = await world.audited();
      const created = entries.find(({ action }) => action === 'session.created');
      assert.equal(created?.after?.second_factor, 'app');
    });

    test('a wrong password is refused before the second factor is requested', async (t) => {
      const { world } = await enroll(await createSignInWorld(t, target));
      const sent = world.login({ email: ANN, password: 'wrong', otp: '123456' });
      assert.deepEqual(await otpError(sent), [401, undefined]);
    });

    test('one-time passwords may be off by one step, and no step before a used one is accepted', async (t) => {
      const { world, login, otp } = await enroll(await createSignInWorld(t, target));
      await advanceBy(300_000, world, otp);
      for (const steps of [-2, 2]) assert.equal((await login(otp(steps))).status, 401, `${steps}`);
      assert.equal((await login(otp(-1))).status, 200);
      assert.equal((await login(otp(1))).status, 200);
      assert.equal((await login(otp(0))).status, 401);
    });

    test('of concurrent sign-ins with one one-time password exactly one succeeds', async (t) => {
      const { login, otp } = await enroll(await createSignInWorld(t, target));
      const code = otp();
      const statuses = await Promise.all(
        Array.from({ length: 6 }, async () => (await login(code)).status),
      );
      assert.deepEqual(statuses.toSorted(), [200, 401, 401, 401, 401, 401]);
    });

    test('of concurrent confirmations of a second factor exactly one succeeds, and the others conflict', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      for (let round = 0; round < 3; round += 1) {
        const begun = await bodyOf<{ secret: string }>(begin(browser), 201);
        const otp = otpAt(begun.secret, world.clock.now());
        const body = { otp };
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => browser.send('POST', '/auth/mfa/confirm', { body })),
        );
        const statuses = answers.map(({ status }) => status);
        assert.deepEqual(statuses.toSorted(), [200, 409, 409, 409, 409, 409]);
        const done = answers.find(({ status }) => status === 200) as Response;
        const { recovery_codes: codes } = (await done.json()) as { recovery_codes: string[] };
        const proof = { password: PASSWORD, otp: codes[0] };
        assert.equal((await browser.send('DELETE', '/auth/mfa', { body: proof })).status, 204);
      }
    });

    test('each recovery code works once, in any spelling that people use', async (t) => {
      const { browser, codes, login } = await enroll(await createSignInWorld(t, target));
      const [first = '', second = ''] = codes;
      assert.equal((await login(first.toUpperCase().replaceAll('-', ' '))).status, 200);
      assert.equal((await login(first)).status, 401);
      assert.equal((await login(second)).status, 200);
      const status = await bodyOf<object>(browser.send('GET', '/auth/mfa'), 200);
      assert.deepEqual(status, { enabled: true, recovery_codes_left: 8 });
    });

    test('wrong one-time passwords count as sign-in failures; a missing one does not', async (t) => {
      const { login, otp } = await enroll(await createSignInWorld(t, target));
      for (let count = 0; count < 12; count += 1) assert.equal((await login()).status, 401);
      for (let count = 0; count < 10; count += 1)
        assert.equal((await login('aaaa-bbbb-cccc-dddd')).status, 401);
      assert.equal((await login(otp())).status, 429);
    });

    test('a sign-in to another organization does not clear wrong one-time passwords', async (t) => {
      const { world, login, otp } = await enroll(await createSignInWorld(t, target));
      const other = await world.bootstrap('Øther');
      const path = `/organizations/${other.organizationId}/members`;
      const invited = { token: other.apiKey, body: { email: ANN, role: 'viewer' } };
      await bodyOf(world.send('POST', path, invited), 201);
      await world.accept(await world.receiveToken(ANN), { password: 'quite another 1' });
      for (let count = 0; count < 9; count += 1) assert.equal((await login('aaaa')).status, 401);
      const own = { email: ANN, password: 'quite another 1' };
      assert.equal((await world.login(own)).status, 200);
      assert.equal((await login('aaaa')).status, 401);
      assert.equal((await login(otp())).status, 429);
    });

    test('a second factor is begun with the password only, whose failures are counted', async (t) => {
      const world = await createSignInWorld(t, target);
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      assert.equal((await browser.send('POST', '/auth/mfa', { body: {} })).status, 400);
      for (let count = 0; count < 10; count += 1) {
        const refused = await bodyOf<WireError>(begin(browser, 'wrong'), 400);
        assert.equal(refused.details?.[0]?.field, 'password');
      }
      assert.deepEqual(await errorOf(begin(browser)), [429, 'rate_limited']);
      await world.clock.advance(15 * 60_000);
      assert.equal((await begin(await world.browser(ANN))).status, 201);
    });

    test('recovery codes are replaced with both factors, and the former ones are invalid', async (t) => {
      const enrolled = await enroll(await createSignInWorld(t, target));
      const { world, browser, codes, otp, login } = enrolled;
      const renew = (body: object) => browser.send('POST', '/auth/mfa/recovery-codes', { body });
      assert.deepEqual(await otpError(renew({ password: 'wrong', otp: otp() })), [400, 'password']);
      assert.deepEqual(await otpError(renew({ password: PASSWORD, otp: 'aaaa' })), [400, 'otp']);
      const renewed = await bodyOf<{ recovery_codes: string[] }>(
        renew({ password: PASSWORD, otp: codes[0] }),
        200,
      );
      assert.equal(new Set([...codes, ...renewed.recovery_codes]).size, 20);
      assert.equal((await world.audited())[0]?.action, 'mfa.recovery_codes_renewed');
      assert.equal((await login(codes[1])).status, 401);
      assert.equal((await login(renewed.recovery_codes[0])).status, 200);
    });

    test('an operator resets the second factor of a member, which ends its sessions', async (t) => {
      const { world, browser, login } = await enroll(await createSignInWorld(t, target));
      const { runtime, storage } = world;
      const { organizationId } = world.organization;
      const account = (await storage.findAccountsByEmail(ANN))[0];
      const memberId = account?.member.id ?? '';
      await resetMfa(runtime, { storage }, { organizationId, memberId }, 'operator');
      assert.equal((await browser.send('GET', '/auth/mfa')).status, 401);
      assert.equal((await login()).status, 200);
      const entry = (await world.audited()).find(({ action }) => action === 'mfa.reset');
      assert.deepEqual(entry?.after, { mfa_enabled: false, ended_sessions: 1 });
      const unknown = { organizationId, memberId: 'mem_none' };
      await assert.rejects(resetMfa(runtime, { storage }, unknown, 'operator'), {
        kind: 'not_found',
      });
    });

    test('disabling the second factor needs password, one-time password and a signed-in person', async (t) => {
      const { world, browser, otp } = await enroll(await createSignInWorld(t, target));
      const disable = (body: object) => browser.send('DELETE', '/auth/mfa', { body });
      const refused = await bodyOf<WireError>(disable({ password: 'wrong', otp: otp() }), 400);
      assert.equal(refused.details?.[0]?.field, 'password');
      assert.deepEqual(await otpError(disable({ password: PASSWORD, otp: 'aaaa' })), [400, 'otp']);
      assert.equal((await disable({ password: PASSWORD, otp: otp() })).status, 204);
      assert.equal((await world.audited())[0]?.action, 'mfa.disabled');
      assert.equal((await world.login({ email: ANN, password: PASSWORD })).status, 200);
      const again = { password: PASSWORD, otp: otp(1) };
      assert.deepEqual(await errorOf(disable(again)), [409, 'conflict']);
    });
  });
}
