import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGuard } from '../../src/index.ts';
import type { Endpoint } from '../../src/protocols.ts';
import { CHAT, MESSAGES, RESPONSES } from '../../src/protocols.ts';
import { createAnswerGuard } from '../../src/wrappers/answer-guard.ts';

const TEXT = 'Her SSN is 536-22-8145, he says, and the parcel is on its way.';
const VALUE = '536-22-8145';
const ASKED = [{ role: 'user', content: 'Hi.' }];
const REDACT = {
  ...{ id: 'p', name: 'Redact' },
  rules: [{ stage: 'pii_scanner', action: 'redact' as const }],
};

type Event = Readonly<Record<string, unknown>>;

/** What comes of the events of a stream: those that were passed on, and whether it was blocked. */
async function pass(endpoint: Endpoint, events: readonly Event[], isRedacted: boolean) {
  const guard = isRedacted ? createGuard({ policies: [REDACT] }) : createGuard();
  const call = createAnswerGuard('test', { guard }).open(ASKED);
  const guarded = endpoint.createEvents(call);
  const passed: Event[] = [];
  const add = (all: readonly { readonly data: string }[]) => {
    for (const { data } of all) passed.push(JSON.parse(data) as Event);
  };
  try {
    for (const event of events) {
      add(await guarded.take({ event: String(event.type ?? ''), data: JSON.stringify(event) }));
    }
    add(await guarded.end());
    return { passed, isBlocked: false };
  } catch (error) {
    assert.match(String(error), /pii_scanner found ssn/);
    return { passed, isBlocked: true };
  }
}

/** All texts of some events, put together by the members that lead to them. */
function textsOf(events: readonly Event[]): string[] {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') texts.set(path, (texts.get(path) ?? '') + value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, each] of Object.entries(value)) walk(each, `${path}.${name}`);
  };
  for (const event of events) walk(event, '');
  return [...texts.values()];
}

const chunk = (delta: object, reason: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason: reason }],
});
const STREAMS: readonly (readonly [string, Endpoint, (parts: readonly string[]) => Event[]])[] = [
  [
    'a member of a delta',
    CHAT,
    (parts) => [...parts.map((later) => chunk({ later })), chunk({}, 'stop')],
  ],
  [
    'reasoning under its old and its new name',
    CHAT,
    (parts) => [
      ...parts.map((text) => chunk({ reasoning: text, reasoning_content: text })),
      chunk({}, 'stop'),
    ],
  ],
  [
    'the transcript of a spoken answer',
    CHAT,
    (parts) => parts.map((transcript) => chunk({ audio: { id: 'a', transcript } })),
  ],
  [
    'a delta of an unknown kind',
    RESPONSES,
    (parts) => [
      ...parts.map((delta) => ({
        type: 'response.audio.transcript.delta',
        output_index: 0,
        delta,
      })),
      { type: 'response.audio.transcript.done', output_index: 0 },
    ],
  ],
  [
    'a delta of an unknown type',
    MESSAGES,
    (parts) => [
      { type: 'content_block_start', index: 0, content_block: { type: 'later_block' } },
      ...parts.map((content) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'later_delta', content },
      })),
      { type: 'content_block_stop', index: 0 },
    ],
  ],
];

describe('texts of a stream that no interface has', () => {
  for (const [name, endpoint, write] of STREAMS) {
    it(`are one text over all events, wherever it is split: ${name}`, async () => {
      const splits = Array.from({ length: TEXT.length - 1 }, (_, at) => [
        TEXT.slice(0, at + 1),
        TEXT.slice(at + 1),
      ]);
      for (const parts of [...splits, [...TEXT], [TEXT]]) {
        const label = parts.join('|');
        const blocked = await pass(endpoint, write(parts), false);
        assert.equal(blocked.isBlocked, true, label);
        assert.ok(!/\d\d/.test(textsOf(blocked.passed).join('\n')), label);
        const { passed, isBlocked } = await pass(endpoint, write(parts), true);
        assert.equal(isBlocked, false, label);
        assert.ok(textsOf(passed).includes(TEXT.replace(VALUE, '[SSN_1]')), label);
      }
    });

    it(`come whole where nothing is found: ${name}`, async () => {
      const harmless = 'The parcel left the warehouse and is on its way. '.repeat(30);
      const parts = harmless.match(/.{1,7}/g) as string[];
      const { passed } = await pass(endpoint, write(parts), false);
      assert.ok(textsOf(passed).includes(harmless));
    });
  }
});

