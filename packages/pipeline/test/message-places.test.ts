import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGuard, createPipeline } from '../src/index.ts';

const SSN = '536-22-8145';
const TEXT = `Her SSN is ${SSN}.`;
/** A number of a card. */
const CARD = 4_111_111_111_111_111;

type Json = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** Messages with every part and item that an interface has, without a finding. */
const MESSAGES: readonly object[] = [
  { role: 'system', content: 'Be kind.', name: 'boss' },
  {
    role: 'user',
    name: 'bob',
    content: [
      { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } },
      { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'a' },
        title: 't',
      },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'b' }] } },
      { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'ok' }] },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm', signature: 'EqQBCgIYAhIM' },
      { type: 'output_text', text: 'x', annotations: [], logprobs: [] },
      { type: 'tool_use', id: 'c1', name: 'find', input: { a: 'b' } },
    ],
    refusal: null,
    function_call: { name: 'find', arguments: '{}' },
    tool_calls: [
      { id: 'c2', type: 'function', function: { name: 'find', arguments: '{"a":"b"}' } },
      { id: 'c3', type: 'custom', custom: { name: 'find', input: 'x' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c2', content: 'ok' },
  { type: 'function_call', id: 'f', call_id: 'c4', name: 'find', arguments: '{}' },
  { type: 'mcp_call', id: 'm', server_label: 's', name: 'find', arguments: '{}', output: 'o' },
  { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 's' }] },
  { role: 'user', content: 'Bye' },
];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...path, name]))];
}

function withValue(
  holder: unknown,
  [name, ...rest]: Path,
  value: (old: unknown) => unknown,
): unknown {
  if (name === undefined) return value(holder);
  const copy: Record<string, unknown> = Array.isArray(holder)
    ? ([...holder] as never)
    : { ...(holder as Json) };
  copy[name] = withValue(copy[name], rest, value);
  return copy;
}

/** A finding in every type that JSON has, as a value, a further member, and the name of one. */
const PLANTED: Readonly<Record<string, (old: unknown) => unknown>> = {
  text: () => TEXT,
  list: () => [TEXT],
  object: () => ({ note: TEXT }),
  name: () => ({ [TEXT]: 1 }),
  number: () => CARD,
  'further member': (old) => (isObject(old) ? { ...old, note: TEXT } : TEXT),
  'further name': (old) => (isObject(old) ? { ...old, [TEXT]: true } : TEXT),
};

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const options = { stages: [{ name: 'pii_scanner' as const }] };

/** Whether messages are refused or blocked; what passed otherwise. */
async function outcomeOf(guard: ReturnType<typeof createGuard>, messages: unknown) {
  try {
    const checked = await guard.check({ messages: messages as object[] });
    return checked.verdict === 'blocked' ? 'blocked' : JSON.stringify(checked.messages);
  } catch (error) {
    if (error instanceof TypeError) return 'refused';
    throw error;
  }
}

describe('a value in messages', () => {
  it('finds or refuses a value in every place and type', async () => {
    const guard = createGuard({ pipeline: createPipeline(options) });
    assert.equal(await outcomeOf(guard, MESSAGES), JSON.stringify(MESSAGES));
    const passed: string[] = [];
    for (const path of pathsIn(MESSAGES)) {
      for (const [type, plant] of Object.entries(PLANTED)) {
        const outcome = await outcomeOf(guard, withValue(MESSAGES, path, plant));
        if (!['blocked', 'refused'].includes(outcome)) passed.push(`${path.join('.')}: ${type}`);
      }
    }
    assert.deepEqual(passed, []);
  });

  it('redacts a value in names of members and keeps the names different', async () => {
    const rules = [{ stage: 'pii_scanner' as const, action: 'redact' as const }];
    const policies = [{ id: 'r', name: 'Redact', rules }];
    const guard = createGuard({ pipeline: createPipeline(options), policies });
    const given = {
      [TEXT]: 1,
      [`${TEXT} `]: [2],
      content: 'Hi',
      role: 'user',
      name: { [TEXT]: 3 },
    };
    const { messages } = await guard.check({ messages: [given] });
    assert.deepEqual(Object.entries(messages?.[0] ?? {}), [
      ['Her SSN is [SSN_1].', 1],
      ['Her SSN is [SSN_1]. ', [2]],
      ['content', 'Hi'],
      ['role', 'user'],
      ['name', { 'Her SSN is [SSN_1].': 3 }],
    ]);
  });
});
