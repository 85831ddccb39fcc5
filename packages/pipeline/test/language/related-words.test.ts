import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  emptyRelatedWords,
  readRelatedWords,
  writeRelatedWords,
} from '../../src/language/related-words.ts';

const TABLE = {
  lengths: Uint8Array.of(2, 0, 1),
  rows: Uint16Array.of(1, 2, 0),
  bits: Uint8Array.of(4, 32, 64),
};

describe('a file of related words', () => {
  it('a file of related words is read back as it was written', () => {
    const related = readRelatedWords(writeRelatedWords(TABLE));
    assert.equal(related.size, 3);
    assert.deepEqual(
      [related.between(0, 1), related.between(0, 2), related.between(2, 0), related.between(1, 0)],
      [4, 32, 64, 0],
    );
    assert.deepEqual([0, 1, 2, 3].map(related.first), [0, 2, 2, 3]);
  });

  it('a file of related words returns nothing for rows that it lacks', () => {
    const related = readRelatedWords(writeRelatedWords(TABLE));
    assert.deepEqual(
      [related.between(-1, 0), related.between(0, -1), related.between(9, 0)],
      [0, 0, 0],
    );
    assert.equal(emptyRelatedWords().between(0, 0), 0);
  });

  it('a file of related words is refused when it is damaged', () => {
    const bytes = writeRelatedWords(TABLE);
    const foreign = bytes.slice();
    foreign[bytes.length - 1] = 9;
    const longer = bytes.slice();
    longer[12] = 3;
    for (const damaged of [
      new Uint8Array(0),
      bytes.slice(0, 11),
      bytes.slice(0, -1),
      bytes.slice().fill(0, 0, 4),
      foreign,
      longer,
    ]) {
      assert.throws(() => readRelatedWords(damaged), RangeError);
    }
  });

  it('a file of related words is read or refused, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.boolean(), (bytes, begins) => {
        const file = begins
          ? Uint8Array.from([...writeRelatedWords(TABLE).slice(0, 4), ...bytes])
          : bytes;
        try {
          assert.ok(readRelatedWords(file).size >= 0);
        } catch (error) {
          assert.ok(error instanceof RangeError);
        }
      }),
    );
  });
});
