import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomBase62, systemRandom, toBase62 } from '../../src/crypto/random.ts';

describe('systemRandom', () => {
  it('systemRandom returns the requested number of bytes, across the end of its pool and beyond', () => {
    for (const size of [0, 1, 16, 1_024, 1_025, 100_000]) {
      assert.equal(systemRandom(size).length, size);
    }
  });

  it('systemRandom returns no bytes twice and none that were erased', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 5_000; index += 1) {
      const bytes = systemRandom(16);
      assert.ok(bytes.some((byte) => byte !== 0));
      seen.add(Buffer.from(bytes).toString('hex'));
    }
    assert.equal(seen.size, 5_000);
  });

  it('systemRandom does not change bytes that it returned earlier', () => {
    const first = systemRandom(32);
    const copy = Uint8Array.from(first);
    for (let index = 0; index < 1_000; index += 1) systemRandom(32);
    assert.deepEqual(first, copy);
  });

  it('systemRandom returns every byte value about equally often', () => {
    const counts = new Array<number>(256).fill(0);
    for (let index = 0; index < 4_096; index += 1) {
      for (const byte of systemRandom(64)) counts[byte] = (counts[byte] ?? 0) + 1;
    }
    // 1024 expected of each, with a standard deviation of 32.
    for (const count of counts) assert.ok(count > 700 && count < 1_350, String(count));
  });
});

describe('base 62', () => {
  it('randomBase62 drops random bytes that would favor some characters', () => {
    const bytes = [255, 248, 247, 0, 61, 62];
    assert.equal(
      randomBase62(() => Uint8Array.from(bytes), 6),
      'z0z0z0',
    );
  });

  it('toBase62 pads numbers with zeros', () => {
    assert.equal(toBase62(0, 6), '000000');
    assert.equal(toBase62(61, 2), '0z');
    assert.equal(toBase62(62, 2), '10');
  });
});
