import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSafeText } from '../../src/remote/failure.ts';

const SECRET = 's3/cr+t "&ü\\x y';

test('an error of a connected system has the client secret in no writing', () => {
  const json = JSON.stringify(SECRET).slice(1, -1);
  const percent = encodeURIComponent(SECRET);
  const writings = [
    SECRET,
    json,
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.replace(/%../g, (byte) => byte.toLowerCase()),
    new URLSearchParams({ s: SECRET }).toString().slice(2),
  ];
  assert.equal(new Set(writings).size, writings.length);
  for (const writing of writings) {
    assert.equal(
      toSafeText(`client_secret=${writing} is wrong`, SECRET),
      'client_secret=*** is wrong',
    );
  }
});

test('an error of a connected system without a secret stays as it is', () => {
  assert.equal(toSafeText('invalid_client: unknown', ''), 'invalid_client: unknown');
  assert.equal(toSafeText('a\r\nb', 'secret'), 'a b');
});
