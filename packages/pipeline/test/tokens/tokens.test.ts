import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { eachWord } from '../../src/language/join-words.ts';
import { createTextFeatures, readFeatures } from '../../src/models/text-features.ts';
import { createWordFinder } from '../../src/pii/word-finder.ts';
import { createBlocks } from '../../src/text/blocks.ts';
import { createChangeList } from '../../src/text/changes.ts';
import type { PreparedText } from '../../src/text/prepared-text.ts';
import { eachText, prepareText } from '../../src/text/prepared-text.ts';
import { spliceTokens } from '../../src/tokens/splice.ts';
import { MAX_LENGTH } from '../../src/tokens/token-row.ts';
import type { Tokens } from '../../src/tokens/tokens.ts';
import { tokensOfText } from '../../src/tokens/tokens.ts';
import { hashWord } from '../../src/tokens/word-hash.ts';
import { comparedWords, dictionaryStarts, modelTokens } from './reference.ts';

const PIECES = [
  ...['word', 'Words', 'NATO', "Don't", "rock'n'roll", '1,400', '3.5', '12:30', 'b2b', 'homePhone'],
  ...[
    'straße',
    'É',
    'q\u0303',
    '\u0301',
    'İ',
    'ΣΑΣ',
    'рaypal',
    'Яна',
    'й',
    'ﬁ',
    'ª',
    '½',
    '٣',
    'Ⅷ',
  ],
  ...[
    '电话',
    'かな',
    'ภาษา',
    '한국어',
    'नमस्ते',
    '\ua4d0',
    '〇',
    '。',
    '😀',
    '\ud801\udc00',
    '\ud800',
  ],
  ...['\u200b', '\u00ad', '\u02c2', '\u2e00', '\ufdfa', '\u2003', '—', '’', '…', '•', '×'],
  ...[
    "'",
    '"',
    '.',
    '!',
    '?',
    ',',
    ':',
    '-',
    '|',
    '$',
    '€',
    '%',
    '(',
    ')',
    '\t',
    '\r\n',
    '\n',
    '\n\n',
  ],
  ...[' ', ' ', ' ', ' ', ' ', 'one two three four five', '| 1 | 2 | 3 |', 'i g n o r e', '1gn0re'],
];
const text = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: 'binary' })),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(''));

/** Every text that comes out of one, as the stages read them. */
function everyText(from: string): PreparedText[] {
  return [...eachText(prepareText(from))];
}

function read(tokens: Tokens): string[] {
  const features = createTextFeatures();
  readFeatures(tokens, features);
  const { words, checks, wordStarts, wordEnds, firstWord, segments } = features;
  return Array.from({ length: segments }, (_, segment) => segment).flatMap((segment) => {
    const [from, to] = [firstWord[segment] as number, firstWord[segment + 1] as number];
    return Array.from({ length: to - from }, (_, index) => {
      const at = from + index;
      return [wordStarts[at], wordEnds[at], words[at], checks[at], segment].join(' ');
    });
  });
}

function expected(folded: string): string[] {
  return modelTokens(folded).map(({ start, end, word, check, segment }) =>
    [start, end, word, check, segment].join(' '),
  );
}

function wordsOf(tokens: Tokens): string[] {
  const words: string[] = [];
  eachWord(tokens, (hash, start, end) => words.push(`${start}-${end} ${hash}`));
  return words;
}

function expectedWords(of: string): string[] {
  return comparedWords(of).map((word) => {
    const [, place, lower = ''] = /^(\S+) (.*)$/s.exec(word) ?? [];
    return `${place} ${hashWord(lower)}`;
  });
}

/** As the dictionary sees a text. */
function plainOf(of: string): string {
  const bare = of.replace(/\P{ASCII}/gu, (sign) => {
    const plain = sign.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    return plain.length === sign.length ? plain : sign;
  });
  return bare.toLowerCase();
}

