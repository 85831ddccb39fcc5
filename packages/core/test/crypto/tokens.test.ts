import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { systemRandom, toBase62 } from '../../src/crypto/random.ts';
import { isWellFormedToken, mintToken } from '../../src/crypto/tokens.ts';

test('a token is its prefix, 32 random characters and their checksum', () => {
  for (const prefix of ['pbk_', 'psc_', 'pin_'] as const) {
    const token = mintToken(prefix, systemRandom);
    const body = token.slice(4, 36);
    assert.match(token, new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
    assert.equal(token.slice(36), toBase62(crc32(body), 6));
    assert.equal(isWellFormedToken(prefix, token), true);
  }
});

test('a token with any one character changed is refused', () => {
  const token = mintToken('pbk_', systemRandom);
  for (let index = 0; index < token.length; index += 1) {
    for (const other of ['0', 'A', 'z', '_', ' ', 'é']) {
      if (token[index] === other) continue;
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      assert.equal(isWellFormedToken('pbk_', changed), false, changed);
    }
  }
});

test('a token with two adjacent characters swapped is refused', () => {
  const token = mintToken('psc_', systemRandom);
  for (let index = 4; index < 35; index += 1) {
    const [left, right] = [token[index] as string, token[index + 1] as string];
    if (left === right) continue;
    const swapped = token.slice(0, index) + right + left + token.slice(index + 2);
    assert.equal(isWellFormedToken('psc_', swapped), false);
  }
});

test('a token of another kind, and a longer, shorter or empty one are refused', () => {
  const token = mintToken('pbk_', systemRandom);
  assert.equal(isWellFormedToken('psc_', token), false);
  for (const text of ['', 'pbk_', token.slice(0, -1), `${token}0`, `${token}\n`, ` ${token}`]) {
    assert.equal(isWellFormedToken('pbk_', text), false);
  }
});
