import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import fc from 'fast-check';
import { randomBase62, systemRandom, toBase62 } from '../src/crypto/random.ts';
import { createIds } from '../src/ids.ts';

test('an identifier is its prefix and 26 characters of lower-case base 32', () => {
  const ids = createIds();
  for (const prefix of ['org', 'mem', 'key', 'evt', 'job', 'req'] as const) {
    assert.match(ids.next(prefix), new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
  }
});

test('ten thousand identifiers of one millisecond are all different', () => {
  const ids = createIds(createTestClock());
  const made = new Set(Array.from({ length: 10_000 }, () => ids.next('evt')));
  assert.equal(made.size, 10_000);
});

test('identifiers sort by their creation time in milliseconds', () => {
  const time = fc.integer({ min: 0, max: 2 ** 47 });
  fc.assert(
    fc.property(time, time, (left, right) => {
      fc.pre(left !== right);
      const idAt = (ms: number) => createIds(createTestClock(ms)).next('evt');
      assert.equal(idAt(left) < idAt(right), left < right);
    }),
  );
});

test('identifiers of one millisecond sort in the order of the calls', () => {
  for (const random of [systemRandom, (size: number) => new Uint8Array(size).fill(255)]) {
    const ids = createIds(createTestClock(), random);
    const made = Array.from({ length: 10_000 }, () => ids.next('evt'));
    assert.deepEqual([...made].sort(), made);
  }
});

test('the same clock and the same random bytes give the same identifier', () => {
  const make = () =>
    createIds(createTestClock(), (size) => new Uint8Array(size).fill(7)).next('org');
  assert.equal(make(), make());
});

test('random base-62 text has the requested length and favors no character', () => {
  const text = randomBase62(systemRandom, 62_000);
  assert.match(text, /^[0-9A-Za-z]{62000}$/);
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  // 1000 expected each, deviation about 31: seven of those is out of the question by chance.
  for (const [character, count] of counts) assert.ok(Math.abs(count - 1_000) < 220, character);
});

test('bytes that would favor some characters are dropped', () => {
  const bytes = [255, 248, 0, 61, 62];
  assert.equal(
    randomBase62(() => Uint8Array.from(bytes), 3),
    '0z0',
  );
});

test('base 62 is read back to the number it was written from', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => {
      const text = toBase62(value, 6);
      assert.equal(text.length, 6);
      const read = [...text].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
      assert.equal(read, value);
    }),
  );
});
