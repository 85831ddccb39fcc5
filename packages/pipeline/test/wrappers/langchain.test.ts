import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import { AIMessage, AIMessageChunk, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { chatAnswer, chatEvents } from '@probity/test-support';
import OpenAI from 'openai';
import { BlockedError } from '../../src/index.ts';
import { guardChatModel } from '../../src/wrappers/langchain.ts';
import {
  ANSWER,
  BLOCKING,
  CALL,
  callDeltas,
  guard,
  LIMIT,
  MAIL,
  REDACTED,
  THIRD_MAIL,
  THIRD_REDACTED,
  TWO_MAILS,
} from './cases.ts';
import type { VendorAnswer, VendorServer } from './vendor-server.ts';
import { inTokens, startVendor } from './vendor-server.ts';

/** A chat model in the way the integrations are written: a call of a server, and callbacks of tokens. */
class ServerChat extends BaseChatModel {
  readonly #client: OpenAI;

  constructor(baseURL: string) {
    super({});
    this.#client = new OpenAI({ apiKey: 'k', baseURL });
  }

  override _llmType(): string {
    return 'server';
  }

  override async _generate(
    messages: BaseMessage[],
    _options: object,
    run?: CallbackManagerForLLMRun,
  ) {
    const { choices } = await this.#client.chat.completions.create({
      model: 'm',
      messages: messages.map(({ text }) => ({ role: 'user', content: text })),
    });
    const { content, tool_calls: raw = [] } = choices[0]?.message ?? assert.fail();
    const text = content ?? '';
    await run?.handleLLMNewToken(text);
    const calls = raw.map((call) => {
      assert.ok(call.type === 'function');
      return { id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) };
    });
    const kwargs = { additional_kwargs: { tool_calls: raw as never } };
    const message = new AIMessage({ content: text, tool_calls: calls, ...kwargs });
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: object,
    run?: CallbackManagerForLLMRun,
  ) {
    const stream = await this.#client.chat.completions.create({
      model: 'm',
      messages: messages.map(({ text }) => ({ role: 'user', content: text })),
      stream: true,
    });
    for await (const { choices } of stream) {
      const { content, tool_calls: calls = [] } = choices[0]?.delta ?? {};
      const text = content ?? '';
      const chunks = calls.map(({ index, id, function: { name, arguments: args } = {} }) => ({
        ...{ type: 'tool_call_chunk' as const, index },
        ...(id === undefined ? {} : { id }),
        ...(name === undefined ? {} : { name }),
        ...(args === undefined ? {} : { args }),
      }));
      const message = new AIMessageChunk({ content: text, tool_call_chunks: chunks });
      yield new ChatGenerationChunk({ text, message });
      await run?.handleLLMNewToken(text);
    }
  }
}

/** Its methods make other models of the class, at once or later, as some integrations do. */
class RemakingChat extends ServerChat {
  constructor(baseURL: string) {
    super(baseURL);
    this.remake = () => new RemakingChat(baseURL);
  }

  readonly remake: () => RemakingChat;

  override withConfig(): RemakingChat {
    return this.remake();
  }

  override bindTools(): RemakingChat {
    return this.withConfig();
  }

  async resolveModel() {
    return this.remake();
  }
}

let vendor: VendorServer | undefined;

