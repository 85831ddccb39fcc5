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

/** The events of a streamed response with one text, as OpenAI numbers them. */
function numberedEvents(text: string): string[] {
  const at = { item_id: 'm1', output_index: 0, content_index: 0 };
  const message = { type: 'message', id: 'm1', role: 'assistant', status: 'in_progress' };
  const response = { id: 'r', object: 'response', created_at: 1, model: 'm', output: [] };
  const part = { type: 'output_text', text: '', annotations: [] };
  return [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
    { type: 'response.content_part.added', ...at, part },
    ...(text.match(/[\s\S]{1,4}/g) ?? []).map((delta) => {
      return { type: 'response.output_text.delta', ...at, delta, logprobs: [] };
    }),
  ].map((event, sequence_number) => {
    return `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`;
  });
}

describe('the Responses interface through the proxy', () => {
  it('ends a stream with an error that the AI SDK reads', async (t) => {
    const { world, model } = await startProxy(t);
    const provider = createOpenAI({ apiKey: world.token, baseURL: `${world.url}/v1` });
    model.answer(() => numberedEvents(`${LONG}Her SSN is ${SSN}. ${LONG}`));
    const errors: string[] = [];
    const { textStream } = streamText({
      model: provider('m'),
      prompt: 'Where?',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(String((error as Error).message)),
    });
    let passed = '';
    for await (const part of textStream) passed += part;
    assert.ok(LONG.startsWith(passed) && passed.length > 200, passed);
    assert.equal(errors.length, 1, JSON.stringify(errors));
    assert.match(String(errors[0]), /^Blocked by policy: pii_scanner found ssn/);
  });

  it('numbers the error after the last event that was passed on', async (t) => {
    const { post, model } = await startProxy(t);
    const read = async (events: string[]) => {
      model.answer(() => events);
      const body = { model: 'm', input: 'Where?', stream: true };
      const { text } = await post('/v1/responses', body);
      return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    };
    const [last, error] = (await read(numberedEvents(`${LONG}Her SSN is ${SSN}. ${LONG}`))).slice(
      -2,
    );
    assert.equal(last.type, 'response.output_text.delta');
    assert.equal(error.type, 'error');
    assert.equal(error.sequence_number, last.sequence_number + 1);
    const [only, ...more] = await read(['data: no JSON\n\n']);
    assert.deepEqual([only.code, only.sequence_number, more], ['upstream_broken', 0, []]);
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
