import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { chatAnswer, chatEvents, inDeltas, testCertificate } from '@probity/test-support';
import type { ToolSet } from 'ai';
import { APICallError, generateText, jsonSchema, streamText, tool } from 'ai';
import { LONG, providerText, SSN, startProxy } from './proxy-world.ts';

// The types of the SDK do not go with exactOptionalPropertyTypes.
const tools: object = {
  find: tool({
    inputSchema: jsonSchema<{ place: string }>({
      type: 'object',
      properties: { place: { type: 'string' } },
    }),
  }),
};

describe('the AI SDK through the proxy', () => {
  it('generates texts and tool calls, streamed or not', async (t) => {
    const { world, model } = await startProxy(t);
    const provider = createOpenAI({ apiKey: world.token, baseURL: `${world.url}/v1` });
    const chat = provider.chat('m');
    const call = { name: 'find', arguments: '{"place":"Rome"}' };
    model.answer(() =>
      chatAnswer({ content: 'Hi.', tool_calls: [{ id: 'c1', type: 'function', function: call }] }),
    );
    const generated = await generateText({
      model: chat,
      prompt: 'Where?',
      tools: tools as ToolSet,
    });
    assert.equal(generated.text, 'Hi.');
    assert.deepEqual(generated.toolCalls[0]?.input, { place: 'Rome' });
    model.answer(() => chatEvents(inDeltas(LONG)));
    const { textStream } = streamText({ model: chat, prompt: 'Where?' });
    let text = '';
    for await (const part of textStream) text += part;
    assert.equal(text, LONG);
  });

  it('gets a block as an error of the call, once, and within a stream', async (t) => {
    const { world, model } = await startProxy(t);
    const provider = createOpenAI({ apiKey: world.token, baseURL: `${world.url}/v1` });
    const chat = provider.chat('m');
    const blocked = generateText({ model: chat, prompt: `Her SSN is ${SSN}.` });
    await assert.rejects(blocked, (error: unknown) => {
      assert.ok(APICallError.isInstance(error), String(error));
      assert.equal(error.statusCode, 403);
      assert.match(error.message, /pii_scanner found ssn/);
      return true;
    });
    assert.equal(model.calls.length, 0);
    model.answer(() => chatEvents(inDeltas(`${LONG}Her SSN is ${SSN}. ${LONG}`)));
    const errors: unknown[] = [];
    const { fullStream } = streamText({
      model: chat,
      prompt: 'Where?',
      onError: ({ error }) => void errors.push(error),
    });
    let passed = '';
    for await (const part of fullStream) if (part.type === 'text-delta') passed += part.text;
    assert.ok(!passed.includes('536'));
    assert.match(JSON.stringify(errors), /PII_DETECTED/);
  });
});

describe('a provider over HTTPS', () => {
  it('is called when its certificate is trusted, and only then', async (t) => {
    const { key, certificate, authority } = await testCertificate();
    const server = createServer({ key, cert: certificate }, (request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(chatAnswer('Over TLS.')));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const models = () => `${providerText(`https://127.0.0.1:${port}/v1`)}  retries: 0\n`;
    const body = { model: 'm', messages: [{ role: 'user', content: 'Where?' }] };
    const trusting = await startProxy(t, { models, upstream: { ca: authority } });
    const answer = await trusting.post('/v1/chat/completions', body);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /Over TLS/);
    const other = await startProxy(t, { models });
    const refused = await other.post('/v1/chat/completions', body);
    assert.equal(refused.status, 502);
    assert.equal(JSON.parse(refused.text).error.code, 'upstream_unreachable');
  });
});
