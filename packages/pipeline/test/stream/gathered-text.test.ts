import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GatheredText } from '../../src/stream/gathered-text.ts';

/** Of one byte and of two, halves of surrogate pairs, parts that are kept as numbers and longer ones. */
const part = fc.oneof(
  { arbitrary: fc.constantFrom('', 'a', 'é', 'Ж', '漢', '\ud83d', '\ude00', '😀'), weight: 6 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 12 }), weight: 3 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom('word ', 'слово '), fc.integer({ min: 1, max: 500 }))
      .map(([word, times]) => word.repeat(times)),
    weight: 1,
  },
);

describe('a gathered text', () => {
  it('a gathered text is what its parts joined are, of whatever length', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 600 }), (parts) => {
        const gathered = new GatheredText();
        for (const each of parts) gathered.add(each);
        assert.equal(gathered.length, parts.join('').length);
        assert.equal(gathered.whole(), parts.join(''));
      }),
    );
  });

  it('a gathered text gives what is new once, behind the text before it, and all of it at any time', () => {
    const groups = fc.array(fc.array(part, { maxLength: 200 }), { maxLength: 8 });
    fc.assert(
      fc.property(groups, fc.boolean(), (all, isAsked) => {
        const gathered = new GatheredText();
        let before = '';
        for (const parts of all) {
          for (const each of parts) gathered.add(each);
          if (isAsked) assert.equal(gathered.whole(), before + parts.join(''));
          assert.equal(gathered.takeNew('>'), `>${parts.join('')}`);
          assert.equal(gathered.takeNew(''), '');
          before += parts.join('');
        }
        assert.equal(gathered.whole(), before);
      }),
    );
  });
});