const BESIDE: readonly (readonly [string, Endpoint, (text: string) => Event])[] = [
  ['a member of a chunk', CHAT, (later) => ({ ...chunk({ content: 'a' }), later })],
  [
    'a member of a choice',
    CHAT,
    (later) => ({ id: 'c', choices: [{ index: 0, delta: { content: 'a' }, later }] }),
  ],
  [
    'annotations of a delta',
    CHAT,
    (title) => chunk({ annotations: [{ type: 'url_citation', url_citation: { title } }] }),
  ],
  ['usage', CHAT, (note) => ({ id: 'c', choices: [], usage: { total_tokens: 3, note } })],
  [
    'a member of a delta of a response',
    RESPONSES,
    (later) => ({ type: 'response.output_text.delta', output_index: 0, delta: 'a', later }),
  ],
  [
    'an annotation',
    RESPONSES,
    (title) => ({ type: 'response.output_text.annotation.added', annotation: { title } }),
  ],
  ['an error', RESPONSES, (message) => ({ type: 'error', code: 'x', message })],
  ['an event of a later version', MESSAGES, (note) => ({ type: 'later', note })],
  [
    'a citation',
    MESSAGES,
    (cited_text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'citations_delta', citation: { list: [cited_text] } },
    }),
  ],
  ['an event that says nothing', MESSAGES, (note) => ({ type: 'ping', note })],
  ['the end of a block', MESSAGES, (note) => ({ type: 'content_block_stop', index: 0, note })],
  [
    'a sequence that stops',
    MESSAGES,
    (stop_sequence) => ({ type: 'message_delta', delta: { stop_sequence } }),
  ],
  [
    'the usage of a message',
    MESSAGES,
    (note) => ({ type: 'message_delta', delta: {}, usage: { output_tokens: 3, note } }),
  ],
  [
    'a signature',
    MESSAGES,
    (signature) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature },
    }),
  ],
  [
    'a message that begins',
    MESSAGES,
    (note) => ({
      type: 'message_start',
      message: { id: 'm', role: 'assistant', content: [], note },
    }),
  ],
];

describe('texts beside those of a stream', () => {
  for (const [name, endpoint, write] of BESIDE) {
    it(`are scanned: ${name}`, async () => {
      const { isBlocked } = await pass(endpoint, [write(TEXT)], false);
      assert.equal(isBlocked, true);
    });

    it(`are one text over all events: ${name}`, async () => {
      const start = TEXT.indexOf(VALUE);
      for (const at of [start + 2, start + 6, start + 9]) {
        const events = [write(TEXT.slice(0, at)), write(TEXT.slice(at))];
        const blocked = await pass(endpoint, events, false);
        assert.equal(blocked.isBlocked, true, String(at));
        assert.ok(!JSON.stringify(blocked.passed).includes(TEXT.slice(at)), String(at));
        const { passed, isBlocked } = await pass(endpoint, events, true);
        assert.equal(isBlocked, false);
        const left = TEXT.slice(at, start + VALUE.length);
        assert.ok(!JSON.stringify(passed).includes(left), `${at}: ${JSON.stringify(passed)}`);
      }
    });
  }

  it('are passed on as they are where events repeat them', async () => {
    const events = Array.from({ length: 9 }, () => ({
      ...chunk({ content: 'a' }),
      provider: '536-22-',
      service_tier: 'default',
    }));
    const { passed, isBlocked } = await pass(CHAT, events, false);
    assert.equal(isBlocked, false);
    assert.ok(
      passed.every(
        ({ provider, service_tier: tier }) => provider === '536-22-' && tier === 'default',
      ),
    );
  });
});

