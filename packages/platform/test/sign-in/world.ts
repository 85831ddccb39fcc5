import assert from 'node:assert/strict';
import type { Mail, Role, Worker } from '@probity/core';
import { createMemoryRateLimiter } from '@probity/core';
import type { RouterOptions } from '@probity/core/koa';
import type { TestLifetime } from '@probity/test-support';
import { Secret, TOTP } from 'otpauth';
import { createPasswordResetMailer } from '../../src/sign-in/password-reset-mailer.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import type { MemberWorld, WireMember } from '../members/world.ts';
import { createMemberWorld } from '../members/world.ts';
import { BASE_URL, testSecretBox } from '../support.ts';
import type { Browser } from './browser.ts';
import { createBrowser } from './browser.ts';

/** The response to a sign-in. */
export interface WireSignedIn {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly csrf_token: string;
  readonly member: WireMember;
  readonly organization: { readonly id: string; readonly name: string; readonly slug: string };
}

/** An error of the platform API. */
export interface WireError {
  readonly error: string;
  readonly message: string;
  readonly details?: ReadonlyArray<{ readonly field: string; readonly message: string }>;
}

/** A password that satisfies the rules. */
export const PASSWORD = 'grün wie der Öresund 7';

/** The platform over HTTP with sign-in. */
export interface SignInWorld extends MemberWorld {
  readonly resetMails: readonly Mail[];
  /** Whether sending reset mails fails; they are recorded in `resetMails` all the same. */
  readonly resetMailSystem: { isDown: boolean };
  readonly resetWorker: Worker;
  /** Creates an active member with {@link PASSWORD}. */
  joinWithPassword(email: string, role?: Role): Promise<string>;
  /** Creates a browser, signed in as `email` with {@link PASSWORD} when one is given. */
  browser(email?: string, input?: object): Promise<Browser>;
  login(body: object, browser?: Browser): Promise<Response>;
}

const LIMIT = { requests: 1_000_000, windowSeconds: 60 };

/** Creates the world on a separate database, with rate limits high enough never to apply. */
export async function createSignInWorld(
  t: TestLifetime,
  target: PlatformTarget,
  router: Partial<RouterOptions> = {},
): Promise<SignInWorld> {
  const limits = { platform: LIMIT, general: LIMIT, evidence: LIMIT, scim: LIMIT, session: LIMIT };
  const rateLimits = { limiter: createMemoryRateLimiter(), limits };
  const world = await createMemberWorld(t, target, { rateLimits, ...router });
  const { runtime, storage, url } = world;
  const resetMails: Mail[] = [];
  const resetMailSystem = { isDown: false };
  const resetWorker = createPasswordResetMailer({
    ...runtime,
    storage,
    mailer: {
      async send(mail) {
        resetMails.push(mail);
        if (resetMailSystem.isDown) throw new Error('451 try later');
      },
    },
    secretBox: testSecretBox(),
    baseUrl: () => BASE_URL,
  });
  const login: SignInWorld['login'] = (body, browser = createBrowser(url)) =>
    browser.send('POST', '/auth/login', { body });
  return {
    ...world,
    resetMails,
    resetMailSystem,
    resetWorker,
    login,
    async joinWithPassword(email, role = 'editor') {
      const { id } = await world.invite(email, role);
      const token = await world.receiveToken(email);
      const response = await world.accept(token, { password: PASSWORD });
      assert.equal(response.status, 200, await response.text());
      return id;
    },
    async browser(email, input = {}) {
      const browser = createBrowser(url);
      if (email === undefined) return browser;
      const response = await login({ email, password: PASSWORD, ...input }, browser);
      assert.equal(response.status, 200, await response.text());
      return browser;
    },
  };
}

/** The body of a response that must have this status. */
export async function bodyOf<Body>(sent: Promise<Response>, status: number): Promise<Body> {
  const response = await sent;
  const text = await response.text();
  assert.equal(response.status, status, text);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

/** The code that an authenticator app shows at the given time. */
export function otpAt(secret: string, now: Date, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 });
  return totp.generate({ timestamp: now.getTime() + steps * 30_000 });
}
