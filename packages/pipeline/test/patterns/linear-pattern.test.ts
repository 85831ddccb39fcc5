import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { compileLinearPattern } from '../../src/patterns/linear-pattern.ts';
import { createPatternDetector } from '../../src/pii/pattern-detector.ts';

/** As a source, since the compiler's target does not know the flag `v`. */
const SETS = '[\\p{L}--[a-z]]\\d';
const STRINGS = '[\\q{aa|a}]{1,28}q';
const EMOJI = '[\\p{RGI_Emoji}\\u200d]{1,40}q';
const NESTED = '(?:[^[\\p{L}]]|[0-9]){1,28}q';
/** What takes more than linear time, and the part that the error names. */
const SLOW: readonly (readonly [RegExp, string])[] = [
  [/(a+)+$/, '(a+)+'],
  [/(?:a|a)*b/, '(?:a|a)*'],
  [/(?:a|ab|b)*c/, '(?:a|ab|b)*'],
  [/(x+x+)+y/, '(x+x+)+'],
  [/(.*)*x/, '(.*)*'],
  [/(a*)*b/, '(a*)*'],
  [/^(([a-z])+.)+[A-Z]([a-z])+$/, '(([a-z])+.)+'],
  [/(?:\d+[ -]?)+x/, '(?:\\d+[ -]?)+'],
  [/(?:a{0,40}){0,40}b/, '(?:a{0,40}){0,40}'],
  [/(?:A|a)+b/i, '(?:A|a)+'],
  [/(?:[\p{L}]+|é+)+x/u, '(?:[\\p{L}]+|é+)+'],
  [/(\w+)\s\1/, '\\1'],
  [/(?<=a+)b/, '(?<=a+)'],
  [/(?=(a+)+b)c/, '(?=(a+)+b)'],
  [/(?!a*b)c/, '(?!a*b)'],
  [/\d+x/, '\\d+'],
  [/\w+@\w+/, '\\w+'],
  [/E\d+\d+x/, '\\d+'],
  [/E.*a.*b/, '.*'],
  [/\w{0,50}\w{0,50}\w{0,50}x/, '\\w{0,50}'],
  [/(a?){30}a{30}/, '(a?){30}'],
  [/(?:a|aa){20}b/, 'the pattern'],
  [new RegExp(`${'a?'.repeat(30)}${'a'.repeat(30)}`), 'the pattern'],
  [new RegExp(`${'(a|a)'.repeat(30)}b`), 'the pattern'],
  [/a{1000}/, 'a'],
  [/(?:[^\p{L}]|[0-9]){1,28}q/u, '(?:[^\\p{L}]|[0-9]){1,28}'],
  [/(?:[^a-z]|[à-ÿ]){1,28}q/iu, '(?:[^a-z]|[à-ÿ]){1,28}'],
  [/(?:[^\W]|\u017f){1,28}q/iu, '(?:[^\\W]|\\u017f){1,28}'],
  [/(?=(?:a|a){26}b)a/, '(?=(?:a|a){26}b)'],
  [/(?<=c(?:a|a){26})b/, '(?<=c(?:a|a){26})'],
  [/(?!x(?!(?:a|a){26}b))a/, '(?!(?:a|a){26}b)'],
  [new RegExp(STRINGS, 'v'), '[\\q{aa|a}]'],
  [new RegExp(EMOJI, 'v'), '[\\p{RGI_Emoji}\\u200d]'],
  [new RegExp(NESTED, 'v'), '(?:[^[\\p{L}]]|[0-9]){1,28}'],
];
const FAST: readonly (readonly [RegExp, string])[] = [
  [/E\d{6}/, 'E123456'],
  [/E\d+/, 'E1'],
  [/\bEMP-\d{4,8}\b/, 'EMP-12345'],
  [/(?<!\d)\d{4,20}(?!\d)/, '1234'],
  [/[a-z]{1,64}@[a-z]{1,64}\.com/, 'a@b.com'],
  [/(?:\d{4}[ -]?){3}\d{4}/, '1234 5678 9012 3456'],
  [/(?:\d{1,3}\.){3}\d{1,3}/, '10.0.0.1'],
  [/(?:food|foo|bar)s?/i, 'FOODS'],
  [/EMP-(?:[A-Z]{2}\d{2}-)+X/, 'EMP-AB12-CD34-X'],
  [/\p{Lu}\d{6}/u, 'Ä123456'],
  [/"key":\s?"[^"]*"/, '"key": "a"'],
  [new RegExp(SETS, 'v'), 'Z1'],
  [/[^a-z\s]{1,20}:\d/i, '12:3'],
  [/(?=.{4}-)[^\W_]{4}-\d+/, 'ab12-3'],
  [/(?<![^\s,])\d{4}(?![^\s,])/, '1234'],
];

