import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import OpenAI from 'openai';
import { CHAT, MESSAGES, RESPONSES } from '../../src/protocols.ts';
import { guardOpenAI } from '../../src/wrappers/openai.ts';
import { guard, LIMIT, MAIL } from './cases.ts';
import type { Event } from './pass-events.ts';
import { chunkOf, passEvents } from './pass-events.ts';
import type { VendorServer } from './vendor-server.ts';
import { startVendor } from './vendor-server.ts';

/** Whole calls as [id, name, arguments]. */
type Calls = readonly (readonly [id: unknown, name: unknown, text: unknown])[];

const call = (index: unknown, id: unknown, name: unknown, text: unknown, more: object = {}) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: id ? 'function' : id,
  function: { ...(name !== undefined && { name }), arguments: text },
  ...more,
});
const F: Calls = [['call_1', 'f', '{"a":1}']];
const FG: Calls = [...F, ['call_2', 'g', '{"b":2}']];
const NAMELESS: Calls = [
  ['', 'f', '{"a":1}'],
  ['', 'g', '{"b":2}'],
];

/** Streams by their names: the calls that a client reads, and the deltas. */
const STREAMS: readonly (readonly [string, Calls, readonly (readonly object[])[]])[] = [
  [
    'null in later parts',
    F,
    [[call(0, 'call_1', 'f', '')], [call(0, null, null, '{"a":')], [call(0, null, null, '1}')]],
  ],
  [
    'empty texts in later parts',
    F,
    [[call(0, 'call_1', 'f', null)], [call(0, '', '', '{"a":1}')], [call(0, '', '', '')]],
  ],
  [
    'null and empty texts before the id and the name',
    F,
    [[call(0, '', null, '')], [call(0, 'call_1', '', '{"a"')], [call(0, null, 'f', ':1}')]],
  ],
  [
    'the id and the name in each part',
    F,
    [[call(0, 'call_1', 'f', '{"a"')], [call(0, 'call_1', 'f', ':1}')]],
  ],
  [
    'two ids at one index',
    FG,
    [
      [call(0, 'call_1', 'f', '{"a"')],
      [call(0, null, null, ':1}')],
      [call(0, 'call_2', 'g', '')],
      [call(0, '', '', '{"b":2}')],
    ],
  ],
  [
    'two whole calls without an index',
    FG,
    [[call(undefined, 'call_1', 'f', '{"a":1}')], [call(undefined, 'call_2', 'g', '{"b":2}')]],
  ],
  [
    'an index that is null',
    FG,
    [
      [call(null, 'call_1', 'f', '{"a":1}')],
      [call(null, 'call_2', 'g', '{"b"')],
      [call(null, null, null, ':2}')],
    ],
  ],
  [
    'calls without an index in one delta, and parts that name them by their ids',
    FG,
    [
      [call(undefined, 'call_1', 'f', '{"a"'), call(undefined, 'call_2', 'g', '')],
      [call(undefined, 'call_2', '', '{"b":2}'), call(undefined, 'call_1', '', ':1}')],
    ],
  ],
  [
    'whole calls with one index and no ids',
    NAMELESS,
    [[call(0, '', 'f', '{"a":1}')], [call(0, '', 'g', '{"b":2}')]],
  ],
  [
    'whole calls without index and ids in one delta',
    NAMELESS,
    [[call(undefined, '', 'f', '{"a":1}'), call(undefined, '', 'g', '{"b":2}')]],
  ],
  [
    'two calls whose parts alternate',
    FG,
    [
      [call(0, 'call_1', 'f', '{"a"'), call(1, 'call_2', 'g', '{"b"')],
      [call(1, null, null, ':2}'), call(0, undefined, undefined, ':1}')],
    ],
  ],
];

const streamOf = (deltas: readonly (readonly object[])[]): Event[] => [
  chunkOf({ role: 'assistant', content: null }),
  ...deltas.map((tool_calls) => chunkOf({ tool_calls })),
  chunkOf({}, 'tool_calls'),
];

const deltasIn = (events: readonly Event[]): Event[] =>
  events.flatMap(({ choices }) => (choices as { delta: Event }[]).map(({ delta }) => delta));

let vendor: VendorServer | undefined;

