import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import type { Address } from './both-ways.ts';
import { PLACES, runBothWays, sealed } from './both-ways.ts';
import { messageStream, wholeMessage } from './messages-provider.ts';

const clientOf = ({ url, key }: Address) =>
  new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
const TOOL = {
  name: 'Read',
  description: 'Reads a file from the local filesystem.',
  input_schema: {
    type: 'object' as const,
    properties: { file_path: { type: 'string' }, limit: { type: 'number' } },
    required: ['file_path'],
    additionalProperties: false,
    $schema: 'http://json-schema.org/draft-07/schema#',
  },
};
const CITATIONS = [
  {
    ...{ type: 'char_location', cited_text: 'The tower is 330 m high.', document_index: 0 },
    ...{ document_title: 'Towers', file_id: null, start_char_index: 0, end_char_index: 24 },
  },
  {
    ...{ type: 'web_search_result_location', cited_text: 'It was built in 1889.', title: 'Tower' },
    ...{
      url: 'https://towers.example/eiffel?lang=en#height',
      encrypted_index: sealed('index'),
    },
  },
];
const KINDS: Readonly<Record<string, { readonly type: string }[]>> = {
  texts: [{ type: 'text', text: 'In Rome 😀.' } as never],
  'calls of tools': [
    { type: 'text', text: 'I read.' },
    ...PLACES.map((place, at) => ({
      ...{ type: 'tool_use', id: `toolu_01${at}`, name: 'Read' },
      input: { file_path: place, limit: 2.5, nested: { list: [[], {}, null] } },
    })),
  ] as never,
  thoughts: [
    {
      type: 'thinking',
      thinking: 'The file is large.\nI read a part.',
      signature: sealed('thought'),
    },
    { type: 'redacted_thinking', data: sealed('redacted') },
    { type: 'text', text: 'Here it is.' },
  ] as never,
  citations: [
    {
      ...{ type: 'server_tool_use', id: 'srvtoolu_01A', name: 'web_search' },
      input: { query: 'height of the tower' },
    },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_01A',
      content: [
        {
          ...{ type: 'web_search_result', url: 'https://towers.example/eiffel', title: 'Tower' },
          ...{ encrypted_content: sealed('found'), page_age: '3 days ago' },
        },
      ],
    },
    { type: 'text', text: 'It is 330 m high.', citations: CITATIONS },
  ] as never,
};

describe('the Anthropic client through the gateway', () => {
  for (const [kind, content] of Object.entries(KINDS)) {
    it(`gets ${kind}, whole and streamed, and sends them again`, async (t) => {
      const made = await runBothWays(
        t,
        () =>
          ({ body }) =>
            body.stream ? messageStream('1', content) : wholeMessage('1', content),
        async (address) => {
          const client = clientOf(address);
          const asked = { role: 'user' as const, content: 'How high is the tower?' };
          const call = { model: 'claude-sonnet-4-5', max_tokens: 4096, tools: [TOOL] };
          const whole = await client.messages.create({ ...call, messages: [asked] });
          const again = [
            asked,
            { role: 'assistant' as const, content: whole.content as never },
            { role: 'user' as const, content: 'Go on.' },
          ];
          const streamed = await client.messages
            .stream({
              ...call,
              messages: again,
              thinking: { type: 'enabled', budget_tokens: 1024 },
            })
            .finalMessage();
          return { whole, streamed };
        },
      );
      assert.deepEqual(made.streamed.content, content);
    });
  }

  it('gets the same messages in a session of a coding agent', async (t) => {
    const steps = PLACES.map((place, at) => [
      { type: 'thinking', thinking: `Step ${at}.`, signature: sealed(`${at}`) },
      { type: 'tool_use', id: `toolu_01Agent${at}`, name: 'Read', input: { file_path: place } },
    ]);
    const cache_control = { type: 'ephemeral' as const };
    await runBothWays(
      t,
      () => {
        let step = 0;
        return ({ path }) => {
          if (path.includes('count_tokens'))
            return { input_tokens: 2095, context_management: null };
          const content = steps[step++] ?? [{ type: 'text', text: 'Done.' }];
          return messageStream(`${step}`, content);
        };
      },
      async (address) => {
        const client = clientOf(address);
        const call = {
          model: 'claude-sonnet-4-5',
          system: [
            { type: 'text' as const, text: 'You are an agent that edits code.', cache_control },
            {
              type: 'text' as const,
              text: '# Environment\nPlatform: linux\nToday: 2026-11-29',
              cache_control,
            },
          ],
          tools: [TOOL, { ...TOOL, name: 'Edit', cache_control }],
        };
        const messages: Anthropic.Beta.BetaMessageParam[] = [
          {
            role: 'user',
            content: [
              {
                type: 'text',
                text: '<system-reminder>\nThe date is 2026-11-29.\n</system-reminder>\n',
              },
              { type: 'text', text: 'Fix the failing test.', cache_control },
            ],
          },
        ];
        const made: unknown[] = [];
        for (let step = 0; step <= steps.length; step++) {
          made.push(await client.beta.messages.countTokens({ ...call, messages }));
          const answer = await client.beta.messages
            .stream({
              ...call,
              messages,
              max_tokens: 32_000,
              betas: ['interleaved-thinking-2025-05-14', 'fine-grained-tool-streaming-2025-05-14'],
              thinking: { type: 'enabled', budget_tokens: 31_999 },
              metadata: {
                user_id: 'user_5f2a9c_account__session_0b7c1f8e-6a1d-4c5e-9f0a-2d3b4c5d6e7f',
              },
              temperature: 1,
            })
            .finalMessage();
          made.push(answer);
          const results = answer.content.flatMap((block) =>
            block.type === 'tool_use'
              ? [
                  {
                    ...{ type: 'tool_result' as const, tool_use_id: block.id, cache_control },
                    content: `     1→export const a = 1;\n     2→// ${step}`,
                  },
                ]
              : [],
          );
          messages.push(
            { role: 'assistant', content: answer.content as never },
            { role: 'user', content: results.length > 0 ? results : 'Thanks.' },
          );
        }
        return made;
      },
    );
  });
});