describe('guardChatModel', LIMIT, () => {
  afterEach(async () => vendor?.close());

  async function open(answer: VendorAnswer) {
    vendor = await startVendor(() => answer);
    return { model: guardChatModel(new ServerChat(vendor.url), { guard, maxWork: 4 }), vendor };
  }

  it('a guarded model of LangChain redacts the conversation, the answer and its tool calls', async () => {
    const { model, vendor } = await open(chatAnswer({ content: ANSWER, tool_calls: [CALL] }));
    assert.ok(model instanceof ServerChat);
    const tokens: string[] = [];
    const callbacks = [{ handleLLMNewToken: (token: string) => void tokens.push(token) }];
    const asked = [new SystemMessage('Be brief.'), new HumanMessage(`I am ${MAIL}`)];
    const answer = await model.invoke(asked, { callbacks });
    assert.ok(AIMessage.isInstance(answer));
    assert.equal(answer.content, REDACTED);
    assert.deepEqual(answer.tool_calls?.[0]?.args, { to: '[EMAIL_1]' });
    assert.ok(!JSON.stringify([answer, tokens, vendor.bodies]).includes(MAIL));
    assert.equal(asked[1]?.content, `I am ${MAIL}`);
    const both = await model.batch([`I am ${MAIL}`, 'Who is it?']);
    assert.deepEqual(
      both.map(({ content }) => content),
      [REDACTED, REDACTED],
    );
  });

  it('a guarded model of LangChain never sends a blocked prompt, and rejects a blocked answer', async () => {
    const { model, vendor } = await open(chatAnswer({ content: BLOCKING }));
    await assert.rejects(model.invoke(BLOCKING), BlockedError);
    await assert.rejects(model.stream(BLOCKING).then(collect), BlockedError);
    assert.equal(vendor.bodies.length, 0);
    await assert.rejects(model.invoke('Where is it?'), BlockedError);
  });

  it('a guarded model of LangChain redacts a stream, its callbacks and its tool calls', async () => {
    const called = callDeltas();
    const texts = inTokens(ANSWER).map((content) => ({ content }));
    const { model } = await open(chatEvents([...texts, ...called], 'tool_calls'));
    const tokens: string[] = [];
    const callbacks = [{ handleLLMNewToken: (token: string) => void tokens.push(token) }];
    const chunks = await collect(await model.stream('Where is it?', { callbacks }));
    const whole = chunks.reduce((held, next) => held.concat(next));
    assert.equal(whole.content, REDACTED);
    assert.deepEqual(whole.tool_calls?.[0]?.args, { to: '[EMAIL_1]' });
    assert.equal(tokens.join(''), REDACTED);
    assert.ok(!JSON.stringify(chunks).includes(MAIL));
  });

  it('a guarded model of LangChain keeps streamed calls without an index apart', async () => {
    const calls = ['a', 'b'].map((id) => ({
      tool_calls: [{ id, function: { name: 'find', arguments: `{"to":"${MAIL}","id":"${id}"}` } }],
    }));
    const { model } = await open(chatEvents(calls, 'tool_calls'));
    const chunks = await collect(await model.stream('Where is it?'));
    const args = chunks.flatMap(({ tool_call_chunks: parts = [] }) =>
      parts.map((part) => part.args),
    );
    assert.deepEqual(args, ['{"to":"[EMAIL_1]","id":"a"}', '{"to":"[EMAIL_1]","id":"b"}']);
  });

  it('a guarded model of LangChain tells its events what is passed on', async () => {
    const { model } = await open(chatEvents(inTokens(ANSWER).map((content) => ({ content }))));
    const events = await collect(model.streamEvents('Where is it?', { version: 'v2' }));
    assert.ok(!JSON.stringify(events).includes(MAIL));
    const ended = events.find(({ event }) => event === 'on_chat_model_end');
    assert.equal(ended?.data.output.content, REDACTED);
  });

  it('a guarded model of LangChain numbers placeholders alike in request and answer', async () => {
    const whole = await open(chatAnswer({ content: THIRD_MAIL }));
    assert.equal((await whole.model.invoke(TWO_MAILS)).content, THIRD_REDACTED);
    await vendor?.close();
    const texts = inTokens(THIRD_MAIL).map((content) => ({ content }));
    const { model } = await open(chatEvents(texts));
    const chunks = await collect(await model.stream(TWO_MAILS));
    assert.equal(chunks.map(({ text }) => text).join(''), THIRD_REDACTED);
  });

  it('a guarded model of LangChain makes guarded models', async () => {
    const text = JSON.stringify({ text: MAIL });
    vendor = await startVendor(() => chatAnswer({ content: text }));
    const model = guardChatModel(new RemakingChat(vendor.url), { guard });
    const schema = { title: 'A', type: 'object', properties: { text: { type: 'string' } } };
    const made = {
      withConfig: model.withConfig(),
      bindTools: model.bindTools(),
      twice: model.bindTools().withConfig(),
      later: await model.resolveModel(),
      remake: model.remake(),
      withRetry: model.withRetry({ stopAfterAttempt: 1 }),
    };
    for (const [name, other] of Object.entries(made)) {
      await assert.rejects(other.invoke(BLOCKING), BlockedError, name);
      const { content } = await other.invoke(`I am ${MAIL}`);
      assert.equal(content, '{"text":"[EMAIL_1]"}', name);
    }
    const structured = model.withStructuredOutput(schema);
    await assert.rejects(structured.invoke(BLOCKING), BlockedError);
    assert.ok(!JSON.stringify(vendor.bodies).includes(MAIL));
    assert.ok(!JSON.stringify(vendor.bodies).includes('536-22'));
  });

  it('a guarded model of LangChain ends a blocked stream with the violation', async () => {
    const { model } = await open(chatEvents(inTokens(BLOCKING).map((content) => ({ content }))));
    let passed = '';
    await assert.rejects(async () => {
      for await (const { text } of await model.stream('Where is it?')) passed += text;
    }, BlockedError);
    assert.ok(passed.length > 0 && BLOCKING.slice(0, BLOCKING.indexOf('536')).startsWith(passed));
    assert.throws(() => guardChatModel({}), /expected a chat model of LangChain/);
  });
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
