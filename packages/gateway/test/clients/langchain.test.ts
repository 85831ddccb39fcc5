import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChatAnthropic } from '@langchain/anthropic';
import type { AIMessageChunk, BaseMessage, UsageMetadata } from '@langchain/core/messages';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import type { ModelAnswer, SentCall } from '../proxy/model-server.ts';
import type { Address, TypedEvent } from './both-ways.ts';
import { PLACES, runBothWays, sealed } from './both-ways.ts';
import { chatCall, chatChunks, chatCompletion } from './chat-provider.ts';
import { messageStream, wholeMessage } from './messages-provider.ts';
import {
  callItem,
  messageItem,
  reasoningItem,
  responseEvents,
  responseOf,
} from './responses-provider.ts';

const TEXT = 'The parcel is in Rome 😀.\n\n```json\n{"a": 1.50}\n```';
const SCHEMA = {
  title: 'find',
  description: 'Finds a place.',
  type: 'object',
  properties: { place: { type: 'string' } },
  required: ['place'],
};
const TOOLS = [
  {
    type: 'function' as const,
    function: { name: 'find', description: SCHEMA.description, parameters: SCHEMA },
  },
];

/** A model of LangChain, and the provider's answer in a step; without a place it is the last one. */
interface Integration {
  modelAt(address: Address, isThinking?: boolean): ChatOpenAI | ChatAnthropic;
  answer(step: string, isStream: boolean, place: string | undefined): ModelAnswer;
}

const openAiAt =
  (useResponsesApi: boolean) =>
  ({ url, key }: Address) =>
    new ChatOpenAI({
      ...{ model: 'gpt-4o', apiKey: key, maxRetries: 0, useResponsesApi },
      configuration: { baseURL: `${url}/v1` },
    });

const INTEGRATIONS: Readonly<Record<string, Integration>> = {
  "OpenAI's chats": {
    modelAt: openAiAt(false),
    answer(step, isStream, place) {
      const message =
        place === undefined
          ? { content: TEXT }
          : { content: null, tool_calls: [chatCall(step, 'find', { place })] };
      return isStream ? chatChunks(step, message) : chatCompletion(step, message);
    },
  },
  "OpenAI's responses": {
    modelAt: openAiAt(true),
    answer(step, isStream, place) {
      const item =
        place === undefined ? messageItem(`msg_${step}`, TEXT) : callItem(step, 'find', { place });
      const output = [reasoningItem(`rs_${step}`, 'I look for it.'), item];
      return isStream ? responseEvents(step, output) : responseOf(step, output);
    },
  },
  "Anthropic's messages": {
    modelAt: ({ url, key }, isThinking = true) =>
      new ChatAnthropic({
        ...{ model: 'claude-sonnet-4-5', apiKey: key, maxRetries: 0, maxTokens: 4096 },
        anthropicApiUrl: url,
        ...(isThinking && { thinking: { type: 'enabled', budget_tokens: 1024 } }),
      }),
    answer(step, isStream, place) {
      const thinking = { type: 'thinking', thinking: 'I look for it.', signature: sealed(step) };
      const block: TypedEvent =
        place === undefined
          ? { type: 'text', text: TEXT }
          : { type: 'tool_use', id: `toolu_01${step}`, name: 'find', input: { place } };
      const content = [thinking, block];
      return isStream ? messageStream(step, content) : wholeMessage(step, content);
    },
  },
};

/** Answers step by step: a call for each place, then a text. */
function answersOf({ answer }: Integration) {
  return () => {
    let step = 0;
    return ({ body }: SentCall) => {
      const place = PLACES[step++];
      return answer(`${step}`, body.stream === true, place);
    };
  };
}

/** The parts of a streamed answer as one; the client counts tokens itself, with a file of the network, where it makes one. */
async function gathered(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let all: AIMessageChunk | undefined;
  for await (const part of stream) all = all === undefined ? part : all.concat(part);
  assert.ok(all);
  return all;
}

/** The members of a message that programs read. */
function membersOf(message: BaseMessage | AIMessageChunk) {
  const { content, id, additional_kwargs, response_metadata } = message;
  const { tool_calls, invalid_tool_calls, usage_metadata } = message as AIMessageChunk;
  return {
    ...{ content, id, tool_calls, invalid_tool_calls },
    usage_metadata: usage_metadata as UsageMetadata | undefined,
    ...{ additional_kwargs, response_metadata },
  };
}

describe('LangChain through the gateway', () => {
  for (const [name, integration] of Object.entries(INTEGRATIONS)) {
    for (const isStream of [false, true]) {
      it(`calls tools in a loop by ${name}, ${isStream ? 'streamed' : 'whole'}`, async (t) => {
        const made = await runBothWays(t, answersOf(integration), async (address) => {
          const model = integration.modelAt(address).bindTools(TOOLS);
          const history: BaseMessage[] = [
            new SystemMessage('You are a guide.'),
            new HumanMessage('Where are they?'),
          ];
          for (let step = 0; step <= PLACES.length; step++) {
            const answer = isStream
              ? await gathered(await model.stream(history))
              : await model.invoke(history);
            history.push(
              answer,
              ...(answer.tool_calls ?? []).map(
                ({ id = '' }) => new ToolMessage({ content: '{"km":3.5}', tool_call_id: id }),
              ),
            );
          }
          return history.map(membersOf);
        });
        assert.equal(made.length, 2 * PLACES.length + 3);
        assert.ok((made.at(-1)?.usage_metadata?.total_tokens ?? 0) > 0);
        assert.deepEqual(
          made.flatMap(({ tool_calls = [] }) => tool_calls.map(({ args }) => args.place)),
          PLACES,
        );
      });
    }
  }

  const STRUCTURED: Readonly<Record<string, readonly ['jsonSchema' | 'functionCalling', string]>> =
    {
      'a schema of the answer': ['jsonSchema', "OpenAI's chats"],
      'a call of a function': ['functionCalling', "OpenAI's chats"],
      'a tool of Anthropic': ['functionCalling', "Anthropic's messages"],
    };
  for (const [form, [method, name]] of Object.entries(STRUCTURED)) {
    it(`reads a structured answer by ${form}`, async (t) => {
      const { modelAt, answer } = INTEGRATIONS[name] as Integration;
      const found = { place: PLACES[2] };
      const made = await runBothWays(
        t,
        () => () =>
          method === 'jsonSchema'
            ? chatCompletion('1', { content: JSON.stringify(found) })
            : answer('1', false, found.place),
        async (address) => {
          const model = modelAt(address, false).withStructuredOutput(SCHEMA, {
            ...{ name: 'find', method, includeRaw: true },
          });
          const { parsed, raw } = await model.invoke('Where is it?');
          return { parsed, raw: membersOf(raw) };
        },
      );
      assert.deepEqual(made.parsed, found);
    });
  }
});
