import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { similarity } from '../../src/similarity.ts';

/** A sentence, one that says the same or nearly so, and one that says less of it. */
const ORDERINGS: readonly (readonly [string, string, string])[] = [
  [
    'The physician examined the child.',
    'A doctor looked at the kid.',
    'The lawyer wrote to the council.',
  ],
  [
    'The firm announced higher earnings.',
    'The company reported that its profits rose.',
    'The company moved to a new building.',
  ],
  [
    'How can I change my password?',
    'What must I do to alter the password?',
    'How can I delete my account?',
  ],
  [
    'Two men are unloading a lorry.',
    'Two men take boxes from a truck.',
    'Two men are sitting on a bench.',
  ],
  [
    'The strike begins on Monday.',
    'The walkout starts on Monday.',
    'The concert begins on Monday.',
  ],
  ['The door is open.', 'The door stands open.', 'The door is not open.'],
  ['The bus takes 40 minutes.', 'It is 40 minutes by bus.', 'The bus takes 90 minutes.'],
  ['A puppy chases a ball.', 'A dog runs after a ball.', 'A woman reads a letter.'],
];

describe('similarity', () => {
  for (const [sentence, near, far] of ORDERINGS) {
    it(`similarity ranks "${near}" above "${far}" for "${sentence}"`, () => {
      assert.ok(similarity(sentence, near) > similarity(sentence, far));
    });
  }

  it('similarity spreads over its range: the same 1, other matters near 0', () => {
    assert.equal(similarity('The tram is late again.', 'The tram is late again.'), 1);
    const foreign = similarity('The tram is late again.', 'Cream the butter with the sugar.');
    assert.ok(foreign < 0.2, String(foreign));
  });
});
