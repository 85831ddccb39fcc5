import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { chatAnswer, chatEvents, messageAnswer, messageEvents } from '@probity/test-support';
import type { Guard } from '../../src/index.ts';
import type { ClientGuardOptions, guardMiddleware } from '../../src/wrappers/ai-sdk.ts';
import type { guardChatModel } from '../../src/wrappers/langchain.ts';
import type { createGuardedFetch } from '../../src/wrappers/openai.ts';
import type { Conversation, Said } from './random-conversations.ts';
import { cut } from './random-conversations.ts';

/** The wrappers of a build of the package. */
export interface Wrappers {
  readonly createGuardedFetch: typeof createGuardedFetch;
  readonly guardMiddleware: typeof guardMiddleware;
  readonly guardChatModel: typeof guardChatModel;
}

/** What a call did, in order: what was sent, what was passed on, and the error it ended with. */
export type Trace = unknown[];

/** Makes a call through a wrapper. */
export type WrappedCall = (
  wrappers: Wrappers,
  options: ClientGuardOptions & { readonly guard: Guard },
  conversation: Conversation,
  trace: Trace,
) => Promise<void>;

const CALL_ID = 'c1';

function toChat({ role, parts, call }: Said): object {
  const content = parts.length === 1 ? parts[0] : parts.map((text) => ({ type: 'text', text }));
  if (role === 'tool') return { role, tool_call_id: CALL_ID, content };
  return call === undefined ? { role, content } : { role, content, ...chatCall(call) };
}

function chatCall(call: object) {
  const made = { name: 'find', arguments: JSON.stringify(call) };
  return { tool_calls: [{ id: CALL_ID, index: 0, type: 'function', function: made }] };
}

function toItems({ role, parts, call }: Said): object[] {
  if (role === 'tool') {
    return [{ type: 'function_call_output', call_id: CALL_ID, output: parts.join('\n') }];
  }
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const message = { role, content: parts.map((text) => ({ type, text })) };
  return call === undefined ? [message] : [message, itemOf(call)];
}

function itemOf(call: object) {
  const made = { name: 'find', arguments: JSON.stringify(call) };
  return { type: 'function_call', id: 'f1', call_id: CALL_ID, ...made };
}

function toBlocks({ role, parts, call }: Said): object {
  const texts = parts.map((text) => ({ type: 'text', text }));
  if (role !== 'tool') {
    return { role, content: call === undefined ? texts : [...texts, blockOf(call)] };
  }
  const result = { type: 'tool_result', tool_use_id: CALL_ID, content: texts };
  return { role: 'user', content: [result] };
}

function blockOf(input: object) {
  return { type: 'tool_use', id: CALL_ID, name: 'find', input };
}

const chat: WrappedCall = (wrappers, options, { asked, answer, isStreamed, part }, trace) => {
  const { texts, call } = answer;
  const deltas = texts.flatMap((text) => cut(text, part).map((content) => ({ content })));
  return fetchGuarded(wrappers, options, trace, {
    path: '/v1/chat/completions',
    body: { model: 'm', stream: isStreamed, messages: asked.map(toChat) },
    answer: isStreamed
      ? chatEvents([...deltas, ...(call ? [chatCall(call)] : [])])
      : chatAnswer({ content: texts.join(''), ...(call && chatCall(call)) }),
  });
};

const responses: WrappedCall = (wrappers, options, { asked, answer, isStreamed, part }, trace) => {
  const { texts, call } = answer;
  const content = texts.map((text) => ({ type: 'output_text', text, annotations: [] }));
  const message = { type: 'message', id: 'm1', role: 'assistant', content };
  const output = [message, ...(call ? [itemOf(call)] : [])];
  const events = texts.flatMap((text, content_index) => {
    const at = { item_id: 'm1', output_index: 0, content_index };
    return [
      ...cut(text, part).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text },
    ];
  });
  const all = [...events, { type: 'response.completed', response: { id: 'r', output } }];
  return fetchGuarded(wrappers, options, trace, {
    path: '/v1/responses',
    body: { model: 'm', stream: isStreamed, input: asked.flatMap(toItems) },
    answer: isStreamed
      ? all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      : { id: 'r', output },
  });
};

