import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { chatAnswer, chatEvents } from '@probity/test-support';
import type { ToolSet } from 'ai';
import { generateText, jsonSchema, streamText, tool, wrapLanguageModel } from 'ai';
import { BlockedError, createRedactor, restoreTokens } from '../../src/index.ts';
import { guardMiddleware } from '../../src/wrappers/ai-sdk.ts';
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

// The types of the SDK do not go with exactOptionalPropertyTypes.
const tools: object = {
  find: tool({
    inputSchema: jsonSchema<{ to: string }>({
      type: 'object',
      properties: { to: { type: 'string' } },
      required: ['to'],
    }),
  }),
};

let vendor: VendorServer | undefined;

describe('guardMiddleware', LIMIT, () => {
  afterEach(async () => vendor?.close());

  async function open(answer: VendorAnswer) {
    vendor = await startVendor(() => answer);
    const model = createOpenAI({ apiKey: 'k', baseURL: vendor.url }).chat('m');
    const middleware = guardMiddleware({ guard, maxWork: 4 });
    return { model: wrapLanguageModel({ model, middleware }), vendor };
  }

  it('a guarded model of the AI SDK redacts the conversation, the answer and its tool calls', async () => {
    const { model, vendor } = await open(chatAnswer({ content: ANSWER, tool_calls: [CALL] }));
    const { text, toolCalls } = await generateText({
      model,
      prompt: `I am ${MAIL}`,
      tools: tools as ToolSet,
    });
    assert.equal(text, REDACTED);
    assert.deepEqual(toolCalls[0]?.input, { to: '[EMAIL_1]' });
    assert.ok(!JSON.stringify(vendor.bodies).includes(MAIL));
  });

  it('a guarded model of the AI SDK never sends a blocked prompt, and rejects a blocked answer', async () => {
    const { model, vendor } = await open(chatAnswer({ content: BLOCKING }));
    await assert.rejects(generateText({ model, prompt: BLOCKING }), BlockedError);
    assert.equal(vendor.bodies.length, 0);
    await assert.rejects(generateText({ model, prompt: 'Where is it?' }), BlockedError);
    assert.equal(vendor.bodies.length, 1);
  });

  it('a guarded model of the AI SDK redacts a stream and its tool calls', async () => {
    const called = callDeltas();
    const texts = inTokens(ANSWER).map((content) => ({ content }));
    const { model } = await open(chatEvents([...texts, ...called], 'tool_calls'));
    const stream = streamText({
      model,
      prompt: 'Where is it?',
      tools: tools as ToolSet,
      includeRawChunks: true,
    });
    const parts: string[] = [];
    for await (const part of stream.fullStream) {
      assert.ok(!JSON.stringify(part).includes(MAIL), part.type);
      if (part.type === 'text-delta') parts.push(part.text);
    }
    assert.equal(parts.join(''), REDACTED);
    assert.ok(parts.length > 3, String(parts.length));
    assert.deepEqual((await stream.toolCalls)[0]?.input, { to: '[EMAIL_1]' });
  });

  it('a guarded model of the AI SDK numbers placeholders alike in request and answer', async () => {
    const whole = await open(chatAnswer({ content: THIRD_MAIL }));
    const { text } = await generateText({ model: whole.model, prompt: TWO_MAILS });
    assert.equal(text, THIRD_REDACTED);
    await vendor?.close();
    const { model } = await open(chatEvents(inTokens(THIRD_MAIL).map((content) => ({ content }))));
    // Read, as the promise of the text reads no stream in version 5.0.
    let streamed = '';
    for await (const part of streamText({ model, prompt: TWO_MAILS }).textStream) streamed += part;
    assert.equal(streamed, THIRD_REDACTED);
  });

  it('a guarded model of the AI SDK gives tools tokens that can be restored', async () => {
    vendor = await startVendor(() => chatAnswer({ content: '', tool_calls: [CALL] }));
    const redactor = createRedactor({ style: 'token' });
    const model = wrapLanguageModel({
      model: createOpenAI({ apiKey: 'k', baseURL: vendor.url }).chat('m'),
      middleware: guardMiddleware({ guard, redactor }),
    });
    const { toolCalls } = await generateText({
      model,
      prompt: `I am ${MAIL}`,
      tools: tools as ToolSet,
    });
    const { to } = (toolCalls[0] ?? assert.fail()).input as { to: string };
    assert.match(to, /^\[EMAIL_[A-Z]{10}\]$/);
    assert.ok(JSON.stringify(vendor.bodies).includes(to));
    const key = new Uint8Array(32);
    assert.equal(restoreTokens(to, redactor.seal(key), key), MAIL);
  });

  it('a guarded model of the AI SDK passes the rest on where a stream ends without saying so', async () => {
    const came = [
      { type: 'text-start', id: '1' },
      ...inTokens(ANSWER).map((delta) => ({ type: 'text-delta', id: '1', delta })),
      { type: 'tool-input-start', id: 'c', toolName: 'find' },
      { type: 'tool-input-delta', id: 'c', delta: CALL.function.arguments },
    ];
    const { stream } = await guardMiddleware({ guard }).wrapStream({
      params: { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Where is it?' }] }] },
      doStream: async () => ({ stream: ReadableStream.from(came) }),
    });
    const parts: { readonly type: string; readonly delta?: string }[] = [];
    for await (const part of stream) parts.push(part);
    const of = (type: string) =>
      parts.flatMap((part) => (part.type === type ? [part.delta ?? ''] : [])).join('');
    assert.equal(of('text-delta'), REDACTED);
    assert.equal(of('tool-input-delta'), '{"to":"[EMAIL_1]"}');
  });

  it('a guarded model of the AI SDK ends a blocked stream with an error part', async () => {
    const { model } = await open(chatEvents(inTokens(BLOCKING).map((content) => ({ content }))));
    const errors: unknown[] = [];
    const stream = streamText({
      model,
      prompt: 'Where is it?',
      onError: ({ error }) => void errors.push(error),
    });
    let passed = '';
    for await (const text of stream.textStream) passed += text;
    assert.ok(passed.length > 0 && BLOCKING.slice(0, BLOCKING.indexOf('536')).startsWith(passed));
    assert.ok(errors[0] instanceof BlockedError);
    assert.equal(errors[0].violation.code, 'PII_DETECTED');
  });
});
