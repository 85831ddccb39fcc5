import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatAnswer } from '@probity/test-support';
import OpenAI, { AzureOpenAI } from 'openai';
import { LONG, PROVIDER_KEY, providerText, SSN, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;
const BLOCKS = { status: 403, code: 'PII_DETECTED' };
const MESSAGE = { type: 'message', id: 'm1', role: 'assistant', status: 'completed' } as const;

/** A response of the model with one text. */
function responseOf(text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id: 'r', object: 'response', created_at: 1, output: [{ ...MESSAGE, content }] };
}

/** The events of a streamed response with one text, in parts of three letters. */
function responseEvents(text: string): string[] {
  const whole = responseOf(text);
  const at = { item_id: 'm1', output_index: 0, content_index: 0 };
  const parts = text.match(/[\s\S]{1,3}/g) ?? [];
  const [item] = whole.output;
  return [
    { type: 'response.created', response: { ...whole, output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...MESSAGE, content: [] } },
    { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '' } },
    ...parts.map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part: item?.content[0] },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

describe('responses through the proxy', () => {
  it('a response is asked for and given, and what blocks is neither', async (t) => {
    const { client, model } = await startProxy(t);
    model.answer(() => responseOf('In Rome.'));
    const answer = await client.responses.create({
      model: 'm',
      instructions: 'Be brief.',
      input: 'Where?',
    });
    assert.equal(answer.output_text, 'In Rome.');
    assert.equal(model.calls[0]?.path, '/v1/responses');
    const text = `Her SSN is ${SSN}.`;
    for (const body of [
      { input: text },
      { instructions: text, input: 'Hi' },
      { input: [{ role: 'user', content: [{ type: 'input_text', text }] }] },
      { input: [{ type: 'function_call_output', call_id: 'c', output: text }] },
      { input: 'Hi', tools: [{ type: 'function', name: 'f', description: text, parameters: {} }] },
      { input: 'Hi', prompt: { id: 'p', variables: { name: text } } },
    ]) {
      const call = client.responses.create({ model: 'm', ...body } as never);
      await assert.rejects(call as Promise<unknown>, BLOCKS, JSON.stringify(body));
    }
    assert.equal(model.calls.length, 1);
    model.answer(() => responseOf(text));
    await assert.rejects(client.responses.create({ model: 'm', input: 'Where?' }), BLOCKS);
  });

  it('a streamed response is passed on whole, and ends before a finding', async (t) => {
    const { client, model } = await startProxy(t);
    const read = async (text: string) => {
      model.answer(() => responseEvents(text));
      const stream = await client.responses.create({ model: 'm', input: 'Where?', stream: true });
      let passed = '';
      let done = '';
      try {
        for await (const event of stream) {
          assert.ok(!JSON.stringify(event).includes('536-22'));
          if (event.type === 'response.output_text.delta') passed += event.delta;
          if (event.type === 'response.completed') done = 'completed';
        }
      } catch (error) {
        done = (error as Error).message;
      }
      return { passed, done };
    };
    const text = `${LONG}In Rome. 😀 ${LONG}`;
    assert.deepEqual(await read(text), { passed: text, done: 'completed' });
    const blocked = await read(`${LONG}Her SSN is ${SSN}. ${LONG}`);
    assert.match(blocked.done, /Blocked by policy/);
    assert.ok(!blocked.passed.includes('536'));
  });
});

describe('embeddings through the proxy', () => {
  it('texts are embedded, and what blocks is not sent', async (t) => {
    const { client, model } = await startProxy(t);
    const data = [{ object: 'embedding', index: 0, embedding: [0.25, 0.5] }];
    model.answer(() => ({ object: 'list', model: 'm', data, usage: { total_tokens: 2 } }));
    const ask = (input: string | string[] | number[]) =>
      client.embeddings.create({ model: 'm', input, encoding_format: 'float' });
    assert.deepEqual((await ask(['one', 'two'])).data[0]?.embedding, [0.25, 0.5]);
    assert.deepEqual(model.calls[0]?.body.input, ['one', 'two']);
    assert.equal(model.calls[0]?.path, '/v1/embeddings');
    await ask('one');
    assert.equal(model.calls[1]?.body.input, 'one');
    await assert.rejects(ask(['one', `Her SSN is ${SSN}.`]), BLOCKS);
    await assert.rejects(ask([1, 2, 3]), { status: 403, code: 'POLICY_BLOCKED' });
    assert.equal(model.calls.length, 2);
  });
});

describe('a deployment of Azure', () => {
  it('is called by its name, with its version and its key, by the SDK for Azure as well', async (t) => {
    const { world, model, client } = await startProxy(t, {
      models: (url) =>
        providerText(url.replace(/\/v1$/, ''), [
          'deployment: rome-4o',
          "api_version: '2025-01-31'",
        ]),
    });
    const azure = new AzureOpenAI({
      apiKey: world.token,
      endpoint: world.url,
      apiVersion: '2024-10-21',
      deployment: 'rome-4o',
      maxRetries: 0,
    });
    await azure.chat.completions.create({ model: 'rome-4o', messages: [ASKED] });
    await client.chat.completions.create({ model: 'm', messages: [ASKED] });
    for (const { path, headers, body } of model.calls) {
      assert.equal(path, '/openai/deployments/rome-4o/chat/completions?api-version=2025-01-31');
      assert.equal(headers['api-key'], PROVIDER_KEY);
      assert.equal(headers.authorization, undefined);
      assert.equal(body.model, 'rome-4o');
    }
    assert.equal(model.calls.length, 2);
    const blocked = { model: 'm', messages: [{ role: 'user', content: `SSN ${SSN}` }] } as const;
    await assert.rejects(azure.chat.completions.create(blocked as never), BLOCKS);
    const wrong = new AzureOpenAI({
      ...{ apiKey: 'wrong', endpoint: world.url, apiVersion: '2024-10-21', deployment: 'rome-4o' },
      maxRetries: 0,
    });
    const refused = wrong.chat.completions.create({ model: 'rome-4o', messages: [ASKED] });
    await assert.rejects(refused, { status: 401 });
    assert.equal(model.calls.length, 2);
  });
});

