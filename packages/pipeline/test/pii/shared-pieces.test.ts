import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LANGUAGES } from '../../src/languages/languages.generated.ts';
import { wordsIn } from '../../src/languages/word-list.ts';
import { PII_TYPES } from '../../src/pii/pii-types.ts';
import { sharedPieces } from '../../src/pii/shared-pieces.ts';

describe('the pieces that words share', () => {
  it('every text with a word of any type and language matches, in either case', () => {
    for (const { type } of PII_TYPES) {
      const words = wordsIn(LANGUAGES, ({ pii }) => pii?.cues?.[type]);
      const pieces = sharedPieces(words);
      for (const word of words) {
        const text = word.replace('*', '');
        assert.match(text, pieces);
        assert.match(text.toUpperCase(), pieces);
      }
    }
  });

  it('words match with the diacritics that they are written with', () => {
    const pieces = sharedPieces(['utlevel*', 'ho chieu']);
    for (const text of ['útlevél', 'ÚTLEVÉL', 'hộ chiếu', 'ho chieu']) assert.match(text, pieces);
    for (const text of ['a letter', 'the house', '123456789']) assert.doesNotMatch(text, pieces);
  });

  it('few pieces stand for many words, and no word for nothing', () => {
    const { source } = sharedPieces(['passport*', 'pass no', 'reisepass*', 'pas nr', 'ppt']);
    assert.equal(source.split('|').length, 3);
    assert.doesNotMatch('plain text', sharedPieces([]));
  });

  it('a piece is as long as its words allow', () => {
    const pieces = sharedPieces(['putovnic*', 'document', 'documento de viaje']);
    for (const text of ['putovnica', 'Documento']) assert.match(text, pieces);
    for (const text of ['output', 'doctor']) assert.doesNotMatch(text, pieces);
  });
});
