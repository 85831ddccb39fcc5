import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedLexicon } from '../../src/language/shared-lexicon.ts';
import { createTextFeatures, readFeatures } from '../../src/models/text-features.ts';
import {
  NO_WORD,
  poolSize,
  poolWords,
  rowsOfWords,
  UNKNOWN_WORD,
} from '../../src/models/word-pool.ts';
import { tokensOfText } from '../../src/tokens/tokens.ts';

const { vectors } = sharedLexicon();

function pool(text: string): { rows: number[]; pooled: number[] } {
  const features = createTextFeatures();
  readFeatures(tokensOfText(text), features);
  const count = features.firstWord[features.segments] as number;
  const rows = rowsOfWords(features, vectors, 0, count);
  const into = new Float64Array(poolSize(vectors));
  poolWords(vectors, rows, 0, count, into);
  return { rows: [...rows], pooled: [...into] };
}

describe('pooled word vectors', () => {
  it('pooled words have a row if known, and tell unknown words from numbers and signs', () => {
    const { rows } = pool('kill 42 zzqxv !');
    assert.ok((rows[0] as number) >= 0);
    assert.deepEqual(rows.slice(1), [NO_WORD, UNKNOWN_WORD, NO_WORD]);
  });

  it('pooled words give the same numbers for forms of one word', () => {
    assert.deepEqual(pool('the painter paints').pooled, pool('the painter painted').pooled);
  });

  it('pooled words give zeros for a text without words, but for its length', () => {
    const { pooled } = pool('12 %');
    assert.deepEqual(new Set(pooled.slice(0, 3 * vectors.dimensions)), new Set([0]));
    assert.ok((pooled.at(-2) as number) > 0);
  });
});
