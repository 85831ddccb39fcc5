import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import fc from 'fast-check';
import { createGuard } from '../src/index.ts';
import { editJson, namesOf } from '../src/messages/json-source.ts';
import { runAtOnce } from '../src/messages/steps.ts';
import { below } from '../src/messages/text-path.ts';

const ROOT = below(undefined, 'json');
const edit = (source: string, replace: Parameters<typeof editJson>[2]) =>
  runAtOnce(editJson(source, ROOT, replace));
const REDACT = {
  ...{ id: 'p', name: 'Redact' },
  rules: [{ stage: 'pii_scanner', action: 'redact' as const }],
};
const guard = createGuard({ policies: [REDACT] });

/** The arguments of a tool call, and the result of one, as they come out redacted. */
async function redacted(json: string): Promise<[string, string]> {
  const { messages } = await guard.check({
    messages: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: json } }],
      },
      { role: 'tool', tool_call_id: 'c', content: json },
    ],
  });
  const [call, result] = messages as unknown as [
    { tool_calls: [{ function: { arguments: string } }] },
    { content: string },
  ];
  return [call.tool_calls[0].function.arguments, result.content];
}

describe('JSON that is redacted in its source', () => {
  it('gives members of one name one name, and members of equal new names different ones', () => {
    const { nameFor } = namesOf(['a', 'x (3)']);
    const made = ['a', 'b', 'c', 'b', 'a', 'x (3)'].map((name) => nameFor(name, 'x'));
    assert.deepEqual(made, ['x', 'x (2)', 'x (4)', 'x (2)', 'x', 'x (5)']);
    assert.equal(nameFor('a', 'a'), 'a');
  });

  it('numbers 20,000 equal new names without a search from the first number for each', async () => {
    await assertCpuBelow(2_000, () => {
      const { nameFor } = namesOf();
      for (let at = 0; at < 20_000; at++) nameFor(`${at}`, 'x');
    });
  });

  it('keeps everything else byte for byte', async () => {
    const cases = [
      ['{"id": 9007199254740993, "to":"a@b.org"}', '{"id": 9007199254740993, "to":"[EMAIL_1]"}'],
      ['{"a":1,"a":2,"to":"a@b.org"}', '{"a":1,"a":2,"to":"[EMAIL_1]"}'],
      ['{"to":"a@b.org","to":"none"}', '{"to":"[EMAIL_1]","to":"none"}'],
      ['{"to":"none","to":"a@b.org"}', '{"to":"none","to":"[EMAIL_1]"}'],
      [
        '[ 1.0, 1e2,\n\t-0, "\\u00e9 \\/ a@b.org \\"\\ud83d\\ude00"]',
        '[ 1.0, 1e2,\n\t-0, "\\u00e9 \\/ [EMAIL_1] \\"\\ud83d\\ude00"]',
      ],
      ['{"to":"\\u0061@b.org"}', '{"to":"[EMAIL_1]"}'],
      ['{"card":4539148803436467,"n":1}', '{"card":"[CREDIT_CARD_1]","n":1}'],
      ['{"card":4539148803436467.0}', '{"card":"[CREDIT_CARD_1]"}'],
      ['{"a@b.org":{"x":[]},"y":null}', '{"[EMAIL_1]":{"x":[]},"y":null}'],
      ['{"__proto__":"a@b.org"}', '{"__proto__":"[EMAIL_1]"}'],
    ] as const;
    for (const [json, expected] of cases) {
      assert.deepEqual(await redacted(json), [expected, expected], json);
    }
  });

  it('loses no member where two names are replaced by the same', async () => {
    const [text] = await redacted('{"a@b.org":1,"A@b.org":2,"a@b.org":3}');
    assert.equal(text, '{"[EMAIL_1]":1,"[EMAIL_1] (2)":2,"[EMAIL_1]":3}');
    const { messages } = await guard.check({
      messages: [
        {
          role: 'assistant',
          content: [
            {
              type: 'tool-call',
              toolCallId: 'c',
              toolName: 'f',
              input: { 'a@b.org': 1, 'A@b.org': 2 },
            },
          ],
        },
      ],
    });
    const [{ content }] = messages as unknown as [{ content: [{ input: object }] }];
    assert.deepEqual(content[0].input, { '[EMAIL_1]': 1, '[EMAIL_1] (2)': 2 });
  });

  it('is itself where nothing is replaced, and has what a parser gives where all is, whatever it is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.nat(3), (json, indent) => {
        const source = JSON.stringify(JSON.parse(json), undefined, indent);
        assert.equal(
          edit(source, (text) => text),
          source,
        );
        const double = (value: unknown): unknown => {
          if (typeof value === 'string') return value + value;
          if (typeof value === 'number') return `${value}${value}`;
          if (Array.isArray(value)) return value.map(double);
          if (typeof value !== 'object' || value === null) return value;
          return Object.fromEntries(
            Object.entries(value).map(([name, each]) => [name, double(each)]),
          );
        };
        const made = edit(source, (text, _, kind) => (kind === 'name' ? text : text + text));
        assert.deepEqual(JSON.parse(made), double(JSON.parse(source)));
      }),
    );
  });
});
