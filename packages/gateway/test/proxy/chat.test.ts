import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatAnswer, chatEvents, inDeltas } from '@probity/test-support';
import OpenAI from 'openai';
import { LONG, MAIL, PROVIDER_KEY, SSN, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;

/** Status and code of the error that a call of the SDK rejects with. */
async function refusalOf(call: Promise<unknown>): Promise<[number | undefined, unknown]> {
  const error = await call.then(
    () => assert.fail('the call was not refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OpenAI.APIError, String(error));
  return [error.status, error.code];
}

describe('chat completions through the proxy', () => {
  it('a call is passed on with the key of the provider and all that is unknown, and its answer comes back', async (t) => {
    const { client, model, world } = await startProxy(t);
    const answer = await client.chat.completions.create({
      model: 'm',
      messages: [ASKED],
      temperature: 0.5,
      some_later_option: { of: ['tomorrow'] },
    } as never);
    assert.equal(answer.choices[0]?.message.content, 'Hello.');
    assert.equal(answer.usage?.total_tokens, 7);
    const [call] = model.calls;
    assert.equal(call?.path, '/v1/chat/completions');
    assert.equal(call?.headers.authorization, `Bearer ${PROVIDER_KEY}`);
    assert.deepEqual(call?.body.some_later_option, { of: ['tomorrow'] });
    assert.equal(call?.body.temperature, 0.5);
    assert.ok(!world.lines.join('').includes(PROVIDER_KEY));
  });

  it('a caller without a key is refused in the form of the interface', async (t) => {
    const { world, model } = await startProxy(t);
    const client = new OpenAI({ apiKey: 'wrong', baseURL: `${world.url}/v1`, maxRetries: 0 });
    const call = client.chat.completions.create({ model: 'm', messages: [ASKED] });
    assert.deepEqual(await refusalOf(call), [401, 'invalid_api_key']);
    assert.equal(model.calls.length, 0);
  });

  it('only models that are on are called', async (t) => {
    const { client, model } = await startProxy(t);
    for (const name of ['off', 'local/off', 'gpt-unknown', '__proto__']) {
      const call = client.chat.completions.create({ model: name, messages: [ASKED] });
      assert.deepEqual(await refusalOf(call), [404, 'model_not_found']);
    }
    assert.equal(model.calls.length, 0);
    await client.chat.completions.create({ model: 'local/m', messages: [ASKED] });
    assert.equal(model.calls[0]?.body.model, 'm');
  });

  it('what blocks is not sent, wherever in the request it stands', async (t) => {
    const { client, model } = await startProxy(t);
    const text = `Her SSN is ${SSN}.`;
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const inArguments = { ...call, function: { name: 'f', arguments: JSON.stringify({ text }) } };
    const tool = { type: 'function', function: { name: 'f', description: text } };
    const parameters = { type: 'object', properties: { a: { type: 'string', enum: [text] } } };
    const bodies = [
      { messages: [{ role: 'user', content: text }] },
      { messages: [{ role: 'system', content: text }, ASKED] },
      { messages: [{ role: 'developer', content: text }, ASKED] },
      { messages: [{ role: 'user', content: text }, { role: 'assistant', content: 'Ok.' }, ASKED] },
      { messages: [ASKED, { role: 'assistant', content: text }, ASKED] },
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Hi' },
              { type: 'text', text },
            ],
          },
        ],
      },
      { messages: [ASKED, { role: 'assistant', tool_calls: [inArguments] }, ASKED] },
      {
        messages: [
          ASKED,
          { role: 'assistant', tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c1', content: text },
        ],
      },
      { messages: [ASKED], tools: [tool] },
      { messages: [ASKED], tools: [{ type: 'function', function: { name: 'f', parameters } }] },
      { messages: [ASKED], prediction: { type: 'content', content: text } },
      { messages: [ASKED], metadata: { note: text } },
      { messages: [{ ...ASKED, name: text }] },
      { messages: [ASKED, { role: 'assistant', content: 'Ok.', later: { of: [text] } }, ASKED] },
      { messages: [ASKED], some_later_option: [[{ text }]] },
    ];
    for (const body of bodies) {
      const sent = client.chat.completions.create({ model: 'm', ...body } as never);
      assert.deepEqual(await refusalOf(sent), [403, 'PII_DETECTED'], JSON.stringify(body));
    }
    assert.equal(model.calls.length, 0);
  });

  it('a blocked answer is not passed on, in whichever choice and form', async (t) => {
    const { client, model } = await startProxy(t);
    const text = `Her SSN is ${SSN}.`;
    const inCall = {
      id: 'c1',
      type: 'function',
      function: { name: 'f', arguments: JSON.stringify({ text }) },
    };
    for (const answer of [
      chatAnswer(text),
      chatAnswer('Fine.', text),
      chatAnswer({ content: null, refusal: text }),
      chatAnswer({ content: null, tool_calls: [inCall] }),
      chatAnswer({ content: 'Hi', reasoning_content: text }),
    ]) {
      model.answer(() => answer);
      const call = client.chat.completions.create({ model: 'm', messages: [ASKED] });
      assert.deepEqual(await refusalOf(call), [403, 'PII_DETECTED'], JSON.stringify(answer));
    }
  });

  it('the error of a block names the policy, and is not tried again', async (t) => {
    const { post } = await startProxy(t);
    const body = { model: 'm', messages: [{ role: 'user', content: `SSN ${SSN}` }] };
    const { status, headers, text } = await post('/v1/chat/completions', body);
    assert.equal(status, 403);
    assert.equal(headers.get('x-should-retry'), 'false');
    assert.match(headers.get('x-probity-config-hash') ?? '', /^[0-9a-f]{16}$/);
    const answer = JSON.parse(text);
    assert.equal(answer.error.type, 'probity_blocked');
    assert.equal(answer.governance.policy_id, 'pol_gateway');
    assert.ok(!text.includes(SSN));
  });

  it('a stream is passed on whole, with characters cut anywhere', async (t) => {
    const { client, model } = await startProxy(t);
    const text = `${LONG}😀 äöü 汉字 👩‍👩‍👧 ${LONG}`;
    const events = chatEvents(inDeltas(text, 1));
    model.answer(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of Buffer.from(events.join(''))) response.write(Buffer.from([byte]));
      response.end();
      return undefined;
    });
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: [ASKED],
      stream: true,
    });
    let received = '';
    for await (const chunk of stream) received += chunk.choices[0]?.delta.content ?? '';
    assert.equal(received, text);
  });

  it('nothing of a finding in a stream is passed on, wherever it is cut', async (t) => {
    const { post, model } = await startProxy(t);
    const text = `${LONG}Her SSN is ${SSN}. ${LONG}`;
    for (const length of [1, 2, 3, 5, 7, 11, 1_000_000]) {
      model.answer(() => chatEvents(inDeltas(text, length)));
      const body = { model: 'm', messages: [ASKED], stream: true };
      const { status, text: received } = await post('/v1/chat/completions', body);
      assert.equal(status, 200);
      const parts = [...received.matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
        data === '[DONE]' ? {} : JSON.parse(data),
      );
      const passed = parts.map((part) => part.choices?.[0]?.delta?.content ?? '').join('');
      assert.ok(text.startsWith(passed));
      assert.ok(!passed.includes('536'), `${length}: ${passed.slice(-40)}`);
      assert.equal(parts.at(-1).error.code, 'PII_DETECTED');
      assert.ok(!received.includes('[DONE]'));
    }
  });

  it('the SDK throws the block of a stream', async (t) => {
    const { client, model } = await startProxy(t);
    model.answer(() => chatEvents(inDeltas(`${LONG}Her SSN is ${SSN}.`)));
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: [ASKED],
      stream: true,
    });
    await assert.rejects(async () => {
      for await (const _ of stream);
    }, /Blocked by policy: pii_scanner found ssn.*\(in the answer\)/);
  });

  it('tool calls in a stream are passed on whole, and not where they block', async (t) => {
    const { client, model } = await startProxy(t);
    const deltasOf = (args: string) =>
      [...args].map((sign, at) => ({
        tool_calls: [
          {
            index: 0,
            ...(at === 0 ? { id: 'c1', type: 'function' } : {}),
            function: { ...(at === 0 ? { name: 'f' } : {}), arguments: sign },
          },
        ],
      }));
    const ask = () =>
      client.chat.completions.create({ model: 'm', messages: [ASKED], stream: true });
    model.answer(() => chatEvents(deltasOf('{"place":"Rome 😀"}'), 'tool_calls'));
    let args = '';
    for await (const chunk of await ask()) {
      args += chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '';
    }
    assert.equal(args, '{"place":"Rome 😀"}');
    model.answer(() => chatEvents(deltasOf(JSON.stringify({ ssn: SSN })), 'tool_calls'));
    await assert.rejects(async () => {
      for await (const chunk of await ask()) assert.ok(!JSON.stringify(chunk).includes('536'));
    }, /pii_scanner/);
  });

  it('what cannot be read is refused before anything is sent', async (t) => {
    const { post, model } = await startProxy(t);
    const twice = '{"model":"m","messages":[{"role":"user","content":"a"}],"messages":[]}';
    for (const [body, status] of [
      [twice, 400],
      ['{"model":"m"}', 400],
      ['[]', 400],
      ['{"model":1,"messages":[]}', 400],
      ['{"model":"m","messages":[{"role":"robot","content":"a"}]}', 400],
      ['{"model":"m","messages":[{"role":"user","content":1}]}', 400],
      ['no JSON', 400],
    ] as const) {
      const answer = await post('/v1/chat/completions', body);
      assert.equal(answer.status, status, body);
      assert.equal(JSON.parse(answer.text).error.type, 'invalid_request_error', body);
    }
    assert.equal(model.calls.length, 0);
  });

  it('errors of the provider come in the form of the interface, without its key', async (t) => {
    const { client, model, world } = await startProxy(t);
    const fail = (status: number, body: string, headers: Record<string, string> = {}) =>
      model.answer(({ response }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(body);
        return undefined;
      });
    const ask = () => client.chat.completions.create({ model: 'm', messages: [ASKED] });
    fail(400, JSON.stringify({ error: { message: 'too hot', code: 'bad', param: 'temperature' } }));
    assert.deepEqual(await refusalOf(ask()), [400, 'bad']);
    fail(401, JSON.stringify({ error: { message: `Incorrect key ${PROVIDER_KEY}` } }));
    assert.deepEqual(await refusalOf(ask()), [502, 'upstream_refused']);
    fail(404, JSON.stringify({ error: { message: `no ${PROVIDER_KEY}` } }));
    await assert.rejects(ask(), (error: Error) => !error.message.includes(PROVIDER_KEY));
    fail(200, 'no JSON');
    assert.deepEqual(await refusalOf(ask()), [502, 'upstream_broken']);
    assert.ok(!world.lines.join('').includes(PROVIDER_KEY));
    assert.ok(!world.lines.join('').includes('Incorrect key'));
  });

  it('a client that leaves ends the call to the model', async (t) => {
    const { client, model } = await startProxy(t);
    const closed = new Promise<void>((resolve) => {
      model.answer(({ response }) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chatEvents([])[0]);
        return undefined;
      });
    });
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: [ASKED],
      stream: true,
    });
    for await (const _ of stream) break;
    await closed;
  });

  it('a request and its answer are counted and logged as scans, each finding once', async (t) => {
    const { client, model, world } = await startProxy(t);
    model.answer(() => chatAnswer(`Write to ${MAIL}.`));
    await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'I am bob@example.net.' }],
    });
    const scans = world.records().filter(({ message }) => message === 'scan');
    assert.deepEqual(
      scans.map(({ result, detections }) => [result, (detections as { pii: number }).pii]),
      [
        ['flagged', 1],
        ['flagged', 1],
      ],
    );
    assert.match(await world.metrics(), /gateway_pii_detections_total\{type="email"\} 2/);
  });
});