const anthropic: WrappedCall = (wrappers, options, { asked, answer, isStreamed, part }, trace) => {
  const { texts, reasoning, call } = answer;
  const thought = reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning }];
  const blocks = texts.map((text) => ({ type: 'text', text }));
  const system = asked.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts);
  const messages = asked.filter(({ role }) => role !== 'system').map(toBlocks);
  const streamed = [
    ...thought.map(({ thinking }) => [
      { type: 'thinking', thinking: '' },
      cut(thinking, part).map((each) => ({ type: 'thinking_delta', thinking: each })),
    ]),
    ...texts.map((text) => [
      { type: 'text', text: '' },
      cut(text, part).map((each) => ({ type: 'text_delta', text: each })),
    ]),
    ...(call
      ? [[blockOf({}), [{ type: 'input_json_delta', partial_json: JSON.stringify(call) }]]]
      : []),
  ] as [object, object[]][];
  return fetchGuarded(wrappers, options, trace, {
    path: '/v1/messages',
    body: { model: 'm', stream: isStreamed, messages, system: system.join('\n') },
    answer: isStreamed
      ? messageEvents(streamed)
      : messageAnswer(...thought, ...blocks, ...(call ? [blockOf(call)] : [])),
  });
};

/** A request, and what a vendor answers: an object, or the events of a stream. */
interface Fetched {
  readonly path: string;
  readonly body: object;
  readonly answer: object | readonly string[];
}

async function fetchGuarded(
  { createGuardedFetch: create }: Wrappers,
  options: ClientGuardOptions,
  trace: Trace,
  { path, body, answer }: Fetched,
): Promise<void> {
  const guarded = create({
    ...options,
    fetch: async (_, init) => {
      trace.push(['sent', init?.body]);
      if (!Array.isArray(answer)) return Response.json(answer);
      const headers = { 'content-type': 'text/event-stream' };
      const events = (answer as readonly string[]).map((event) => new TextEncoder().encode(event));
      return new Response(ReadableStream.from(events), { headers });
    },
  });
  const init = { method: 'POST', body: JSON.stringify(body) };
  const response = await guarded(`https://models.example${path}`, init);
  trace.push(['status', response.status]);
  for await (const bytes of response.body ?? []) {
    trace.push(['passed', new TextDecoder().decode(bytes)]);
  }
}

function toModelMessage({ role, parts, call }: Said): object {
  const texts = parts.map((text) => ({ type: 'text', text }));
  const tool = { toolCallId: CALL_ID, toolName: 'find' };
  if (role === 'system') return { role, content: parts.join('\n') };
  if (role === 'tool') {
    const output = { type: 'text', value: parts.join('\n') };
    return { role, content: [{ type: 'tool-result', ...tool, output }] };
  }
  const calls = call === undefined ? [] : [{ type: 'tool-call', ...tool, input: call }];
  return { role, content: [...texts, ...calls] };
}

const aiSdk: WrappedCall = async (
  wrappers,
  options,
  { asked, answer, isStreamed, part },
  trace,
) => {
  const { texts, reasoning, call } = answer;
  const middleware = wrappers.guardMiddleware(options);
  const given = { prompt: asked.map(toModelMessage) };
  const params = await middleware.transformParams({ params: given });
  trace.push(['sent', params]);
  const tool = { toolCallId: CALL_ID, toolName: 'find', input: JSON.stringify(call) };
  const calls = call === undefined ? [] : [{ type: 'tool-call', ...tool }];
  if (!isStreamed) {
    const thoughts = reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning }];
    const content = [...thoughts, ...texts.map((text) => ({ type: 'text', text })), ...calls];
    const doGenerate = async () => ({ content });
    trace.push(['passed', await middleware.wrapGenerate({ params, doGenerate })]);
    return;
  }
  const parts = [
    ...(reasoning === undefined ? [] : streamParts('reasoning', 'r', reasoning, part)),
    ...texts.flatMap((text, at) => streamParts('text', String(at), text, part)),
    ...calls,
    { type: 'finish' },
  ];
  const doStream = async () => ({ stream: ReadableStream.from(parts) });
  const { stream } = await middleware.wrapStream({ params, doStream });
  for await (const passed of stream) trace.push(['passed', passed]);
};