describe('log odds', () => {
  const token = (text: string, others: readonly string[] = []) => ({
    ...{ token: text, logprob: -1, bytes: [...Buffer.from(text)] },
    top_logprobs: others.map((other) => ({ token: other, logprob: -2, bytes: null })),
  });
  const repeated = [token('Hi', ['Hello']), token('!')];
  const foreign = [
    [token(TEXT)],
    [token('Hi'), token('!'), token(VALUE)],
    [token('Hi', [VALUE]), token('!')],
    [{ ...token('Hi'), bytes: [...Buffer.from(VALUE)] }, token('!')],
    [{ ...token('Hi'), note: VALUE }, token('!')],
    [{ ...token('Hi'), logprob: -4_539_148_803_436_467 }, token('!')],
    [{ ...token('Hi'), logprob: 536_228_145 }, token('!')],
    [{ ...token('Hi'), rank: 536_228_145 }, token('!')],
    // A number in pieces, by turns as the first and the second token that could have been.
    [token('Hi', ['Ho', '536-22']), token('!', ['-8145', '?'])],
    VALUE,
  ];
  const chat = (content: unknown, text = 'Hi!') => ({
    choices: [{ index: 0, message: { role: 'assistant', content: text }, logprobs: { content } }],
  });
  const part = (logprobs: unknown) => ({
    type: 'output_text',
    text: 'Hi!',
    annotations: [],
    logprobs,
  });
  const item = (logprobs: unknown) => ({
    type: 'message',
    role: 'assistant',
    content: [part(logprobs)],
  });
  const { checkAnswer } = createAnswerGuard('test', {}).open(ASKED);

  it('pass where they are those of the answer', async () => {
    assert.deepEqual(await CHAT.checkAnswer(chat(repeated), checkAnswer), chat(repeated));
    const emoji = [token('\\xf0\\x9f'), token('\\x98\\x80')].map((each, at) => ({
      ...each,
      bytes: [...Buffer.from('😀')].slice(2 * at, 2 * at + 2),
    }));
    assert.deepEqual(await CHAT.checkAnswer(chat(emoji, '😀'), checkAnswer), chat(emoji, '😀'));
    const response = { output: [item(repeated)] };
    assert.deepEqual(await RESPONSES.checkAnswer(response, checkAnswer), response);
  });

  it('pass with ranks, and tokens of short numbers', async () => {
    const odds = [{ ...token('Hi', ['42', 'Ho']), rank: 3 }, token('!', ['2025', '?'])];
    assert.deepEqual(await CHAT.checkAnswer(chat(odds), checkAnswer), chat(odds));
  });

  it('log odds are left out of events that end arguments and of Anthropic blocks', async () => {
    const odds = [token(VALUE)];
    const ended = {
      type: 'response.function_call_arguments.done',
      arguments: '{}',
      logprobs: odds,
    };
    const { passed: events } = await pass(RESPONSES, [ended], false);
    assert.ok(!JSON.stringify(events).includes('8145'));
    const block = { type: 'text', text: 'Hi!', logprobs: odds };
    const answer = await MESSAGES.checkAnswer({ content: [block] }, checkAnswer);
    assert.deepEqual(answer, { content: [{ ...block, logprobs: [] }] });
    const started = { type: 'content_block_start', index: 0, content_block: block };
    const begun = await pass(MESSAGES, [started], false);
    assert.ok(!JSON.stringify(begun.passed).includes('8145'));
  });

  it('are left out where they say something else', async () => {
    for (const odds of foreign) {
      const label = JSON.stringify(odds);
      const passed = await CHAT.checkAnswer(chat(odds), checkAnswer);
      assert.equal((passed.choices as { logprobs: unknown }[])[0]?.logprobs, null, label);
      const answered = await RESPONSES.checkAnswer({ output: [item(odds)] }, checkAnswer);
      assert.deepEqual(answered, { output: [item([])] }, label);
      for (const event of [
        { type: 'response.content_part.done', part: part(odds) },
        { type: 'response.output_item.done', item: item(odds) },
        { type: 'response.completed', response: { output: [item(odds)] } },
      ]) {
        const { passed: events } = await pass(RESPONSES, [event], false);
        assert.ok(!/8145|56,\s*49,\s*52/.test(JSON.stringify(events)), label);
      }
    }
  });
});

describe('names in an answer', () => {
  it('of models and tools are read where they are sentences', async () => {
    const { checkAnswer } = createAnswerGuard('test', {}).open(ASKED);
    const answer = { id: 'c', choices: [], model: TEXT };
    await assert.rejects(CHAT.checkAnswer(answer, checkAnswer), /pii_scanner found ssn/);
    for (const name of [TEXT, `ssn_${VALUE}`]) {
      const called = { index: 0, id: 'c', function: { name, arguments: '{}' } };
      const events = [chunk({ tool_calls: [called] }), chunk({}, 'tool_calls')];
      const { isBlocked, passed } = await pass(CHAT, events, false);
      assert.deepEqual([isBlocked, passed], [true, []], name);
    }
  });
});

describe('padding of events', () => {
  const delta = (obfuscation: unknown, at = 0) => ({
    ...{ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0 },
    ...{ sequence_number: at, delta: 'Hi. ', obfuscation },
  });
  const chunk = (obfuscation: unknown) => ({
    choices: [{ index: 0, delta: { content: 'Hi. ' } }],
    obfuscation,
  });

  it('passes where it is letters and digits by chance', async () => {
    for (const padding of ['EhLSmcvvLb', 'a7Tq02xZ', '']) {
      const { passed } = await pass(RESPONSES, [delta(padding)], false);
      assert.ok(JSON.stringify(passed).includes(`"obfuscation":"${padding}"`));
    }
  });

  it('padding with content is emptied, in one event or in several', async () => {
    const all = [
      ['536-22-8145'],
      ['4539148803', '436467'],
      ['45391', '488034', '36467'],
      [[VALUE]],
    ];
    for (const paddings of all) {
      const cases = [
        [RESPONSES, paddings.map((each, at) => delta(each, at))],
        [CHAT, paddings.map(chunk)],
      ] as const;
      for (const [endpoint, events] of cases) {
        const { passed } = await pass(endpoint, [...events], false);
        const texts = passed.map((each) => (each as { obfuscation?: unknown }).obfuscation);
        assert.ok(!/\d{9}|8145/.test(texts.flat().join('')), JSON.stringify(passed));
      }
    }
  });
});
