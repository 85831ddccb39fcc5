import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GrowingBuffer } from '../../src/http/growing-buffer.ts';

test('a growing buffer holds the bytes of all chunks in order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 20 }), (chunks) => {
      const buffer = new GrowingBuffer();
      for (const chunk of chunks) buffer.append(chunk);
      const whole = Buffer.concat(chunks);
      assert.equal(buffer.length, whole.length);
      assert.ok(whole.equals(buffer.take()));
    }),
  );
});

test('a growing buffer keeps no chunk but a single one', () => {
  const buffer = new GrowingBuffer();
  const chunks = Array.from({ length: 100 }, (_, index) => Uint8Array.of(index));
  for (const chunk of chunks) buffer.append(chunk);
  for (const chunk of chunks) chunk.fill(255);
  assert.deepEqual([...buffer.take()], [...chunks.keys()]);
});