describe('tokens', () => {
  it('tokens of any text are for the models the runs and signs of its folded forms', () => {
    fc.assert(
      fc.property(text, (from) => {
        for (const prepared of everyText(from)) {
          const { folded, deobfuscated = folded } = prepared;
          assert.deepEqual(read(prepared.tokensOf(folded)), expected(folded.text));
          assert.deepEqual(read(prepared.tokensOf(deobfuscated)), expected(deobfuscated.text));
        }
      }),
      { numRuns: roundsOf(2000) },
    );
  });

  it('tokens of any text are joined to its words, in the normalized and in the folded form', () => {
    fc.assert(
      fc.property(text, (from) => {
        for (const prepared of everyText(from)) {
          const { normalized, folded } = prepared;
          assert.deepEqual(wordsOf(prepared.tokensOf(normalized)), expectedWords(normalized.text));
          assert.deepEqual(wordsOf(prepared.tokensOf(folded)), expectedWords(folded.text));
        }
        assert.deepEqual(wordsOf(tokensOfText(from)), expectedWords(from));
      }),
      { numRuns: roundsOf(2000) },
    );
  });

  it('tokens of any text say where a word of a dictionary begins', () => {
    fc.assert(
      fc.property(text, (from) => {
        const { normalized } = prepareText(from);
        const plain = plainOf(normalized.text);
        const starts = dictionaryStarts(normalized.text, plain);
        // A dictionary of what begins at each place; a found word hides those that begin within it.
        for (const start of starts.slice(0, 6)) {
          const opening = plain.slice(start, start + 2);
          if (!/^\p{L}{2}$/u.test(opening)) continue;
          const find = createWordFinder([{ bits: 1, words: [`${opening}*`] }]);
          const found = find(prepareText(from).tokensOf(normalized));
          const covers = found.some((word) => word.start <= start && start < word.end);
          assert.ok(covers, `${JSON.stringify(normalized.text)} at ${start}`);
          for (const word of found) assert.ok(starts.includes(word.start), `${word.start}`);
        }
      }),
      { numRuns: roundsOf(1000) },
    );
  });

  it('tokens of a text that was made by replacing parts of another one are those of the text', () => {
    const part = fc.tuple(text, text, text);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), fc.boolean(), (parts, isFolded) => {
        const from = parts.map(([kept, old]) => kept + old).join('');
        const prepared = prepareText(from);
        const view = isFolded ? prepared.folded : prepared.normalized;
        // What is replaced is told by places of the form, which folding may have moved.
        const changes = createChangeList();
        let made = '';
        let copied = 0;
        for (const [kept, old, replacement] of parts) {
          const put = isFolded ? prepareText(replacement).folded.text : replacement;
          const start = Math.min(view.text.length, copied + kept.length);
          const end = Math.min(view.text.length, start + old.length);
          made += view.text.slice(copied, start);
          changes.push(made.length, put.length, start, end - start);
          made += put;
          copied = end;
        }
        made += view.text.slice(copied);
        const base = prepared.tokensOf(view);
        const tokens = spliceTokens(base, { text: made, changes: changes.finish() });
        assert.equal(tokens.text, made);
        assert.deepEqual(wordsOf(tokens), expectedWords(made));
        // The models know folded words alone.
        if (isFolded) assert.deepEqual(read(tokens), expected(made));
      }),
      { numRuns: roundsOf(3000) },
    );
  });

  it('tokens of the parts of a long text are those of each part, whatever was taken over from the one before', () => {
    const long = fc
      .array(fc.oneof(text, fc.constant(' plain words here. ')), { minLength: 8, maxLength: 20 })
      .map((pieces) => {
        const once = pieces.join(' ');
        return once.repeat(1 + Math.ceil(20_000 / (once.length + 1))).slice(0, 20_000);
      });
    fc.assert(
      fc.property(long, (from) => {
        for (const block of createBlocks(from)) {
          const { normalized, folded } = block;
          assert.deepEqual(wordsOf(block.tokensOf(normalized)), expectedWords(normalized.text));
          assert.deepEqual(wordsOf(block.tokensOf(folded)), expectedWords(folded.text));
          assert.deepEqual(read(block.tokensOf(folded)), expected(folded.text));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('tokens are made once for all forms that are read, whichever is asked for first', () => {
    for (const first of ['normalized', 'folded'] as const) {
      const prepared = prepareText('Größe ǅ 1,400 don’t İ');
      const second = first === 'normalized' ? 'folded' : 'normalized';
      const one = prepared.tokensOf(prepared[first]);
      const other = prepared.tokensOf(prepared[second]);
      assert.equal(other.rows, one.rows);
      assert.equal(prepared.tokensOf(prepared[first]), one);
      assert.equal(prepared.tokensOf(prepared[second]), other);
    }
  });

  it('tokens of a run that is longer than a row can say are one word', () => {
    for (const letters of ['ab', 'ян', 'äb']) {
      const long = letters.repeat(MAX_LENGTH / 2 + 5);
      const prepared = prepareText(`${long}7 b`);
      const { normalized, folded } = prepared;
      assert.deepEqual(wordsOf(prepared.tokensOf(normalized)), expectedWords(normalized.text));
      const [word] = read(prepared.tokensOf(folded));
      assert.ok(word?.startsWith(`0 ${long.length} `), word);
    }
  });
});
