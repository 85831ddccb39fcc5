import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Mail, Mailer, SecretBox } from '@probity/core';
import { createRetention, createSecretBox } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { createPasswordResetMailer } from '../../src/sign-in/password-reset-mailer.ts';
import { signInRetentionRules } from '../../src/sign-in/retention.ts';
import { sealedSignInValues } from '../../src/sign-in/sealed-values.ts';
import { createSignIn } from '../../src/sign-in/sign-in.ts';
import type { PlatformStorage } from '../../src/storage.ts';
import { BASE_URL, targets, testPasswords, testSecretBox } from '../support.ts';
import { bodyOf, createSignInWorld, otpAt, PASSWORD } from './world.ts';

const ANN = 'ann@example.com';

/** Reseals everything under another key, as key rotation does. */
async function reseal(storage: PlatformStorage): Promise<SecretBox> {
  const former = testSecretBox();
  const present = createSecretBox([new Uint8Array(32).fill(8)]);
  for (const { list, purposeOf, replace } of sealedSignInValues(storage)) {
    const values = await list(present.keyId, '', 10);
    assert.equal(values.length, 1);
    await replace(
      values.map(({ id, sealed: from }) => {
        const to = present.seal(former.open(from, purposeOf(id)), purposeOf(id));
        return { id, from, to };
      }),
    );
    assert.deepEqual(await list(present.keyId, '', 10), []);
  }
  return present;
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: retention and key rotation of sign-in`, () => {
    test('second factors and pending resets work after key rotation', async (t) => {
      const world = await createSignInWorld(t, target);
      const { clock, runtime, storage } = world;
      await world.joinWithPassword(ANN);
      const browser = await world.browser(ANN);
      const { secret } = await bodyOf<{ secret: string }>(
        browser.send('POST', '/auth/mfa', { body: { password: PASSWORD } }),
        201,
      );
      const confirm = { body: { otp: otpAt(secret, clock.now()) } };
      await bodyOf(browser.send('POST', '/auth/mfa/confirm', confirm), 200);
      await browser.send('POST', '/auth/password/forgot', { body: { email: ANN } });
      const mails: Mail[] = [];
      const mailing = (box: SecretBox, send: Mailer['send']) =>
        createPasswordResetMailer({
          ...runtime,
          storage,
          mailer: { send },
          secretBox: box,
          baseUrl: () => BASE_URL,
        });
      const broken = mailing(testSecretBox(), () => Promise.reject(new Error('no mail server')));
      await broken.runOnce();
      await clock.advance(60_000);
      const secretBox = await reseal(storage);
      const passwords = testPasswords();
      const service = createSignIn(runtime, { storage, secretBox, passwords });
      const otp = otpAt(secret, clock.now());
      const call = { requestId: 'req_test_request', address: null };
      const input = { email: ANN, password: PASSWORD, otp, userAgent: null };
      assert.equal((await service.login(call, input)).member.email, ANN);
      assert.equal(await mailing(secretBox, async (mail) => void mails.push(mail)).runOnce(), 1);
      assert.match(mails[0]?.text ?? '', /token=prs_\w{38}$/m);
    });

    test('retention deletes expired sign-in data only', async (t) => {
      const world = await createSignInWorld(t, target);
      const { clock, storage } = world;
      await world.joinWithPassword(ANN);
      await world.joinWithPassword('bob@example.com');
      await world.browser(ANN);
      await world.login({ email: ANN, password: 'wrong' });
      await (await world.browser()).send('POST', '/auth/password/forgot', { body: { email: ANN } });
      await world.resetWorker.runOnce();
      const retention = createRetention({
        rules: signInRetentionRules(storage),
        clock,
        pause: async () => undefined,
      });
      await clock.advance(30 * 86_400_000);
      const browser = await world.browser('bob@example.com');
      await world.login({ email: 'bob@example.com', password: 'wrong' });
      const counts = await retention.run();
      assert.deepEqual(counts, { sessions: 0, password_resets: 2, sign_in_failures: 1 });
      await clock.advance(1);
      assert.equal((await retention.run()).sessions, 1);
      assert.equal((await browser.send('GET', '/auth/session')).status, 200);
      assert.deepEqual(await retention.run(), {
        sessions: 0,
        password_resets: 0,
        sign_in_failures: 0,
      });
    });
  });
}
