import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import OpenAI from 'openai';
import type { Address } from './both-ways.ts';
import { PLACES, runBothWays } from './both-ways.ts';
import { chatCall, chatChunks, chatCompletion } from './chat-provider.ts';
import {
  callItem,
  messageItem,
  reasoningItem,
  responseEvents,
  responseOf,
} from './responses-provider.ts';

const clientOf = ({ url, key }: Address) =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
const TEXT = 'The parcel is in Rome 😀.\n\n```json\n{"a": 1.50}\n```';
const FUNCTION = {
  name: 'find',
  description: 'Finds a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const TOOLS = [{ type: 'function' as const, function: FUNCTION }];
const CALLS = PLACES.map((place, at) => chatCall(`${at}`, 'find', { place, at }));

describe('the openai client through the gateway', () => {
  it('completes chats and calls of several tools, whole and streamed', async (t) => {
    for (const message of [
      { content: TEXT },
      { content: null, tool_calls: CALLS },
      { content: 'I look.', tool_calls: CALLS },
    ]) {
      await runBothWays(
        t,
        () =>
          ({ body }) =>
            body.stream ? chatChunks('1', message) : chatCompletion('1', message),
        async (address) => {
          const client = clientOf(address);
          const messages = [
            { role: 'developer' as const, content: 'You are a guide.' },
            { role: 'user' as const, content: [{ type: 'text' as const, text: 'Where is it?' }] },
            { role: 'assistant' as const, content: null, tool_calls: CALLS as never },
            ...CALLS.map(({ id }) => ({
              role: 'tool' as const,
              tool_call_id: id,
              content: '{"km":3.50}',
            })),
          ];
          const call = {
            model: 'gpt-4o',
            messages,
            tools: TOOLS,
            parallel_tool_calls: true,
            seed: 7,
          };
          const whole = await client.chat.completions.create(call);
          const stream = client.chat.completions.stream({
            ...call,
            stream_options: { include_usage: true },
          });
          return { whole, streamed: await stream.finalChatCompletion() };
        },
      );
    }
  });

  it('runs tools in a loop', async (t) => {
    const text = await runBothWays(
      t,
      () => {
        let step = 0;
        return () => {
          const call = CALLS[step++];
          const message = call ? { content: null, tool_calls: [call] } : { content: TEXT };
          return chatChunks(`${step}`, message);
        };
      },
      async (address) => {
        const runner = clientOf(address).chat.completions.runTools({
          model: 'gpt-4o',
          stream: true,
          messages: [{ role: 'user', content: 'Where are they?' }],
          tools: [
            {
              type: 'function',
              function: {
                ...FUNCTION,
                parse: JSON.parse,
                function: (given: object) => ({ given, km: 3.5 }),
              },
            } as never,
          ],
        });
        await runner.done();
        return { messages: runner.messages, last: await runner.finalContent() };
      },
    );
    assert.equal(text.last, TEXT);
    assert.equal(text.messages.length, 2 + 2 * PLACES.length);
  });

  it('asks for responses with reasoning and tools, whole and streamed, and sends them again', async (t) => {
    const output = [
      reasoningItem('rs_1', 'I look for the place.'),
      ...PLACES.map((place, at) => callItem(`${at}`, 'find', { place })),
      messageItem('msg_1', TEXT),
    ];
    await runBothWays(
      t,
      () =>
        ({ body }) =>
          body.stream ? responseEvents('resp_1', output) : responseOf('resp_1', output),
      async (address) => {
        const client = clientOf(address);
        const call = {
          model: 'gpt-5',
          instructions: 'You are a guide.',
          tools: [{ type: 'function' as const, strict: true, ...FUNCTION }],
          include: ['reasoning.encrypted_content' as const],
          store: false,
        };
        const whole = await client.responses.create({ ...call, input: 'Where are they?' });
        const results = whole.output.flatMap((item) =>
          item.type === 'function_call'
            ? [
                {
                  type: 'function_call_output' as const,
                  call_id: item.call_id,
                  output: '{"km":3.5}',
                },
              ]
            : [],
        );
        const input = [
          { role: 'user' as const, content: 'Where?' },
          ...(whole.output as never[]),
          ...results,
        ];
        const streamed = await client.responses.stream({ ...call, input }).finalResponse();
        return { whole, streamed };
      },
    );
  });

  it('gets the events of a streamed response in their order, citations after their text', async (t) => {
    const output = [messageItem('msg_1', TEXT)];
    const kinds = await runBothWays(
      t,
      () => () => responseEvents('resp_1', output),
      async (address) => {
        const stream = await clientOf(address).responses.create({
          model: 'gpt-5',
          input: 'Go.',
          stream: true,
        });
        const seen: string[] = [];
        // Deltas may be joined.
        for await (const { type } of stream) if (seen.at(-1) !== type) seen.push(type);
        return seen;
      },
    );
    const of = (kind: string) => kinds.indexOf(`response.output_text.${kind}`);
    assert.ok(of('delta') > 0 && of('delta') < of('annotation.added'), `${kinds}`);
  });

  it('asks for a response in the background and waits for it', async (t) => {
    const output = [messageItem('msg_1', TEXT)];
    await runBothWays(
      t,
      () => {
        let asked = 0;
        return ({ method }) => {
          if (method === 'POST') return responseOf('resp_b', [], 'queued');
          return ++asked < 3
            ? responseOf('resp_b', [], 'in_progress')
            : responseOf('resp_b', output);
        };
      },
      async (address) => {
        const client = clientOf(address);
        const seen = [
          await client.responses.create({ model: 'gpt-5', input: 'Go.', background: true }),
        ];
        while (seen.at(-1)?.status !== 'completed')
          seen.push(await client.responses.retrieve('resp_b'));
        return seen;
      },
    );
  });
});
