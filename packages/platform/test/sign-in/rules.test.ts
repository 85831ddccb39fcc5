import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '@probity/core';
import { Secret } from 'otpauth';
import { requireGoodPassword } from '../../src/sign-in/password-rules.ts';
import { findTotpStep, newTotpSecret, totpUrl } from '../../src/sign-in/totp.ts';

const EMAIL = 'Ann.Lee@example.com';

const refused: ReadonlyArray<readonly [string, RegExp]> = [
  ['', /at least 8/],
  ['1234567', /at least 8/],
  ['🂡🂢🂣🂤🂥🂦🂧', /at least 8/],
  ['x'.repeat(1_025), /at most 1024/],
  ['ann.lee@EXAMPLE.com', /e-mail/],
  ['Password1', /common/],
  ['ｐａｓｓｗｏｒｄ１', /common/],
  ['QWERTZUIOP', /common/],
  ['########', /repeated/],
];

for (const [password, message] of refused) {
  test(`the password ${JSON.stringify(password.slice(0, 20))} is refused by name`, () => {
    assert.throws(
      () => requireGoodPassword(password, EMAIL, 'new_password'),
      (error: { kind: string; details: Array<{ field: string; message: string }> }) => {
        assert.equal(error.kind, 'validation_failed');
        assert.equal(error.details[0]?.field, 'new_password');
        assert.match(error.details[0]?.message ?? '', message);
        return true;
      },
    );
  });
}

test('the password rules require length only: letters alone, blanks and any script are accepted', () => {
  for (const password of ['kaninchen', 'grün 7 ø', '🂡🂢🂣🂤🂥🂦🂧🂨', 'ab'.repeat(512)]) {
    requireGoodPassword(password, EMAIL);
  }
});

// RFC 6238, appendix B, for SHA-1; the last six of its eight digits.
const vectors: ReadonlyArray<readonly [number, string]> = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

for (const [seconds, otp] of vectors) {
  test(`at ${seconds} s the one-time password is ${otp}`, () => {
    const secret = Secret.fromUTF8('12345678901234567890').base32;
    const step = Math.floor(seconds / 30);
    const at = (offset: number) => new Date((seconds + offset) * 1_000);
    assert.equal(findTotpStep(secret, otp, at(0)), step);
    assert.equal(findTotpStep(secret, otp, at(30)), step);
    assert.equal(findTotpStep(secret, otp, at(-30)), step);
    assert.equal(findTotpStep(secret, otp, at(60)), null);
  });
}

test('TOTP secrets are unique, have 160 bits, and are in the otpauth URL', () => {
  const secrets = Array.from({ length: 50 }, () => newTotpSecret(systemRandom));
  assert.equal(new Set(secrets).size, 50);
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
  const url = totpUrl(secrets[0] ?? '', 'ann@example.com (acme)');
  assert.ok(url.startsWith('otpauth://totp/Probity:ann%40example.com%20(acme)?'), url);
});
