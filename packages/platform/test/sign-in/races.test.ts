import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlTargets } from '../support.ts';
import type { Browser } from './browser.ts';
import { createBrowser } from './browser.ts';
import type { SignInWorld, WireSignedIn } from './world.ts';
import { createSignInWorld, otpAt, PASSWORD } from './world.ts';

const ANN = 'ann@example.com';
const OTHER_PASSWORD = 'another one of Ann 8';
const AT_ONCE = 20;
const ROUNDS = 3;

/** Asks for a reset of Ann's password; returns the mailed token. */
async function mailedToken(world: SignInWorld): Promise<string> {
  const asked = await world.send('POST', '/auth/password/forgot', { body: { email: ANN } });
  assert.equal(asked.status, 202);
  await world.resetWorker.runOnce();
  await world.resetWorker.runOnce();
  const token = /token=(prs_\w+)/.exec(world.resetMails.at(-1)?.text ?? '')?.[1];
  assert.ok(token);
  return token;
}

async function statusOf(sent: Promise<Response>): Promise<number> {
  const response = await sent;
  await response.arrayBuffer();
  return response.status;
}

function reset(world: SignInWorld, token: string, password: string): Promise<number> {
  return statusOf(world.send('POST', '/auth/password/reset', { body: { token, password } }));
}

function logsIn(world: SignInWorld, password: string): Promise<number> {
  return statusOf(world.login({ email: ANN, password }));
}

/** Signs Ann in; the access token, or null when it was refused. */
async function signIn(world: SignInWorld, browser: Browser): Promise<string | null> {
  const response = await world.login({ email: ANN, password: PASSWORD }, browser);
  const body = (await response.json()) as WireSignedIn;
  assert.ok(response.status < 500, JSON.stringify(body));
  return response.status === 200 ? body.access_token : null;
}

/** Asserts that neither the access token nor the cookies of a browser are of use. */
async function assertEnded(world: SignInWorld, browser: Browser, what: string): Promise<void> {
  const token = browser.cookies.get('__Host-probity_access') ?? '';
  assert.equal(await statusOf(world.send('GET', '/auth/session', { token })), 401, what);
  assert.equal(await statusOf(browser.send('POST', '/auth/refresh')), 401, `${what}, refreshed`);
}

/** A change that ends the sessions of Ann, other than that of `own`. */
interface Ending {
  readonly name: string;
  begin(world: SignInWorld, id: string, own: Browser): Promise<() => Promise<number>>;
  readonly status: number;
}

const ENDINGS: readonly Ending[] = [
  {
    name: 'a password change',
    status: 204,
    begin: async (_world, _id, own) => () => {
      const body = { current_password: PASSWORD, new_password: OTHER_PASSWORD };
      return statusOf(own.send('POST', '/auth/password', { body }));
    },
  },
  {
    name: 'a password reset',
    status: 204,
    async begin(world) {
      const token = await mailedToken(world);
      return () => reset(world, token, OTHER_PASSWORD);
    },
  },
  {
    name: 'a suspension',
    status: 200,
    begin: async (world, id) => () =>
      statusOf(world.send('POST', `${world.membersPath}/${id}/suspend`)),
  },
  {
    name: 'a removal',
    status: 204,
    begin: async (world, id) => () => statusOf(world.send('DELETE', `${world.membersPath}/${id}`)),
  },
];

