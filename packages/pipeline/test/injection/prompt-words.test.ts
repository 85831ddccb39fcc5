import assert from 'node:assert/strict';
import { it } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { promptLexicon } from '../../src/injection/prompt-lexicon.ts';
import { compileLexicon, readKnownWords } from '../../src/injection/prompt-words.ts';
import { LANGUAGES } from '../../src/languages/languages.generated.ts';
import { tokensOfText } from '../../src/tokens/tokens.ts';

const TABLES = compileLexicon(promptLexicon(LANGUAGES));

/** Words with inner apostrophes and hyphens; of ASCII only small letters and digits. */
const WORD = /(?:[a-z0-9]|(?=[^\0-\x7f])[\p{L}\p{N}])(?:['a-z0-9-]|(?=[^\0-\x7f])[\p{L}\p{N}])*/gu;

/** What ends a sentence: a line break, or a stop with a blank or nothing after it. */
const END = /\n|[.,!;?。](?=\s|$)/gu;

/** The known words of a text as one expression finds them, each judged by itself. */
function expectedWords(text: string): string[] {
  const ends = [...text.matchAll(END)].map(({ index }) => index);
  return [...text.matchAll(WORD)].flatMap((match, index) => {
    const [word] = match[0].split(/['-]+$/);
    const bits = readKnownWords(TABLES, tokensOfText(word as string), () => true)[0]?.bits;
    const sentence = ends.filter((end) => end < match.index).length;
    return bits === undefined ? [] : [`${word}@${match.index} ${index} ${sentence} ${bits}`];
  });
}

/** The sentences numbered anew by their order: only whether two are the same matters. */
function renumbered(words: readonly string[]): string[] {
  const numbers = new Map<string, number>();
  return words.map((word) => {
    const [place, index, sentence, bits] = word.split(' ') as [string, string, string, string];
    if (!numbers.has(sentence)) numbers.set(sentence, numbers.size);
    return [place, index, numbers.get(sentence), bits].join(' ');
  });
}

it('the known words of a text are those between signs, whatever else stands in it', () => {
  const piece = fc.oneof(
    fc.constantFrom('ignore', 'previous', 'instructions', 'ignored', 'vergiss', 'забудь', 'system'),
    fc.constantFrom(' ', '\n', '\n\n', '. ', '.', ', ', '; ', '!', '。', "'", '-', "'-", '_', '/'),
    fc.constantFrom(
      '7',
      '12',
      'é',
      'Ω',
      'ÀB',
      'A',
      '\u0301',
      '\u00a0',
      '\u00ad',
      '中文',
      'กา',
      '𝒜',
      '😀',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      // A folded text has no capitals of ASCII.
      const text = pieces.join('').replace(/[A-Z]/g, (capital) => capital.toLowerCase());
      const words = readKnownWords(TABLES, tokensOfText(text), () => true).map(
        ({ start, end, index, sentence, bits }) =>
          `${text.slice(start, end)}@${start} ${index} ${sentence} ${bits}`,
      );
      assert.deepEqual(renumbered(words), renumbered(expectedWords(text)));
    }),
    { numRuns: roundsOf(2000) },
  );
});
