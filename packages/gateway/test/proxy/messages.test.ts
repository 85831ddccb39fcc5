import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import type { TestLifetime } from '@probity/test-support';
import {
  deltasOf,
  messageAnswer,
  messageEvents,
  TEXT_BLOCK,
  TOOL_BLOCK,
} from '@probity/test-support';
import { LONG, PROVIDER_KEY, SSN, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;
const CALL = { model: 'm', max_tokens: 100, messages: [ASKED] };

async function start(t: TestLifetime) {
  const proxy = await startProxy(t);
  const client = new Anthropic({
    apiKey: proxy.world.token,
    baseURL: proxy.world.url,
    maxRetries: 0,
  });
  return { ...proxy, client };
}

describe('messages through the proxy', () => {
  it('the Anthropic SDK gets messages with a key in x-api-key, whole and streamed', async (t) => {
    const { client, model } = await start(t);
    model.answer(() => messageAnswer({ type: 'text', text: 'In Rome.' }));
    const answer = await client.messages.create(CALL);
    assert.deepEqual(answer.content, [{ type: 'text', text: 'In Rome.' }]);
    const [sent] = model.calls;
    assert.equal(sent?.path, '/v1/messages');
    assert.equal(sent?.headers['x-api-key'], PROVIDER_KEY);
    assert.match(String(sent?.headers['anthropic-version']), /^\d{4}-\d\d-\d\d$/);
    assert.equal(sent?.headers.authorization, undefined);
    assert.deepEqual(sent?.body, CALL);
    const text = `${LONG}😀 In Rome. ${LONG}`;
    model.answer(() =>
      messageEvents([
        [TEXT_BLOCK, deltasOf('text_delta', 'text', text, 3)],
        [TOOL_BLOCK, deltasOf('input_json_delta', 'partial_json', '{"place":"Rome 😀"}', 3)],
      ]),
    );
    const { content, usage } = await client.messages.stream(CALL).finalMessage();
    assert.deepEqual(content, [
      { type: 'text', text },
      { ...TOOL_BLOCK, input: { place: 'Rome 😀' } },
    ]);
    assert.equal(usage.output_tokens, 9);
    model.answer(() => ({ input_tokens: 7 }));
    const counted = await client.messages.countTokens({ model: 'm', messages: [ASKED] });
    assert.equal(counted.input_tokens, 7);
  });

  it('a block of a request or an answer is an error of the interface, and nothing is sent', async (t) => {
    const { client, model, post } = await start(t);
    const blocked = (error: unknown) => {
      const { status, error: body } = error as InstanceType<typeof Anthropic.APIError>;
      const { error: said } = body as { error: { type: string; code: string } };
      assert.deepEqual([status, said.type, said.code], [403, 'probity_blocked', 'PII_DETECTED']);
      return true;
    };
    const text = `Her SSN is ${SSN}.`;
    for (const more of [
      { messages: [{ role: 'user', content: text }] },
      { system: [{ type: 'text', text }] },
      { tools: [{ name: 'f', description: text, input_schema: { type: 'object' } }] },
      { stop_sequences: [text] },
    ]) {
      await assert.rejects(client.messages.create({ ...CALL, ...more } as typeof CALL), blocked);
    }
    assert.equal(model.calls.length, 0);
    model.answer(() => messageAnswer({ type: 'text', text }));
    await assert.rejects(client.messages.create(CALL), blocked);
    model.answer(() => messageEvents([[TEXT_BLOCK, deltasOf('text_delta', 'text', LONG + text)]]));
    const { text: received } = await post('/v1/messages', { ...CALL, stream: true });
    assert.ok(!received.includes('536'));
    assert.match(received, /event: error\ndata: \{"type":"error","error":\{.*"probity_blocked"/);
    assert.ok(!received.includes('message_stop'));
    await assert.rejects(client.messages.stream(CALL).finalMessage(), /pii_scanner found ssn/);
  });

  it('a missing key and a model that is not on are errors of the interface', async (t) => {
    const { world, client } = await start(t);
    const stranger = new Anthropic({ apiKey: 'none', baseURL: world.url, maxRetries: 0 });
    await assert.rejects(stranger.messages.create(CALL), Anthropic.AuthenticationError);
    await assert.rejects(
      client.messages.create({ ...CALL, model: 'off' }),
      (error) => error instanceof Anthropic.NotFoundError && error.type === 'not_found_error',
    );
  });
});
