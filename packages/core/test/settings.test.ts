import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDatabaseUrl, parseRedisUrl, parseSmtpUrl } from '../src/settings.ts';

const parsers: ReadonlyArray<readonly [scheme: string, parse: (text: string) => unknown]> = [
  ['postgres', parseDatabaseUrl],
  ['redis', parseRedisUrl],
  ['smtp', parseSmtpUrl],
];

const passwords = ['Zq7@Kx9v/Wm3', 'Zq7/Kx9v', 'Zq7?Kx9v', 'Zq7#Kx9v', 'Zq7@Kx9v?Wm3'];

for (const [scheme, parse] of parsers) {
  for (const password of passwords) {
    test(`a ${scheme} URL is refused with the remedy, and without its password ${password}`, () => {
      assert.throws(
        () => parse(`${scheme}://u:${password}@host.example:5432/db`),
        ({ message }: Error) => {
          assert.match(message, /; percent-encode "\/", "\?", "#" and "@" in the user name and/);
          assert.doesNotMatch(message, /Zq7|Kx9v|Wm3/);
          return true;
        },
      );
    });
  }

  test(`a ${scheme} URL with a percent-encoded password is accepted`, () => {
    assert.ok(parse(`${scheme}://u:${encodeURIComponent('Zq7@Kx9v/Wm3?#')}@host.example:5432/db`));
  });
}