for (const target of sqlTargets) {
  test(`${target.name}: of ${AT_ONCE} concurrent uses of a password reset one succeeds, and ends every session`, async (t) => {
    const world = await createSignInWorld(t, target);
    await world.joinWithPassword(ANN);
    const browsers = [await world.browser(ANN), await world.browser(ANN)];
    const token = await mailedToken(world);
    const passwords = Array.from({ length: AT_ONCE }, (_, index) => `number ${index} of Ann`);
    const statuses = await Promise.all(passwords.map((each) => reset(world, token, each)));
    const won = statuses.indexOf(204);
    assert.ok(won >= 0);
    // One that finds no waiting place for its hash is answered 429.
    const refused = statuses.filter((status) => status === 404 || status === 429);
    assert.equal(refused.length, AT_ONCE - 1, `${statuses}`);
    assert.equal(await logsIn(world, passwords[won] ?? ''), 200);
    assert.equal(await logsIn(world, passwords[(won + 1) % AT_ONCE] ?? ''), 401);
    for (const browser of browsers) await assertEnded(world, browser, 'a session before the reset');
    assert.equal(await reset(world, token, OTHER_PASSWORD), 404);
    const former = await mailedToken(world);
    await world.clock.advance(60_000);
    const latter = await mailedToken(world);
    assert.notEqual(latter, former);
    const both = [reset(world, former, 'the former of Ann'), reset(world, latter, OTHER_PASSWORD)];
    assert.deepEqual(await Promise.all(both), [404, 204]);
    await world.clock.advance(60_000);
    const expired = await mailedToken(world);
    await world.clock.advance(3_600_000);
    assert.equal(await reset(world, expired, PASSWORD), 409);
    assert.equal(await logsIn(world, OTHER_PASSWORD), 200);
  });

  for (const { name, status, begin } of ENDINGS) {
    test(`${target.name}: no session that is opened or renewed during ${name} outlives it`, async (t) => {
      const world = await createSignInWorld(t, target);
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await world.joinWithPassword(ANN, 'admin');
        const own = await world.browser(ANN);
        const renewed = await Promise.all(Array.from({ length: 4 }, () => world.browser(ANN)));
        const opened = await Promise.all(Array.from({ length: 4 }, () => world.browser()));
        const end = await begin(world, id, own);
        const [ended, ...others] = await Promise.all([
          end(),
          ...renewed.map((browser) => statusOf(browser.send('POST', '/auth/refresh'))),
          ...opened.map((browser) => signIn(world, browser).then((token) => (token ? 200 : 401))),
        ]);
        assert.equal(ended, status);
        const unexpected = others.filter((each) => each !== 200 && each !== 401);
        assert.deepEqual(unexpected, []);
        for (const browser of [...renewed, ...opened]) await assertEnded(world, browser, name);
        assert.equal(await logsIn(world, PASSWORD), 401);
        await world.send('DELETE', `${world.membersPath}/${id}`);
        await world.clock.advance(60_000);
      }
    });
  }

  test(`${target.name}: a lower role holds for every session that is opened or renewed meanwhile`, async (t) => {
    const world = await createSignInWorld(t, target);
    const id = await world.joinWithPassword(ANN, 'admin');
    const renewed = await Promise.all(Array.from({ length: 4 }, () => world.browser(ANN)));
    const opened = await Promise.all(Array.from({ length: 4 }, () => world.browser()));
    const path = `${world.membersPath}/${id}`;
    await Promise.all([
      world.send('PATCH', path, { body: { role: 'viewer' } }),
      ...renewed.map((browser) => browser.send('POST', '/auth/refresh')),
      ...opened.map((browser) => signIn(world, browser)),
    ]);
    const keys = world.membersPath.replace('/members', '/api-keys');
    for (const browser of [...renewed, ...opened]) {
      const created = browser.send('POST', keys, { body: { name: 'Key' } });
      assert.equal(await statusOf(created), 403);
    }
  });

  test(`${target.name}: a second factor that was begun before the password changed is not confirmed after it`, async (t) => {
    const world = await createSignInWorld(t, target);
    await world.joinWithPassword(ANN);
    const browser = await world.browser(ANN);
    const begin = () => browser.send('POST', '/auth/mfa', { body: { password: PASSWORD } });
    const confirm = (secret: string, by: Browser) => {
      const otp = otpAt(secret, world.clock.now());
      return statusOf(by.send('POST', '/auth/mfa/confirm', { body: { otp } }));
    };
    const { secret } = (await (await begin()).json()) as { secret: string };
    const body = { current_password: PASSWORD, new_password: OTHER_PASSWORD };
    assert.equal(await statusOf(browser.send('POST', '/auth/password', { body })), 204);
    assert.equal(await confirm(secret, browser), 409);
    const again = { body: { password: OTHER_PASSWORD } };
    const next = (await (await browser.send('POST', '/auth/mfa', again)).json()) as {
      secret: string;
    };
    const token = await mailedToken(world);
    assert.equal(await reset(world, token, PASSWORD), 204);
    assert.equal(await confirm(next.secret, await world.browser(ANN)), 409);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [current, changed] =
        round % 2 ? [OTHER_PASSWORD, PASSWORD] : [PASSWORD, OTHER_PASSWORD];
      const owner = createBrowser(world.url);
      await world.login({ email: ANN, password: current }, owner);
      const [begun, replaced] = await Promise.all([
        owner.send('POST', '/auth/mfa', { body: { password: current } }),
        owner.send('POST', '/auth/password', {
          body: { current_password: current, new_password: changed },
        }),
      ]);
      assert.equal(replaced.status, 204);
      assert.ok([201, 400, 409].includes(begun.status), `${begun.status}`);
      const { secret: late } = (await begun.json()) as { secret?: string };
      if (late) assert.equal(await confirm(late, owner), 409);
    }
  });
}