function refusalOf(pattern: unknown): string {
  try {
    compileLinearPattern('at', pattern);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('compileLinearPattern', () => {
  it('refuses what could take more than linear time, with the part and the reason', () => {
    for (const [pattern, part] of SLOW) {
      const message = refusalOf(pattern);
      assert.ok(message.includes(`${part} could take too long: `), `${pattern}: ${message}`);
    }
  });

  it('takes patterns as expressions, strings and sources with flags, and finds what they match', () => {
    for (const [pattern, value] of FAST) {
      const { source, flags } = pattern;
      for (const form of [pattern, { source, flags }]) {
        const compiled = compileLinearPattern('at', form);
        assert.equal(`x ${value} x`.match(compiled)?.[0], value, String(pattern));
      }
    }
    assert.equal(compileLinearPattern('at', 'E\\d{6}').flags, 'gu');
  });

  it('names what is wrong with a pattern that is none', () => {
    const wrong = [
      1,
      null,
      '',
      'a(',
      'a*',
      /^/,
      { source: 'a', flags: 'q' },
      { source: 1 },
      'a'.repeat(1_001),
    ];
    for (const pattern of wrong) assert.match(refusalOf(pattern), /^at: /, String(pattern));
  });

  it('accepts no generated pattern that a backtracking search takes long for', async () => {
    const leaf = fc.constantFrom('a', 'b', '[ab]', '.', '\\w', 'aa');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '{12}'))
          .map(([a, many]) => `(?:${a})${many}`),
      ),
    }));
    const text = 'a'.repeat(2_000) + 'ab'.repeat(1_000);
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(pattern, async (source) => {
        const whole = `${source}c`;
        if (refusalOf(whole) !== '') return;
        accepted++;
        const expression = new RegExp(whole, 'g');
        await assertCpuBelow(200, () => text.match(expression), whole);
      }),
      { numRuns: roundsOf(150), seed: 7 },
    );
    assert.ok(accepted > roundsOf(25), String(accepted));
  });
});

describe('createPatternDetector', () => {
  it('wants a word of the context near a match, where there is a context', () => {
    const detector = createPatternDetector({
      type: 'employee_id',
      pattern: /E\d{6}/,
      context: ['employee', 'staff no', 'badge*'],
      risk: 0.6,
    });
    const places = (text: string) =>
      detector.detect(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(places('Employee: E123456'), ['E123456']);
    assert.deepEqual(places('E123456 is the badges of'), ['E123456']);
    assert.deepEqual(places('order E123456'), []);
    assert.deepEqual(places(`employee ${'x '.repeat(40)}E123456`), []);
    assert.equal(detector.risk, 0.6);
  });

  it('leaves out what validate rejects and names a member at fault', () => {
    const validate = (value: string) => Number(value.slice(1)) % 7 === 0;
    const detector = createPatternDetector({ type: 'a', pattern: /E\d{2}/, validate });
    assert.deepEqual(
      detector.detect('E14 E15').map(({ start }) => start),
      [0],
    );
    const wrong: [object, RegExp][] = [
      [{ type: 'A b', pattern: /a/ }, /custom\.type/],
      [{ type: 'a', pattern: /a/, risk: 2 }, /custom\.risk/],
      [{ type: 'a', pattern: /a/, context: ['a,b'] }, /custom\.context\[0\]/],
      [{ type: 'a', pattern: /a/, context: [] }, /custom\.context/],
      [{ type: 'a', pattern: /a/, validate: 1 }, /custom\.validate/],
      [{ type: 'a', patern: /a/ }, /custom\.patern/],
    ];
    for (const [definition, message] of wrong) {
      assert.throws(() => createPatternDetector(definition as never), message);
    }
  });
});
