import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { windowsOf } from '../../src/classified/text-windows.ts';

describe('the windows of a text', () => {
  it('the windows of a text cover every visible character, overlap, and split no character', () => {
    const piece = fc.constantFrom('word ', 'a', '😀', '\n', 'longwordlongwordlongword', ' ');
    const texts = fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 80, max: 200 }), (text, length) => {
        const windows = windowsOf(text, length, 20);
        let covered = 0;
        for (const { start, end } of windows) {
          assert.ok(end - start <= length);
          assert.equal(text.slice(covered, start).trim(), '');
          assert.ok(end > covered, 'each window goes on');
          for (const place of [start, end]) {
            assert.ok(!/^[\udc00-\udfff]/.test(text.slice(place)), 'a character is whole');
          }
          covered = end;
        }
        assert.equal(text.slice(covered).trim(), '');
      }),
    );
  });

  it('a short text has one window, and an empty one has none', () => {
    assert.deepEqual(windowsOf('short', 800, 200), [{ start: 0, end: 5 }]);
    assert.deepEqual(windowsOf('', 800, 200), []);
    assert.deepEqual(windowsOf(' \n\t ', 800, 200), []);
  });

  it('the windows of a text contain text on a border completely in one of them', () => {
    const text = 'filler words '.repeat(400);
    const needle = 'a sentence of some length that must be seen whole';
    for (let at = 700; at < 900; at += 7) {
      const placed = text.slice(0, at) + needle + text.slice(at);
      const isWhole = ({ start, end }: { start: number; end: number }) =>
        placed.slice(start, end).includes(needle);
      assert.ok(windowsOf(placed, 800, 200).some(isWhole), `at ${at}`);
    }
  });
});
