import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGuard } from '../src/index.ts';
import { toJsonReadings } from '../src/messages/json-readings.ts';
import type { MessageText } from '../src/messages/message-place.ts';
import { runAtOnce } from '../src/messages/steps.ts';
import { below } from '../src/messages/text-path.ts';

const REDACT = {
  id: 'p',
  name: 'Redact',
  rules: [{ stage: 'pii_scanner', action: 'redact' as const }],
};
const guard = createGuard({ policies: [REDACT] });

/** The message of each form in which a model calls a tool. */
const CALLS: Readonly<Record<string, (args: object) => object>> = {
  'OpenAI, arguments as text': (args) => ({
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify(args) } },
    ],
  }),
  'Anthropic, input as an object': (args) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'f', input: args }],
  }),
};

/** Arguments that hold a value, and the part of it that no passed message may have. */
const SPLIT: ReadonlyArray<readonly [object, RegExp]> = [
  [{ a: '4539 1488', b: '0343 6467' }, /\d{4}/],
  [{ p1: '4539', p2: '1488', p3: '0343', p4: '6467' }, /\d{4}/],
  [{ a: { text: '453914' }, b: [{ text: '88034' }, { text: '36467' }] }, /\d{4}/],
  [{ a: '4539 1488', limit: 5, b: '0343 6467' }, /\d{4}/],
  [{ first: '536-22', rest: '-8145' }, /536|8145/],
  [{ user: 'jane.roe@', domain: 'example.org' }, /jane|example\.org/],
  [{ a: 'DE89 3704 0044', b: '0532 0130 00' }, /3704|0532/],
];
const LABELED: readonly object[] = [
  { name: 'ssn', value: '536228145' },
  { name: 'ssn', value: 536228145 },
  { value: '536228145', fieldName: 'Social security number' },
  {
    fields: [
      { label: 'City', value: 'Berlin' },
      { label: 'SSN', value: ['536228145'] },
    ],
  },
  { question: 'What is your social security number?', answer: '536228145' },
];
const ORDINARY: readonly object[] = [
  { from: '2024-01-15', to: '2024-02-20' },
  { lat: '52.5200', lon: '13.4050', zip: '10115' },
  { width: 4539, height: 1488, x: 343, y: 6467 },
  { order_id: '45391488', customerId: '03436467' },
  { version: '1.2.3', build: '20251129', commit: 'a1b2c3d4e5f6' },
  { type: 'invoice number', value: '20251129001' },
  { key: 'timeout_ms', value: 30000 },
];

describe('readings of JSON values', () => {
  for (const [form, messageOf] of Object.entries(CALLS)) {
    const check = async (args: object) =>
      guard.check({ messages: [{ role: 'user', content: 'Go.' }, messageOf(args)] });

    it(`find a value that is split over members of arguments: ${form}`, async () => {
      for (const [args, rest] of SPLIT) {
        const { verdict, messages } = await check(args);
        assert.equal(verdict, 'flagged', JSON.stringify(args));
        assert.doesNotMatch(JSON.stringify(messages?.slice(1)), rest);
      }
    });

    it(`find a value by the member that labels it: ${form}`, async () => {
      for (const args of LABELED) {
        const { verdict, messages } = await check(args);
        assert.equal(verdict, 'flagged', JSON.stringify(args));
        assert.doesNotMatch(JSON.stringify(messages), /536228145/);
      }
    });

    it(`pass ordinary arguments: ${form}`, async () => {
      for (const args of ORDINARY) {
        const { verdict, findings } = await check(args);
        assert.equal(verdict, 'allowed', JSON.stringify([args, findings]));
      }
    });
  }

  it('find a labeled value in the result of a tool', async () => {
    const content = JSON.stringify([{ name: 'ssn', value: '536228145' }]);
    const checked = await guard.check({ messages: [{ role: 'tool', tool_call_id: 'c', content }] });
    assert.doesNotMatch(JSON.stringify(checked.messages), /536228145/);
  });

  it('readings of an object of many labels are at most a few times its length', () => {
    const whole = below(undefined, 'arguments');
    const textOf = (name: string, text: string): MessageText => ({
      ...{ use: 'call', text, messageIndex: 0, partIndex: null, isName: false },
      ...{ path: below(whole, name), json: { whole, kind: 'string' } },
    });
    const texts = Array.from({ length: 1_000 }, (_, index) => [
      textOf(`n${index}_name`, `label ${index}`),
      textOf(`n${index}_value`, `value ${index}`),
    ]).flat();
    const length = texts.reduce((sum, { text }) => sum + text.length, 0);
    const read = runAtOnce(toJsonReadings(texts)).reduce(
      (sum, { input }) => sum + input.response.length,
      0,
    );
    assert.ok(read > length && read < 10 * length, `${read} of ${length}`);
  });
});