describe('tool calls of a streamed chat completion', LIMIT, () => {
  afterEach(async () => vendor?.close());

  for (const [name, calls, deltas] of STREAMS) {
    it(`a chat stream sends each call whole with an index: ${name}`, async () => {
      const passed = deltasIn(await passEvents(CHAT, streamOf(deltas)));
      const parts = passed.flatMap(({ tool_calls: each }) => (each ?? []) as Event[]);
      const came = parts.map(({ id, function: inner }) => {
        const { name, arguments: text } = inner as Event;
        return [id, name, text];
      });
      assert.deepEqual(came, calls);
      assert.deepEqual(
        parts.map(({ index }) => index),
        calls.map((_, index) => index),
      );
    });

    it(`the stream helper of OpenAI reads the calls: ${name}`, async () => {
      if (calls === NAMELESS) return;
      vendor = await startVendor(() =>
        streamOf(deltas).map((event) => `data: ${JSON.stringify(event)}\n\n`),
      );
      const client = new OpenAI({ apiKey: 'k', baseURL: vendor.url, maxRetries: 0 });
      const messages = [{ role: 'user' as const, content: 'Hi.' }];
      const whole = await guardOpenAI(client, { guard })
        .chat.completions.stream({ model: 'm', messages })
        .finalChatCompletion();
      const came = whole.choices[0]?.message.tool_calls?.map((each) =>
        each.type === 'function' ? [each.id, each.function.name, each.function.arguments] : each,
      );
      assert.deepEqual(came, calls);
    });
  }

  it('a chat stream keeps the name of a legacy function call', async () => {
    const parts = [
      { name: 'f', arguments: '' },
      { name: null, arguments: '{"a":' },
      { name: '', arguments: '1}' },
      { arguments: null },
    ];
    const events = parts.map((function_call) => chunkOf({ function_call }));
    const passed = deltasIn(await passEvents(CHAT, [...events, chunkOf({}, 'function_call')]));
    assert.deepEqual(
      passed.filter(({ function_call: each }) => each !== undefined),
      [{ function_call: { name: 'f', arguments: '{"a":1}' } }],
    );
  });

  it('a chat stream keeps arguments of the type object', async () => {
    const args = { to: 'a', list: [1, null] };
    const passed = await passEvents(CHAT, streamOf([[call(0, 'call_1', 'f', args)]]));
    assert.deepEqual(
      deltasIn(passed).flatMap(({ tool_calls: each }) => each ?? []),
      [call(0, 'call_1', 'f', args)],
    );
  });

  it('a chat stream keeps a member found only in a later part of a call', async () => {
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const deltas = [[call(0, 'call_1', 'f', '{"a":1}')], [{ index: 0, extra_content }]];
    const passed = deltasIn(await passEvents(CHAT, streamOf(deltas)));
    const [whole] = passed.flatMap(({ tool_calls: each }) => (each ?? []) as Event[]);
    assert.deepEqual(whole?.extra_content, extra_content);
  });

  it('a chat stream sends its calls once when two chunks have a finish reason', async () => {
    const events = [...streamOf([[call(0, 'call_1', 'f', '{}')]]), chunkOf({}, 'tool_calls')];
    const passed = deltasIn(await passEvents(CHAT, events));
    assert.equal(passed.filter(({ tool_calls: each }) => each !== undefined).length, 1);
  });

  it('a chat stream passes an empty list of calls unchanged', async () => {
    const event = chunkOf({ content: '', tool_calls: [] });
    assert.deepEqual(await passEvents(CHAT, [event]), [event]);
  });

  it('a chat stream redacts a value over chunks with an empty finish reason', async () => {
    const deltas = ['{"to":"jane@', 'example.org"}'].map((text, at) =>
      call(0, at === 0 ? 'call_1' : null, at === 0 ? 'f' : null, text),
    );
    const events = deltas.map((each) => chunkOf({ tool_calls: [each] }, ''));
    const passed = await passEvents(CHAT, [...events, chunkOf({}, 'tool_calls')], guard);
    assert.deepEqual(
      deltasIn(passed).flatMap(({ tool_calls: each }) => each ?? []),
      [call(0, 'call_1', 'f', '{"to":"[EMAIL_1]"}')],
    );
  });

  it('a chat stream refuses a part of a call after the end of its choice, and passes a new call', async () => {
    const begun = [chunkOf({ tool_calls: [call(0, 'call_1', 'f', '{"to":"jane@')] }, 'stop')];
    for (const late of [
      { tool_calls: [call(0, null, null, 'example.org"}')] },
      { tool_calls: [call(0, 'call_1', null, 'example.org"}')] },
      { tool_calls: [call(undefined, undefined, undefined, 'example.org"}')] },
    ]) {
      await assert.rejects(passEvents(CHAT, [...begun, chunkOf(late)], guard), TypeError);
    }
    const legacy = [
      chunkOf({ function_call: { name: 'f', arguments: '{"to":"jane@' } }, 'function_call'),
      chunkOf({ function_call: { arguments: 'example.org"}' } }),
    ];
    await assert.rejects(passEvents(CHAT, legacy, guard), TypeError);
    const next = [
      call(0, null, null, ''),
      call(0, 'call_2', 'g', '{}'),
      call(1, 'call_3', 'h', '{}'),
    ];
    const ended = chunkOf({ tool_calls: next }, 'tool_calls');
    const passed = deltasIn(await passEvents(CHAT, [...begun, ended]));
    const names = passed.flatMap(({ tool_calls: each }) => (each ?? []) as Event[]);
    assert.deepEqual(
      names.map(({ id }) => id),
      ['call_1', 'call_2', 'call_3'],
    );
  });

  it('a chat stream redacts a value split over parts without an index', async () => {
    const deltas = [
      [call(undefined, 'call_1', 'f', '{"to":"jane@')],
      [call(undefined, null, null, 'example.org"}')],
    ];
    const passed = JSON.stringify(await passEvents(CHAT, streamOf(deltas), guard));
    assert.ok(MAIL === 'jane@example.org' && passed.includes('[EMAIL_1]'), passed);
    assert.ok(!passed.includes('example.org'), passed);
  });
});