describe('the list of models', () => {
  it('has the models that are on, of the providers that are on', async (t) => {
    const { client, world } = await startProxy(t);
    const { data } = await client.models.list();
    assert.deepEqual(
      data.map(({ id, owned_by }) => [id, owned_by]),
      [['m', 'local']],
    );
    assert.equal((await client.models.retrieve('m')).id, 'm');
    await assert.rejects(client.models.retrieve('off'), { status: 404, code: 'model_not_found' });
    const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${world.url}/v1`, maxRetries: 0 });
    await assert.rejects(async () => stranger.models.list(), { status: 401 });
  });

  it('has models whose names are no ASCII, and the header names them percent-encoded', async (t) => {
    const { post } = await startProxy(t, {
      models: (url) => providerText(url).replace('m: {enabled: true}', 'modèle-я: {enabled: true}'),
    });
    for (const stream of [false, true]) {
      const messages = [{ role: 'user', content: 'Hello.' }];
      const { status, headers } = await post('/v1/chat/completions', {
        model: 'modèle-я',
        messages,
        stream,
      });
      assert.equal(status, 200);
      assert.equal(headers.get('x-probity-model'), 'local/mod%C3%A8le-%D1%8F');
    }
  });

  it('a provider that is off has none', async (t) => {
    const { client } = await startProxy(t, {
      models: (url) => providerText(url).replace('enabled: true', 'enabled: false'),
    });
    assert.deepEqual((await client.models.list()).data, []);
    const call = client.chat.completions.create({ model: 'm', messages: [ASKED] });
    await assert.rejects(call, { status: 404 });
  });
});

describe('images and files', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image, image] }],
  };
  const withMedia = (media: string) => (url: string) => `${providerText(url)}  media: ${media}\n`;

  it('are refused by default, with an error that names the key', async (t) => {
    const { post, model } = await startProxy(t);
    const { status, text } = await post('/v1/chat/completions', body);
    assert.equal(status, 403);
    assert.equal(JSON.parse(text).error.code, 'POLICY_BLOCKED');
    assert.match(text, /models\.media refuses image_url/);
    assert.equal(model.calls.length, 0);
  });

  for (const [media, result] of [
    ['flag', 'flagged'],
    ['pass', 'allowed'],
  ] as const) {
    it(`${media} passes them on and names them in a header`, async (t) => {
      const { post, model, world } = await startProxy(t, { models: withMedia(media) });
      model.answer(() => chatAnswer('A cat.'));
      const { status, headers } = await post('/v1/chat/completions', body);
      assert.equal(status, 200);
      assert.equal(headers.get('x-probity-unscanned'), 'image_url=2');
      assert.deepEqual(model.calls[0]?.body.messages, body.messages);
      const [scan] = world.records().filter(({ message }) => message === 'scan');
      assert.equal(scan?.result, result);
    });
  }
});

describe('the address of a provider', () => {
  it('rejects a call of a provider without an address, naming the key', async (t) => {
    const { post, model } = await startProxy(t, {
      models: () => 'models: {providers: {mine: {enabled: true, models: {m: {enabled: true}}}}}\n',
    });
    const { status, text } = await post('/v1/chat/completions', { model: 'm', messages: [ASKED] });
    assert.equal(status, 503);
    const { code, message } = JSON.parse(text).error;
    assert.equal(code, 'provider_without_address');
    assert.match(message, /Set models\.providers\.mine\.base_url/);
    assert.equal(model.calls.length, 0);
  });

  it('a fallback answers for a provider without an address', async (t) => {
    const { post } = await startProxy(t, {
      models: (url) =>
        `${providerText(url)}    mine: {enabled: true, models: {other: {enabled: true}}}\n` +
        '  fallbacks: [{model: other, to: [m]}]\n',
    });
    const body = { model: 'other', messages: [ASKED] };
    const { status, headers } = await post('/v1/chat/completions', body);
    assert.equal(status, 200);
    assert.equal(headers.get('x-probity-model'), 'local/m');
  });

  it("Azure's calls go to the deployment, else to one with the name of the model", async (t) => {
    for (const [more, path] of [
      [
        ['api_version: 2024-02-01'],
        '/openai/deployments/m/chat/completions?api-version=2024-02-01',
      ],
      [['deployment: d'], '/openai/deployments/d/chat/completions?api-version=2024-10-21'],
    ] as const) {
      const { post, model } = await startProxy(t, { models: (url) => providerText(url, more) });
      const { status } = await post('/v1/chat/completions', { model: 'm', messages: [ASKED] });
      assert.equal(status, 200);
      const paths = model.calls.map((call) => call.path);
      assert.ok(
        paths.some((called) => called.endsWith(path)),
        paths.join(', '),
      );
    }
  });
});
