import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinearTime } from '@probity/test-support';
import { createPipeline } from '../src/index.ts';

const UNIT = 24 * 1024;
const HOSTILE: readonly [string, (length: number) => string][] = [
  ['one letter', (n) => 'a'.repeat(n)],
  ['one digit', (n) => '1'.repeat(n)],
  ['a@a@a@', (n) => 'a@'.repeat(n / 2)],
  ['a.a.a.', (n) => 'a.'.repeat(n / 2)],
  ['1 1 1 1', (n) => '1 '.repeat(n / 2)],
  ['1.1.1.1', (n) => '1.'.repeat(n / 2)],
  ['12:34:', (n) => '12:34:'.repeat(n / 6)],
  ['quotes', (n) => "' or ".repeat(n / 5)],
  ['brackets', (n) => '(('.repeat(n / 2)],
  ['long base64', (n) => Buffer.alloc((n * 3) / 4, 'attack at dawn ').toString('base64')],
  ['percent signs', (n) => '%25'.repeat(n / 3)],
  ['entities', (n) => '&amp;'.repeat(n / 5)],
  ['invisible characters', (n) => 'a\u200b'.repeat(n / 2)],
  ['variation selectors', (n) => '\ufe01'.repeat(n)],
  ['selectors on letters', (n) => 'a\ufe01'.repeat(n / 2)],
  ['bits without a width', (n) => '\u200b\u200c\u200c'.repeat(n / 3)],
  ['controls', (n) => 'a\u0001'.repeat(n / 2)],
  ['marks on digits', (n) => `1${'\u0301'.repeat(n - 1)}`],
  ['combining marks', (n) => `a${'\u0301'.repeat(n - 1)}`],
  ['blanks', (n) => ' '.repeat(n)],
  ['card numbers', (n) => '4111 1111 1111 1111, '.repeat(n / 21)],
  ['telephone numbers', (n) => '+1 415 555 2671; '.repeat(n / 17)],
  ['rows of card groups', (n) => '4111 '.repeat(n / 5)],
  ['rows of telephone numbers', (n) => '415-555-2671 '.repeat(n / 13)],
  ['named account numbers', (n) => 'account number 48392017 '.repeat(n / 24)],
  ['passport numbers', (n) => 'passport K1234567 '.repeat(n / 18)],
  ['overrides', (n) => 'ignore all previous rules '.repeat(n / 26)],
  ['letter by letter', (n) => 'i g n o r e '.repeat(n / 12)],
  ['semicolons', (n) => '; ls '.repeat(n / 5)],
  ['comments', (n) => '/* a '.repeat(n / 5)],
  ['image openers', (n) => '![a]('.repeat(n / 5)],
];

describe('time on hostile input', () => {
  for (const [name, make] of HOSTILE) {
    it(`time on hostile input grows linearly with its length: ${name}`, async () => {
      const pipeline = createPipeline();
      const scan = (response: string) => () => pipeline.scan({ response });
      await assertLinearTime(scan(make(UNIT)), scan(make(UNIT * 8)));
    });
  }

  it('letters between apostrophes take the time of ordinary words', async () => {
    const pipeline = createPipeline();
    const msOf = async (unit: string) => {
      const response = unit.repeat((4 * UNIT) / unit.length);
      const before = process.cpuUsage();
      await pipeline.scan({ response });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    await msOf('word and more ');
    const [ordinary, quoted] = [await msOf('word and more '), await msOf("'a")];
    assert.ok(quoted < 8 * ordinary + 100, `${quoted} ms against ${ordinary} ms`);
  });
});
