import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Alignment, alignWords } from '../../src/language/alignment.ts';
import { createLexicon } from '../../src/language/lexicon.ts';
import { countNegationFlips } from '../../src/language/negation-flips.ts';
import { readWords } from '../../src/language/sentences.ts';
import { emptyWordVectors } from '../../src/language/word-vectors.ts';
import { wordSpanOf } from '../../src/language/words.ts';

const lexicon = createLexicon(emptyWordVectors());

function flips(claim: string, source: string): number {
  const [own, other] = [claim, source].map((text) => {
    const words = readWords(lexicon, text);
    return wordSpanOf(words, 0, words.count);
  });
  assert.ok(own !== undefined && other !== undefined);
  const alignment = alignWords(own, other, () => 0, new Alignment());
  return countNegationFlips(own, other, alignment);
}

describe('countNegationFlips', () => {
  const cases: [string, string, number][] = [
    ['The boat is not late today.', 'The boat is late today.', 1],
    ['The boat is late today.', 'The boat is not late today.', 1],
    ["The boat isn't late today.", 'The boat is late today.', 1],
    ["The boat isn't late today.", 'The boat is not late today.', 0],
    ['The boat is glad, and the harbour is no longer.', 'The boat is glad, and the harbour is.', 1],
    ['Guests may or may need a ticket.', 'Guests may or may not need a ticket.', 1],
    ['The boat is late today.', 'The boat is late today, and nobody on the pier knows of it.', 0],
    ['Not a single word is shared here.', 'Boats leave at nine.', 0],
  ];
  for (const [claim, source, expected] of cases) {
    it(`countNegationFlips counts ${expected}: "${claim}" against "${source}"`, () => {
      assert.equal(flips(claim, source), expected);
    });
  }
});