function streamParts(type: string, id: string, text: string, part: number) {
  return [
    { type: `${type}-start`, id },
    ...cut(text, part).map((delta) => ({ type: `${type}-delta`, id, delta })),
    { type: `${type}-end`, id },
  ];
}

function toBaseMessage({ role, parts, call }: Said): BaseMessage {
  const content =
    parts.length === 1 ? (parts[0] ?? '') : parts.map((text) => ({ type: 'text' as const, text }));
  if (role === 'system') return new SystemMessage({ content });
  if (role === 'user') return new HumanMessage({ content });
  if (role === 'tool') return new ToolMessage({ content, tool_call_id: CALL_ID });
  const calls = call === undefined ? [] : [{ id: CALL_ID, name: 'find', args: call }];
  return new AIMessage({ content, tool_calls: calls });
}

/** A model without a server. */
class GivenChat extends BaseChatModel {
  readonly #conversation: Conversation;
  readonly #trace: Trace;

  constructor(conversation: Conversation, trace: Trace) {
    super({});
    this.#conversation = conversation;
    this.#trace = trace;
  }

  override _llmType(): string {
    return 'given';
  }

  override async _generate(messages: BaseMessage[]) {
    this.#trace.push(['sent', messages.map(shown)]);
    const { texts, call } = this.#conversation.answer;
    const calls = call === undefined ? [] : [{ id: CALL_ID, name: 'find', args: call }];
    const message = new AIMessage({ content: texts.join(''), tool_calls: calls });
    return { generations: [{ text: texts.join(''), message }] };
  }

  override async *_streamResponseChunks(messages: BaseMessage[]) {
    this.#trace.push(['sent', messages.map(shown)]);
    const { answer, part } = this.#conversation;
    for (const text of cut(answer.texts.join(''), part)) {
      yield new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
    }
    if (answer.call === undefined) return;
    for (const args of cut(JSON.stringify(answer.call), part)) {
      const chunks = [{ type: 'tool_call_chunk' as const, index: 0, name: 'find', args }];
      const message = new AIMessageChunk({ content: '', tool_call_chunks: chunks });
      yield new ChatGenerationChunk({ text: '', message });
    }
  }
}

function shown(message: BaseMessage): object {
  const { content, tool_calls: calls, tool_call_chunks: chunks } = message as AIMessageChunk;
  return { type: message.getType(), content, calls, chunks };
}

const langchain: WrappedCall = async (wrappers, options, conversation, trace) => {
  const model = wrappers.guardChatModel(new GivenChat(conversation, trace), options);
  const messages = conversation.asked.map(toBaseMessage);
  const handleLLMNewToken = (token: string) => void trace.push(['token', token]);
  const callbacks = [{ handleLLMNewToken }];
  if (!conversation.isStreamed) {
    trace.push(['passed', shown(await model.invoke(messages, { callbacks }))]);
    return;
  }
  for await (const chunk of await model.stream(messages, { callbacks })) {
    trace.push(['passed', shown(chunk)]);
  }
};

/** Calls through each wrapper by its name. */
export const WRAPPED_CALLS: Readonly<Record<string, WrappedCall>> = {
  'chat completions': chat,
  responses,
  'messages of Anthropic': anthropic,
  'the AI SDK': aiSdk,
  LangChain: langchain,
};
