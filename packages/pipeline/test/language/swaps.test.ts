import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Alignment, alignWords } from '../../src/language/alignment.ts';
import { createLexicon } from '../../src/language/lexicon.ts';
import { readWords } from '../../src/language/sentences.ts';
import { countSwaps } from '../../src/language/swaps.ts';
import { emptyWordVectors } from '../../src/language/word-vectors.ts';
import { wordSpanOf } from '../../src/language/words.ts';

const lexicon = createLexicon(emptyWordVectors());

function swaps(claim: string, source: string): number {
  const [own, other] = [claim, source].map((text) => {
    const words = readWords(lexicon, text);
    return wordSpanOf(words, 0, words.count);
  });
  assert.ok(own !== undefined && other !== undefined);
  return countSwaps(own, other, alignWords(own, other, lexicon.relation, new Alignment()));
}

describe('countSwaps', () => {
  const turned: [string, string][] = [
    ['The bond of Pray to Clift is here.', 'The bond of Clift to Pray is here.'],
    ['The mayor thanked the painter.', 'The painter thanked the mayor.'],
    ['Our town has a Board of Harbour pilots.', 'Our town has a Harbour of Board pilots.'],
    [
      'From a Northern Desk you will already see the Harbour Office today.',
      'From a Harbour Office you will already see the Northern Desk today.',
    ],
  ];
  for (const [claim, source] of turned) {
    it(`countSwaps finds parts that changed places: ${claim}`, () => {
      assert.equal(swaps(claim, source), 1);
    });
  }

  const moved: [string, string][] = [
    ['The ferry carried guests in June.', 'In June the ferry carried guests.'],
    ['Call the office if the boat is late.', 'If the boat is late, call the office.'],
    ['The ferry is late today.', 'The ferry is late today.'],
    ['Nothing is shared.', 'Boats leave at nine.'],
  ];
  for (const [claim, source] of moved) {
    it(`countSwaps lets pass what merely moved: ${claim}`, () => {
      assert.equal(swaps(claim, source), 0);
    });
  }
});