describe('arguments of a streamed response', LIMIT, () => {
  const place = { item_id: 'fc_1', output_index: 0 };
  const KIND = 'response.function_call_arguments';
  const deltas = ['{"a"', null, ':1}'].map((delta) => ({
    type: `${KIND}.delta`,
    ...place,
    delta,
  }));
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '' };

  for (const ended of [{}, { arguments: null }, { arguments: '' }, { arguments: '{"a":1}' }]) {
    it(`a response takes arguments from its deltas when the end has ${JSON.stringify(ended)}`, async () => {
      const done = { type: `${KIND}.done`, ...place, ...ended };
      const passed = await passEvents(RESPONSES, [...deltas, done]);
      assert.deepEqual(passed, [
        { type: `${KIND}.delta`, ...place, delta: '{"a":1}' },
        { ...done, arguments: '{"a":1}' },
      ]);
    });
  }

  const ends: readonly (readonly [string, readonly Event[]])[] = [
    ['the item', [{ type: 'response.output_item.done', output_index: 0, item }]],
    ['the response', [{ type: 'response.completed', response: { id: 'r', output: [item] } }]],
    ['the stream', []],
  ];
  for (const [name, events] of ends) {
    it(`a response sends arguments before the end of ${name} when no event ends them`, async () => {
      const passed = await passEvents(RESPONSES, [...deltas, ...events]);
      assert.deepEqual(passed, [{ ...deltas[0], delta: '{"a":1}' }, ...events]);
    });
  }
});

describe('the input of a streamed tool of Anthropic', LIMIT, () => {
  it('a message joins the parts of a tool input and skips null parts', async () => {
    const block = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
    const parts = [{ partial_json: '' }, { partial_json: '{"a":' }, { partial_json: null }];
    const passed = await passEvents(MESSAGES, [
      { type: 'content_block_start', index: 0, content_block: block },
      ...[...parts, {}, { partial_json: '1}' }].map((part) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', ...part },
      })),
      { type: 'content_block_stop', index: 0 },
    ]);
    assert.deepEqual(passed[0]?.content_block, block);
    assert.deepEqual(passed[1]?.delta, { type: 'input_json_delta', partial_json: '{"a":1}' });
    assert.equal(passed.length, 3);
  });

  it('a message refuses more of a block after its own end, and passes the end of the block', async () => {
    const deltaOf = (text: string) => {
      const delta = { type: 'text_delta', text };
      return { type: 'content_block_delta', index: 0, delta };
    };
    const begun = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      deltaOf('Write to jane@'),
    ];
    const stop = { type: 'content_block_stop', index: 0 };
    for (const end of [
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]) {
      const late = [...begun, end, deltaOf('example.org')];
      await assert.rejects(passEvents(MESSAGES, late, guard), TypeError);
      assert.deepEqual((await passEvents(MESSAGES, [...begun, end, stop])).slice(-2), [end, stop]);
    }
  });
});
