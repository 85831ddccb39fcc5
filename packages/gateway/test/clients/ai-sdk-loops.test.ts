import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel, StepResult, ToolSet } from 'ai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import type { ModelAnswer, SentCall } from '../proxy/model-server.ts';
import type { Address } from './both-ways.ts';
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

// The types of the SDK do not go with exactOptionalPropertyTypes.
const tools: object = {
  find: tool({
    description: 'Finds a place on the map.',
    inputSchema: jsonSchema<{ place: string }>({
      type: 'object',
      properties: { place: { type: 'string' } },
      required: ['place'],
    }),
    execute: ({ place }) => ({ place, distance: 3.5, near: ['a "b"', null] }),
  }),
};
const THOUGHT = 'The user wants a place. I look it up, then I answer.';
const LAST = 'All five places are on the map:\n\n- **Rome** is 3.5 km away 😀.\n';

/** A provider of the SDK, and how it answers in step `step` of a loop. */
interface Provider {
  readonly name: string;
  model(address: Address): LanguageModel;
  answer(step: number, place: string | undefined, isStream: boolean): ModelAnswer;
  readonly options?: object;
}

const RESPONSES: Provider = {
  name: 'OpenAI Responses',
  model: ({ url, key }) => createOpenAI({ apiKey: key, baseURL: `${url}/v1` })('gpt-5'),
  answer(step, place, isStream) {
    const id = `resp_${step}`;
    const last =
      place === undefined
        ? messageItem(`msg_${step}`, LAST)
        : callItem(`${step}a`, 'find', { place });
    const output = [reasoningItem(`rs_${step}`, THOUGHT), last];
    return isStream ? responseEvents(id, output) : responseOf(id, output);
  },
};

const STATELESS: Provider = {
  ...RESPONSES,
  name: 'OpenAI Responses that are not stored',
  options: {
    openai: { store: false, include: ['reasoning.encrypted_content'], reasoningSummary: 'auto' },
  },
};

const COMPATIBLE: Provider = {
  name: 'an OpenAI-compatible chat',
  model: ({ url, key }) =>
    createOpenAICompatible({ name: 'deep', apiKey: key, baseURL: `${url}/v1`, includeUsage: true })(
      'deepseek-chat',
    ),
  answer(step, place, isStream) {
    const message =
      place === undefined
        ? { content: LAST, reasoning_content: THOUGHT }
        : {
            content: null,
            reasoning_content: THOUGHT,
            tool_calls: [
              chatCall(`${step}a`, 'find', { place }),
              chatCall(`${step}b`, 'find', { place: 'Bari' }),
            ],
          };
    return isStream ? chatChunks(`${step}`, message) : chatCompletion(`${step}`, message);
  },
};

const CHAT: Provider = {
  ...COMPATIBLE,
  name: 'OpenAI chat',
  model: ({ url, key }) => createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).chat('gpt-4o'),
};

const ANTHROPIC: Provider = {
  name: 'Anthropic',
  model: ({ url, key }) =>
    createAnthropic({ apiKey: key, baseURL: `${url}/v1` })('claude-sonnet-4-5'),
  options: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  answer(step, place, isStream) {
    const content = [
      step === 1
        ? { type: 'redacted_thinking', data: sealed('redacted') }
        : { type: 'thinking', thinking: THOUGHT, signature: sealed(`step ${step}`) },
      ...(place === undefined
        ? [{ type: 'text', text: LAST }]
        : [
            { type: 'text', text: 'I look it up.' },
            { type: 'tool_use', id: `toolu_01A${step}xq`, name: 'find', input: { place } },
          ]),
    ];
    return isStream ? messageStream(`${step}`, content) : wholeMessage(`${step}`, content);
  },
};

function madeOf(steps: readonly StepResult<ToolSet>[]) {
  return steps.map(({ content, finishReason, usage, warnings, response, providerMetadata }) => ({
    content: content.map((part) => (part.type === 'source' ? { ...part, id: '' } : part)),
    ...{ finishReason, usage, warnings, providerMetadata },
    ...{ id: response.id, model: response.modelId, messages: response.messages },
  }));
}

for (const provider of [RESPONSES, STATELESS, COMPATIBLE, CHAT, ANTHROPIC]) {
  describe(`a tool loop of the AI SDK through the gateway, with ${provider.name}`, () => {
    for (const isStream of [false, true]) {
      it(`makes the same five calls, ${isStream ? 'streamed' : 'whole'}`, async (t) => {
        const answers = () => {
          let step = -1;
          return (_: SentCall) => {
            step++;
            return provider.answer(step, PLACES[step], isStream);
          };
        };
        const steps = await runBothWays(t, answers, async (address) => {
          const call = {
            model: provider.model(address),
            system: 'You are a guide.',
            prompt: 'Where are these places?',
            tools: tools as ToolSet,
            stopWhen: stepCountIs(8),
            maxRetries: 0,
            ...(provider.options === undefined
              ? {}
              : { providerOptions: provider.options as never }),
          };
          if (!isStream) return madeOf((await generateText(call)).steps);
          const streamed = streamText({
            ...call,
            onError: ({ error }) => assert.fail(error as Error),
          });
          await streamed.consumeStream();
          return madeOf(await streamed.steps);
        });
        assert.equal(steps.length, PLACES.length + 1);
        const text = steps.at(-1)?.content.find((part) => part.type === 'text');
        assert.equal(text?.type === 'text' && text.text, LAST);
      });
    }
  });
}
