import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import type { Address } from './both-ways.ts';
import { runBothWays, sealed } from './both-ways.ts';
import { messageStream } from './messages-provider.ts';

const CALL = {
  type: 'tool_use' as const,
  id: 'toolu_01Screen',
  name: 'Screenshot',
  input: { file_path: 'C:\\shots\\1.png' },
};
const RESULT = {
  type: 'tool_result' as const,
  tool_use_id: CALL.id,
  content: [
    { type: 'text' as const, text: 'The page as it is shown:' },
    {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: sealed('image') },
    },
  ],
};

/** The second step of a coding agent: it sends the picture that its tool has made. */
async function sendPicture({ url, key }: Address) {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
  const call = {
    model: 'claude-sonnet-4-5',
    messages: [
      { role: 'user' as const, content: 'Look at the page.' },
      { role: 'assistant' as const, content: [CALL] },
      { role: 'user' as const, content: [RESULT] },
    ],
  };
  return [
    await client.messages.countTokens(call),
    await client.messages.stream({ ...call, max_tokens: 1024 }).finalMessage(),
  ];
}

test('an image in the result of a tool passes unchanged with models.media pass', async (t) => {
  const content = [{ type: 'text', text: 'The button is hidden.' }];
  const answers =
    () =>
    ({ path }: { readonly path: string }) =>
      path.includes('count_tokens') ? { input_tokens: 2095 } : messageStream('1', content);
  const [counted, answer] = await runBothWays(t, answers, sendPicture, '  media: pass\n');
  assert.deepEqual(counted, { input_tokens: 2095 });
  assert.deepEqual((answer as Anthropic.Message).content, content);
});
