import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinearTime } from '@probity/test-support';
import fc from 'fast-check';
import { createPipeline, createStreamScanner } from '../../src/index.ts';
import { TermIndex } from '../../src/terms/term-index.ts';
import type { TermsOptions } from '../../src/terms/terms-stage.ts';

function pipelineOf(options: TermsOptions) {
  const stage = { name: 'terms_scanner', timeoutMs: 60_000, options: { ...options } } as const;
  return createPipeline({ stages: [stage] });
}

async function found(options: TermsOptions, text: string): Promise<string[]> {
  const { findings } = await pipelineOf(options).scan({ response: text });
  return findings.map(({ type, start, end }) => `${type}:${text.slice(start, end)}`);
}

describe('terms_scanner', () => {
  it('finds terms whatever their case, diacritics and look-alike letters, as whole words', async () => {
    const lists = [{ type: 'project', terms: ['Blue Heron', 'café', 'c++', 'größe'] }];
    const text =
      'The BLUE\n  heron, a CAFE, the blue h\u0435ron and C++; GRÖSSE. Blue herons, cafes.';
    assert.deepEqual(await found({ lists }, text), [
      'project:BLUE\n  heron',
      'project:CAFE',
      'project:blue h\u0435ron',
      'project:C++',
      'project:GRÖSSE',
    ]);
  });

  it('minds case and parts of words as each list says, and reports the longest of overlapping terms', async () => {
    const lists = [
      { type: 'code', terms: ['ACME'], caseSensitive: true, risk: 0.4 },
      { type: 'part', terms: ['heron', 'blue heron'], wholeWords: false, risk: 0.9 },
      { terms: ['秘密'] },
    ];
    const text = 'ACME acme blueherons, blue heron; これは秘密です';
    assert.deepEqual(await found({ lists }, text), [
      'code:ACME',
      'part:heron',
      'part:blue heron',
      'denied_term:秘密',
    ]);
    const { scores, findings } = await pipelineOf({ lists }).scan({ response: 'ACME' });
    assert.deepEqual([scores.terms, findings[0]?.score], [0.4, 0.4]);
  });

  it('finds patterns, also as JSON has them, and terms in encoded text', async () => {
    const patterns = [
      { type: 'ticket', pattern: { source: 'inc-\\d{5,7}', flags: 'i' }, risk: 0.3 },
    ];
    const lists = [{ terms: ['blue heron project'] }];
    const encoded = Buffer.from('the blue heron project, again').toString('base64');
    const text = `see INC-12345 and ${encoded} there`;
    assert.deepEqual(await found({ lists, patterns }, text), [
      'ticket:INC-12345',
      `denied_term:${encoded}`,
    ]);
  });

  it('names the option at fault', () => {
    const wrong: [object, RegExp][] = [
      [{ list: [] }, /options\.list:/],
      [{ lists: [{ terms: [] }] }, /options\.lists\[0\]\.terms: expected at least one term/],
      [{ lists: {} }, /options\.lists:/],
      [{ lists: [{ terms: ['a', ''] }] }, /options\.lists\[0\]\.terms\[1\]/],
      [{ lists: [{ terms: ['\u3000\u200b\u00ad'] }] }, /options\.lists\[0\]\.terms\[0\]/],
      [{ lists: [{ terms: ['a'], wholeWords: 1 }] }, /options\.lists\[0\]\.wholeWords/],
      [{ lists: [{ type: 'A', terms: ['a'] }] }, /options\.lists\[0\]\.type/],
      [
        { patterns: [{ type: 'a', pattern: '(a+)+b' }] },
        /options\.patterns\[0\]\.pattern: \(a\+\)\+/,
      ],
    ];
    for (const [options, message] of wrong) {
      assert.throws(() => pipelineOf(options as TermsOptions), message);
    }
  });

  it('has nothing to find without a list or a pattern, and says what is missing', () => {
    for (const options of [{}, { lists: [] }, { lists: [], patterns: [] }]) {
      assert.throws(() => pipelineOf(options), {
        name: 'PipelineConfigError',
        message: 'stages.terms_scanner.options: expected lists, patterns or both; got neither',
      });
    }
    createPipeline({ stages: [{ name: 'terms_scanner', enabled: false }] });
  });

  it('finds what a search for each term alone finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 60 }),
        (terms, text) => {
          const expected = terms.flatMap((term, index) =>
            [...text].flatMap((_, start) =>
              text.startsWith(term, start) ? [`${index} ${start}`] : [],
            ),
          );
          const got = new TermIndex(terms).find(text).map(({ term, start }) => `${term} ${start}`);
          assert.deepEqual(got.sort(), expected.sort());
        },
      ),
    );
  });

  it('finds many terms within terms, and a term of two lists as each says', async () => {
    const nested = Array.from({ length: 200 }, (_, index) => 'a'.repeat(index + 1));
    const pipeline = pipelineOf({ lists: [{ terms: nested, wholeWords: false }] });
    const { stages, findings } = await pipeline.scan({ response: 'a'.repeat(10_000) });
    assert.equal(stages[0]?.status, 'ok');
    assert.ok(findings.length >= 50, String(findings.length));
    const lists = [
      { type: 'whole', terms: ['acme'], risk: 0.3 },
      { type: 'part', terms: ['acme'], wholeWords: false, risk: 0.9 },
    ];
    assert.deepEqual(await found({ lists }, 'acmeton'), ['part:acme']);
    assert.deepEqual(await found({ lists: lists.slice(0, 1) }, 'acmeton'), []);
  });

  it('finds terms in Greek capitals, whose sigma has one form', async () => {
    const lists = [{ type: 'name', terms: ['ΟΔΟΣ', 'σοφός'] }];
    assert.deepEqual(await found({ lists }, 'οδος, ΣΟΦΌΣ'), ['name:οδος', 'name:ΣΟΦΌΣ']);
  });

  it('finds a term that increments of a stream cut', async () => {
    const text = `The project Blue Heron is secret. ${'More prose follows here. '.repeat(30)}`;
    const rules = [{ stage: 'terms_scanner' as const, action: 'redact' as const }];
    const scanner = createStreamScanner(pipelineOf({ lists: [{ terms: ['blue heron'] }] }), {
      policies: [{ id: 'a', name: 'a', rules }],
    });
    let released = '';
    for (let at = 0; at < text.length; at += 3)
      released += (await scanner.feed(text.slice(at, at + 3))).text;
    released += (await scanner.end()).text;
    assert.equal(released, text.replace('Blue Heron', '[DENIED_TERM_1]'));
  });

  it('holds 100,000 terms, refuses one more, and takes time linear in the text', async () => {
    const terms = Array.from(
      { length: 100_000 },
      (_, index) => `term ${index.toString(36)} of ours`,
    );
    const pipeline = pipelineOf({ lists: [{ terms }] });
    const { findings } = await pipeline.scan({ response: 'it was term 255r of ours.' });
    assert.equal(findings.length, 1);
    assert.throws(
      () => pipelineOf({ lists: [{ terms }, { terms: ['more'] }] }),
      /more than 100000 terms/,
    );
    const short = 'term 12 of our term of '.repeat(1_000);
    const scan = (response: string) => () => pipeline.scan({ response });
    await assertLinearTime(scan(short), scan(short.repeat(8)));
  });
});
