import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { providerText, startProxy } from './proxy-world.ts';

const PATH = '/v1/chat/completions';
const ASKED = { role: 'user', content: 'Where is my parcel?' };
const CALL = { model: 'm', messages: [ASKED] };
const IMAGE = [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }];

describe('members that servers in Go and .NET take for others, by their letter case', () => {
  const refused: readonly (readonly [param: string, body: object, path?: string])[] = [
    ['Model', { ...CALL, Model: 'off' }],
    ['Model', { Model: 'off', messages: [ASKED] }, '/openai/deployments/m/chat/completions'],
    ['Max_Tokens', { ...CALL, Max_Tokens: 100_000 }],
    ['meſſages', { ...CALL, meſſages: [{ role: 'user', content: IMAGE }] }],
    ['Temperature', { ...CALL, temperature: 0, Temperature: 1 }],
    ['messages[0].Content', { ...CALL, messages: [{ ...ASKED, Content: IMAGE }] }],
    [
      'messages[0].content[0].Type',
      {
        model: 'm',
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Hi', Type: 'image_url', ...IMAGE[0] }] },
        ],
      },
    ],
    ['input[0].Role', { model: 'm', input: [{ ...ASKED, Role: 'system' }] }, '/v1/responses'],
  ];
  for (const [param, body, path = PATH] of refused) {
    it(`are refused: ${param} at ${path}`, async (t) => {
      const { post, model } = await startProxy(t);
      const { status, text } = await post(path, body);
      assert.equal(status, 400);
      assert.equal(JSON.parse(text).error.param, param);
      assert.equal(model.calls.length, 0);
    });
  }

  it('pass in values of tools, and where they are names of their own', async (t) => {
    const { post, model } = await startProxy(t, {
      models: (url) => `${providerText(url)}  media: pass\n`,
    });
    const use = { type: 'tool_use', id: 't1', name: 'sum', input: { A: 1, a: 2 } };
    const parameters = { type: 'object', properties: { ID: {}, id: {} } };
    const body = {
      ...CALL,
      messages: [ASKED, { role: 'assistant', content: [use] }, ASKED],
      tools: [{ type: 'function', function: { name: 'sum', parameters } }],
      topK: 4,
    };
    assert.equal((await post(PATH, body)).status, 200);
    assert.deepEqual(model.calls[0]?.body, body);
  });
});
