import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatAnswer, chatEvents, inDeltas, messageAnswer, TEXT_BLOCK } from '@probity/test-support';
import { providerText, SSN, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;
const BODY = { model: 'm', max_tokens: 9, messages: [ASKED], input: ASKED.content };
const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';
const EMBEDDINGS = '/v1/embeddings';
const TEXT = `Her SSN is ${SSN}.`;
const LETTERS = 'A1b2'.repeat(100);
const MASK = {
  models: (url: string) => providerText(url).replace('models:', 'models:\n  redact: mask'),
};

const choice = (more: object) => ({
  id: 'c',
  choices: [{ index: 0, finish_reason: 'stop', ...more }],
});
const message = (more: object) =>
  choice({ message: { role: 'assistant', content: 'Hi', ...more } });
const called = (more: object) =>
  choice({ message: { role: 'assistant', content: null, ...more }, logprobs: null });
const part = (more: object) => ({ type: 'output_text', text: 'Hi', annotations: [], ...more });
const item = (more: object) => ({
  type: 'message',
  role: 'assistant',
  content: [part({})],
  ...more,
});
const response = (...output: object[]) => ({ id: 'r', object: 'response', output });
const cited = { type: 'url_citation', url: `https://example.org/?q=${SSN}`, title: TEXT };
const vector = { object: 'embedding', index: 0, embedding: [0.1, 0.2] };

/** Answers whose texts no message of the interface has, by their paths. */
const WHOLE: readonly (readonly [string, object])[] = [
  [CHAT, message({ audio: { id: 'a', data: LETTERS, transcript: TEXT } })],
  [CHAT, message({ annotations: [{ type: 'url_citation', url_citation: cited }] })],
  [CHAT, message({ later: { of: [TEXT] } })],
  [CHAT, message({ content: [{ type: 'text', text: 'Hi', later: TEXT }] })],
  [CHAT, choice({ message: { role: 'assistant', content: 'Hi' }, later: TEXT })],
  [CHAT, choice({ message: { role: 'assistant', content: 'Hi' }, delta: { content: TEXT } })],
  [CHAT, { ...(chatAnswer('Hi') as object), later: TEXT }],
  [CHAT, { error: { message: TEXT } }],
  [RESPONSES, response(item({ content: [part({ annotations: [cited] })] }))],
  [RESPONSES, response(item({ later: TEXT }))],
  [RESPONSES, { ...response(item({})), error: { code: 'x', message: TEXT } }],
  [RESPONSES, { error: { message: TEXT } }],
  [MESSAGES, messageAnswer({ ...TEXT_BLOCK, text: 'Hi', later: TEXT })],
  [MESSAGES, { ...messageAnswer({ ...TEXT_BLOCK, text: 'Hi' }), later: TEXT }],
  [MESSAGES, { type: 'error', error: { type: 'x', message: TEXT } }],
  [EMBEDDINGS, { object: 'list', data: [vector], later: TEXT }],
  [CHAT, { ...(chatAnswer('Hi') as object), [TEXT]: 1 }],
  [CHAT, message({ [TEXT]: { of: [1] } })],
  [EMBEDDINGS, { object: 'list', data: [vector], usage: { later: TEXT } }],
  [CHAT, { ...(chatAnswer('Hi') as object), usage: { prompt_tokens: 1, later: [TEXT] } }],
  [MESSAGES, { ...messageAnswer({ ...TEXT_BLOCK, text: 'Hi' }), usage: { [TEXT]: 1 } }],
  [MESSAGES, { ...messageAnswer({ ...TEXT_BLOCK, text: 'Hi' }), type: TEXT }],
  [MESSAGES, { ...messageAnswer({ ...TEXT_BLOCK, text: 'Hi' }), role: [TEXT] }],
  [CHAT, called({ tool_calls: [{ id: 'c', type: 'function', function: TEXT }] })],
  [CHAT, called({ tool_calls: [{ id: 'c', type: 'custom', custom: [TEXT] }] })],
  [CHAT, called({ tool_calls: [{ id: 'c', type: 'function', [TEXT]: 1 }] })],
  [CHAT, called({ function_call: { name: { [TEXT]: 1 }, arguments: '{}' } })],
  [RESPONSES, response({ type: 'function_call', call_id: 'c', name: [TEXT], arguments: '{}' })],
];

const chunk = (delta: unknown, more: object = {}) => ({
  id: 'c',
  choices: [{ index: 0, delta }],
  ...more,
});
const delta = {
  type: 'response.output_text.delta',
  output_index: 0,
  content_index: 0,
  delta: 'Hi',
};
const startOf = (content_block: object) => {
  return { type: 'content_block_start', index: 0, content_block };
};
const deltaOf = (delta: object) => ({ type: 'content_block_delta', index: 0, delta });
const EVENTS: readonly (readonly [string, object])[] = [
  [CHAT, { error: { message: TEXT } }],
  [CHAT, chunk({ words: 1 }, { later: TEXT })],
  [CHAT, { id: 'c', choices: [], usage: { later: TEXT } }],
  [CHAT, chunk({ content: 'Hi', audio: { transcript: TEXT } })],
  [CHAT, chunk({ content: [{ type: 'text', text: TEXT }] })],
  [CHAT, chunk({ tool_calls: { 0: TEXT } })],
  [CHAT, chunk({ content: null, annotations: [cited] })],
  [RESPONSES, { type: 'error', code: 'x', message: TEXT }],
  [RESPONSES, { type: 'response.audio.transcript.delta', delta: TEXT }],
  [RESPONSES, { type: 'response.output_text.annotation.added', annotation: cited }],
  [RESPONSES, { ...delta, later: TEXT }],
  [RESPONSES, { type: TEXT }],
  [RESPONSES, { type: { [TEXT]: 1 }, sequence_number: 1 }],
  [CHAT, chunk({ tool_calls: TEXT })],
  [CHAT, chunk({ function_call: TEXT })],
  [CHAT, chunk({ function_call: [TEXT] })],
  [MESSAGES, { type: 'content_block_start', index: 0, content_block: TEXT }],
  [MESSAGES, startOf({ type: 'text', text: '', [TEXT]: 1 })],
  [MESSAGES, { type: 'content_block_delta', index: 0, delta: [TEXT] }],
  [MESSAGES, deltaOf({ type: 'signature_delta', signature: 'EqQB', later: TEXT })],
  [MESSAGES, { type: 'message_delta', delta: TEXT }],
  [RESPONSES, { type: 'response.output_item.done', item: TEXT }],
  [
    RESPONSES,
    { type: 'response.failed', response: { id: 'r', output: [], error: { message: TEXT } } },
  ],
];

const eventsOf = (path: string, event: object) =>
  path === CHAT
    ? [`data: ${JSON.stringify(event)}\n\n`, ...chatEvents(inDeltas('Hi'))]
    : [`data: ${JSON.stringify(event)}\n\n`];

describe('texts of an answer that no message of the interface has', () => {
  it('are scanned in whole answers, and redacted in their places', async (t) => {
    const off = await startProxy(t);
    const mask = await startProxy(t, MASK);
    for (const [path, answer] of WHOLE) {
      off.model.answer(() => answer);
      mask.model.answer(() => answer);
      const name = `${path} ${JSON.stringify(answer)}`;
      const blocked = await off.post(path, BODY);
      assert.equal(blocked.status, 403, name);
      assert.equal(JSON.parse(blocked.text).error.code, 'PII_DETECTED', name);
      const masked = await mask.post(path, BODY);
      assert.equal(masked.status, 200, masked.text);
      const expected = JSON.stringify(answer).replaceAll(SSN, '[SSN_1]');
      assert.deepEqual(JSON.parse(masked.text), JSON.parse(expected), name);
    }
  });

  it('a whole answer passes with 5,000 of them', async (t) => {
    const { post, model } = await startProxy(t);
    const later = Array.from({ length: 5_000 }, (_, at) => `Parcel ${at} is in Rome.`);
    const answer = { ...(chatAnswer('Hi') as object), later };
    model.answer(() => answer);
    const { status, text } = await post(CHAT, BODY);
    assert.equal(status, 200, text);
    assert.deepEqual(JSON.parse(text), answer);
  });

  it('are scanned in the events of a stream', async (t) => {
    const off = await startProxy(t);
    const mask = await startProxy(t, MASK);
    for (const [path, event] of EVENTS) {
      off.model.answer(() => eventsOf(path, event));
      mask.model.answer(() => eventsOf(path, event));
      const name = `${path} ${JSON.stringify(event)}`;
      const body = { ...BODY, stream: true };
      const blocked = await off.post(path, body);
      assert.match(blocked.text, /PII_DETECTED/, name);
      assert.ok(!blocked.text.includes(SSN), name);
      const masked = await mask.post(path, body);
      assert.match(masked.text, /\[SSN_1\]/, name);
      assert.ok(!masked.text.includes(SSN) && !masked.text.includes('broken'), masked.text);
    }
  });

  it('an answer without such texts is passed on as it is', async (t) => {
    const { post, model } = await startProxy(t);
    const answers: readonly (readonly [string, object])[] = [
      [CHAT, message({ annotations: [], audio: { id: 'a', data: LETTERS, transcript: 'Hi.' } })],
      [RESPONSES, { ...response(item({ status: 'completed' })), tool_choice: 'auto' }],
      [MESSAGES, messageAnswer({ ...TEXT_BLOCK, text: 'Hi' })],
      [EMBEDDINGS, { object: 'list', data: [{ ...vector, embedding: LETTERS }], model: 'm' }],
    ];
    for (const [path, answer] of answers) {
      model.answer(() => answer);
      const { status, text } = await post(path, BODY);
      assert.equal(status, 200, text);
      assert.deepEqual(JSON.parse(text), answer);
    }
  });

  it('names of members of a request are replaced, and do not stay beside that', async (t) => {
    const { post, model } = await startProxy(t, MASK);
    const later = { [TEXT]: 1, metadata: { [TEXT]: 'a' } };
    assert.equal((await post(CHAT, { model: 'm', messages: [ASKED], ...later })).status, 200);
    assert.deepEqual(model.calls[0]?.body, {
      ...{ model: 'm', messages: [ASKED] },
      ...JSON.parse(JSON.stringify(later).replaceAll(SSN, '[SSN_1]')),
    });
  });

  it('embeddings that are no vectors, or come in events, are refused', async (t) => {
    const { post, model } = await startProxy(t);
    for (const embedding of [TEXT, { later: TEXT }, [TEXT], null]) {
      for (const data of [[{ ...vector, embedding }], { embedding }]) {
        model.answer(() => ({ object: 'list', data }));
        const { status, text } = await post(EMBEDDINGS, BODY);
        assert.equal(status, 502, text);
      }
    }
    model.answer(() => [`data: ${JSON.stringify({ text: TEXT })}\n\n`]);
    const { text } = await post(EMBEDDINGS, BODY);
    assert.match(text, /upstream_broken/);
    assert.ok(!text.includes(SSN));
  });

  it('an answer of another form than an object is refused', async (t) => {
    const { post, model } = await startProxy(t);
    for (const text of [`[${JSON.stringify(chatAnswer(TEXT))}]`, `"${TEXT}"`, 'null']) {
      model.answer(({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(text);
        return undefined;
      });
      for (const path of [CHAT, RESPONSES, MESSAGES, EMBEDDINGS]) {
        const answer = await post(path, BODY);
        assert.equal(answer.status, 502, answer.text);
        assert.ok(!answer.text.includes(SSN));
      }
    }
  });
});
