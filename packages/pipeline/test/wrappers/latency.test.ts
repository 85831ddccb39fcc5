import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { chatEvents, messageEvents } from '@probity/test-support';
import { streamText, wrapLanguageModel } from 'ai';
import OpenAI from 'openai';
import { guardMiddleware } from '../../src/wrappers/ai-sdk.ts';
import type { ClientGuardOptions } from '../../src/wrappers/answer-guard.ts';
import { guardAnthropic } from '../../src/wrappers/anthropic.ts';
import { guardOpenAI } from '../../src/wrappers/openai.ts';
import { guard, LIMIT } from './cases.ts';
import type { VendorAnswer } from './vendor-server.ts';
import { inTokens, startVendor } from './vendor-server.ts';

const SENTENCES = [
  'Thank you for your question about the opening hours of our museum. ',
  'The museum opens at nine in the morning on every weekday. ',
  'On Sundays the doors stay closed until noon, and the café opens a little later.',
];
const prompt = 'When are you open?';
const messages = [{ role: 'user' as const, content: prompt }];
const DELTAS = inTokens(SENTENCES.join(''));
const EVENTS = chatEvents(DELTAS.map((content) => ({ content })));

async function serve(t: TestContext, answer: VendorAnswer): Promise<string> {
  const vendor = await startVendor(() => answer);
  t.after(() => vendor.close());
  return vendor.url;
}

type Stream = (t: TestContext, options: ClientGuardOptions) => AsyncGenerator<string>;

const CLIENTS: Readonly<Record<string, Stream>> = {
  async *guardOpenAI(t, options) {
    const baseURL = await serve(t, EVENTS);
    const client = guardOpenAI(new OpenAI({ apiKey: 'k', baseURL }), options);
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
  },
  async *guardMiddleware(t, options) {
    const model = createOpenAI({ apiKey: 'k', baseURL: await serve(t, EVENTS) }).chat('m');
    const guarded = wrapLanguageModel({ model, middleware: guardMiddleware(options) });
    yield* streamText({ model: guarded, prompt }).textStream;
  },
  async *guardAnthropic(t, options) {
    const deltas = DELTAS.map((text) => ({ type: 'text_delta', text }));
    const events = messageEvents([[{ type: 'text', text: '' }, deltas]]);
    const baseURL = (await serve(t, events)).replace(/\/v1$/, '');
    const client = guardAnthropic(new Anthropic({ apiKey: 'k', baseURL }), options);
    const asked = { model: 'm', max_tokens: 100, messages };
    for await (const event of await client.messages.create({ ...asked, stream: true })) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
        yield event.delta.text;
      }
    }
  },
};

describe('clients with latency', LIMIT, () => {
  for (const [name, stream] of Object.entries(CLIENTS)) {
    it(`${name} passes a streamed answer on by the sentence with latency 'chat'`, async (t) => {
      const partsOf = async (options: ClientGuardOptions) => {
        const parts: string[] = [];
        for await (const part of stream(t, { guard, ...options })) if (part) parts.push(part);
        return parts;
      };
      assert.deepEqual(await partsOf({ latency: 'chat' }), SENTENCES);
      assert.deepEqual(await partsOf({}), [SENTENCES.join('')]);
    });
  }

  it('a guarded client rejects an unknown latency, and latency together with maxWork', () => {
    const client = new OpenAI({ apiKey: 'k' });
    assert.throws(() => guardOpenAI(client, { latency: 'fast' as never }), {
      message: 'guardOpenAI: latency must be \'chat\' or absent; got "fast".',
    });
    assert.throws(() => guardMiddleware({ latency: 'chat', maxWork: 2 }), {
      message: 'guardMiddleware: give latency or maxWork, not both.',
    });
  });
});
