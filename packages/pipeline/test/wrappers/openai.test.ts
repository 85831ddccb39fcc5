import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { chatAnswer, chatEvents } from '@probity/test-support';
import OpenAI from 'openai';
import { BlockedError, createRedactor, restoreTokens } from '../../src/index.ts';
import { createGuardedFetch, guardOpenAI } from '../../src/wrappers/openai.ts';
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

const ASKED = [{ role: 'user' as const, content: `I am ${MAIL}. Where is my parcel?` }];
const BLOCKED = { name: 'BlockedError', message: 'blocked: pii_scanner found ssn' };

let vendor: VendorServer | undefined;

describe('guardOpenAI', LIMIT, () => {
  afterEach(async () => vendor?.close());

  async function open(answer: VendorAnswer) {
    vendor = await startVendor(() => answer);
    const client = new OpenAI({ apiKey: 'k', baseURL: vendor.url, maxRetries: 2 });
    return { client: guardOpenAI(client, { guard, maxWork: 4 }), vendor };
  }

  it('a guarded OpenAI client redacts chat completions and what it sends', async () => {
    const { client, vendor } = await open(chatAnswer({ content: ANSWER, tool_calls: [CALL] }));
    const { choices } = await client.chat.completions.create({ model: 'm', messages: ASKED });
    assert.equal(vendor.bodies[0].messages[0].content, 'I am [EMAIL_1]. Where is my parcel?');
    assert.equal(vendor.bodies[0].model, 'm');
    assert.equal(choices[0]?.message.content, REDACTED);
    const [call] = choices[0]?.message.tool_calls ?? [];
    assert.equal(call?.type === 'function' && call.function.arguments, '{"to":"[EMAIL_1]"}');
  });

  it('a guarded OpenAI client numbers placeholders alike in request and answer', async () => {
    const messages = [{ role: 'user' as const, content: TWO_MAILS }];
    const whole = await open(chatAnswer({ content: THIRD_MAIL }));
    const answer = await whole.client.chat.completions.create({ model: 'm', messages });
    assert.equal(answer.choices[0]?.message.content, THIRD_REDACTED);
    await vendor?.close();
    const deltas = inTokens(THIRD_MAIL).map((content) => ({ content }));
    const { client } = await open(chatEvents(deltas));
    let streamed = '';
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    for await (const { choices } of stream) streamed += choices[0]?.delta.content ?? '';
    assert.equal(streamed, THIRD_REDACTED);
  });

  it('a guarded OpenAI client takes a redactor, whose tokens can be restored', async () => {
    const opened = await startVendor(() =>
      chatEvents(inTokens(ANSWER).map((content) => ({ content }))),
    );
    vendor = opened;
    const redactor = createRedactor({ style: 'token' });
    const plain = new OpenAI({ apiKey: 'k', baseURL: opened.url });
    const client = guardOpenAI(plain, { guard, redactor });
    let streamed = '';
    const call = { model: 'm', messages: ASKED };
    const stream = await client.chat.completions.create({ ...call, stream: true });
    for await (const { choices } of stream) streamed += choices[0]?.delta.content ?? '';
    assert.match(streamed, /Write to \[EMAIL_[A-Z]{10}\] about/);
    const key = new Uint8Array(32);
    assert.equal(restoreTokens(streamed, redactor.seal(key), key), ANSWER);
    const { content } = opened.bodies[0].messages[0];
    assert.equal(restoreTokens(content, redactor.seal(key), key), ASKED[0]?.content);
    assert.throws(() => guardOpenAI(plain, { redactor: { style: 'token' } as never }), {
      message: 'guardOpenAI: redactor must be made by createRedactor(); got object.',
    });
  });

  it('a guarded OpenAI client gives no log odds of what it redacts, and reads reasoning beside the answer', async () => {
    const logprobs = { content: [{ token: MAIL, logprob: -1, bytes: null, top_logprobs: [] }] };
    const answered = chatAnswer({ content: ANSWER, reasoning_content: `They gave ${MAIL}.` });
    const { choices } = answered as { choices: object[] };
    const { client } = await open({ ...answered, choices: [{ ...choices[0], logprobs }] });
    const answer = await client.chat.completions.create({ model: 'm', messages: ASKED });
    assert.ok(!JSON.stringify(answer).includes(MAIL));
    await vendor?.close();
    const part = { type: 'output_text', text: ANSWER, annotations: [], logprobs: logprobs.content };
    const output = [{ type: 'message', id: 'm1', role: 'assistant', content: [part] }];
    const responses = await open({ id: 'r', object: 'response', output });
    const response = await responses.client.responses.create({ model: 'm', input: 'Where?' });
    assert.ok(!JSON.stringify(response).includes(MAIL));
    assert.equal(response.output_text, REDACTED);
  });

  it('a guarded OpenAI client never sends a blocked prompt, and rejects a blocked answer once', async () => {
    const { client, vendor } = await open(chatAnswer({ content: BLOCKING }));
    const blocked = [{ role: 'user' as const, content: BLOCKING }];
    await assert.rejects(
      client.chat.completions.create({ model: 'm', messages: blocked }),
      BLOCKED,
    );
    await assert.rejects(client.responses.create({ model: 'm', input: BLOCKING }), BLOCKED);
    const instructions = BLOCKING;
    await assert.rejects(
      client.responses.create({ model: 'm', instructions, input: 'a' }),
      BLOCKED,
    );
    assert.equal(vendor.bodies.length, 0);
    await assert.rejects(
      client.chat.completions.create({ model: 'm', messages: ASKED }),
      (error) => error instanceof BlockedError && error.violation.code === 'PII_DETECTED',
    );
    assert.equal(vendor.bodies.length, 1);
    const wrong = [{ role: 'user', content: 7 }] as never;
    await assert.rejects(client.chat.completions.create({ model: 'm', messages: wrong }), {
      status: 400,
      message: '400 messages.0.content: expected a text or a list of parts; got number',
    });
  });

  it('a guarded OpenAI client redacts a streamed chat completion and its tool calls', async () => {
    const called = callDeltas();
    const texts = inTokens(ANSWER).map((content) => ({ content }));
    const { client } = await open(chatEvents([...texts, ...called], 'tool_calls'));
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: ASKED,
      stream: true,
    });
    const parts: string[] = [];
    let args = '';
    let reason: string | null | undefined;
    for await (const { choices } of stream) {
      const { delta, finish_reason } = choices[0] ?? assert.fail();
      if (delta.content) parts.push(delta.content);
      args += delta.tool_calls?.[0]?.function?.arguments ?? '';
      reason = finish_reason ?? reason;
    }
    assert.equal(parts.join(''), REDACTED);
    assert.ok(parts.length > 3, String(parts.length));
    assert.deepEqual([args, reason], ['{"to":"[EMAIL_1]"}', 'tool_calls']);
    const whole = await client.chat.completions
      .stream({ model: 'm', messages: ASKED })
      .finalContent();
    assert.equal(whole, REDACTED);
  });

  it('a guarded OpenAI client redacts streamed calls of custom tools and of functions', async () => {
    const custom = (input: string, more = {}) => ({
      tool_calls: [{ index: 0, ...more, custom: { input } }],
    });
    const [first = '', ...rest] = inTokens(`mail ${MAIL} now`);
    const called = [
      custom(first, { id: 'c1', type: 'custom' }),
      ...rest.map((text) => custom(text)),
    ];
    const { client } = await open(chatEvents(called, 'tool_calls'));
    const ask = () =>
      client.chat.completions.create({ model: 'm', messages: ASKED, stream: true as const });
    const deltas: unknown[] = [];
    for await (const { choices } of await ask()) deltas.push(choices[0]?.delta.tool_calls?.[0]);
    assert.deepEqual(
      deltas.filter((delta) => delta !== undefined),
      [{ index: 0, id: 'c1', type: 'custom', custom: { input: 'mail [EMAIL_1] now' } }],
    );
    await vendor?.close();
    const parts = inTokens(CALL.function.arguments).map((text, at) => ({
      function_call: { ...(at === 0 ? { name: 'find' } : {}), arguments: text },
    }));
    const functions = await open(chatEvents(parts, 'function_call'));
    const stream = await functions.client.chat.completions.create({
      model: 'm',
      messages: ASKED,
      stream: true,
    });
    const calls: unknown[] = [];
    for await (const { choices } of stream) calls.push(choices[0]?.delta.function_call);
    assert.deepEqual(
      calls.filter((call) => call !== undefined),
      [{ name: 'find', arguments: '{"to":"[EMAIL_1]"}' }],
    );
  });

  it('a guarded OpenAI client reads what a response’s own tools are given and give', async () => {
    const code = `send("${MAIL}")`;
    const output = [
      { type: 'code_interpreter_call', id: '1', code, outputs: [{ type: 'logs', logs: MAIL }] },
      { type: 'shell_call', id: '2', action: { commands: [`mail ${MAIL}`] } },
      { type: 'apply_patch_call', id: '3', operation: { type: 'update_file', diff: `+${MAIL}` } },
      { type: 'web_search_call', id: '4', action: { type: 'search', query: MAIL } },
      { type: 'file_search_call', id: '5', queries: [MAIL], results: [{ text: MAIL }] },
      { type: 'mcp_approval_request', id: '6', arguments: `{"to":"${MAIL}"}` },
      { type: 'shell_call_output', id: '7', output: [{ stdout: MAIL, stderr: '' }] },
    ];
    const { client } = await open({ id: 'r', object: 'response', output });
    const answer = await client.responses.create({ model: 'm', input: 'Where?' });
    assert.ok(!JSON.stringify(answer).includes(MAIL), JSON.stringify(answer));
    await vendor?.close();
    const at = { item_id: '1', output_index: 0 };
    const of = (kind: string, name: string, text: string) => [
      ...inTokens(text).map((delta) => ({ type: `response.${kind}.delta`, ...at, delta })),
      { type: `response.${kind}.done`, ...at, [name]: text },
    ];
    const came = [
      ...of('code_interpreter_call_code', 'code', code),
      { type: 'response.shell_call_command.added', ...at, command: MAIL },
      ...of('shell_call_command', 'command', `mail ${MAIL}`),
      { type: 'response.shell_call_output_content.delta', ...at, delta: { stdout: MAIL } },
      { type: 'response.shell_call_output_content.done', ...at, output: [{ stdout: MAIL }] },
    ];
    const events = came.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const streamed = await open(events);
    const all: unknown[] = [];
    const stream = await streamed.client.responses.create({
      model: 'm',
      input: 'Where?',
      stream: true,
    });
    for await (const event of stream) all.push(event);
    const text = JSON.stringify(all);
    assert.ok(!text.includes(MAIL) && text.includes('send(\\"[EMAIL_1]\\")'), text);
  });

  it('a guarded OpenAI client gives no answer that it cannot read, and asks once', async () => {
    let calls = 0;
    const fetch = async () => {
      calls++;
      return new Response(`<p>${MAIL}</p>`, { headers: { 'content-type': 'text/html' } });
    };
    const client = guardOpenAI(new OpenAI({ apiKey: 'k', fetch, maxRetries: 2 }), { guard });
    await assert.rejects(client.chat.completions.create({ model: 'm', messages: ASKED }), {
      status: 502,
      message: '502 the answer is no JSON object',
    });
    assert.equal(calls, 1);
  });

  it('a guarded OpenAI client ends a blocked stream with the violation', async () => {
    const { client } = await open(chatEvents(inTokens(BLOCKING).map((content) => ({ content }))));
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: ASKED,
      stream: true,
    });
    let passed = '';
    await assert.rejects(async () => {
      for await (const { choices } of stream) passed += choices[0]?.delta.content ?? '';
    }, BLOCKED);
    assert.ok(passed.length > 0 && BLOCKING.slice(0, BLOCKING.indexOf('536')).startsWith(passed));
  });

  it('a guarded OpenAI client redacts responses', async () => {
    const content = [{ type: 'output_text', text: ANSWER, annotations: [] }];
    const output = [
      { type: 'message', id: 'm1', role: 'assistant', status: 'completed', content },
      { type: 'function_call', id: 'f1', call_id: 'c1', ...CALL.function },
    ];
    const { client, vendor } = await open({ id: 'r', object: 'response', output });
    const input = [{ role: 'user' as const, content: `I am ${MAIL}` }];
    const instructions = 'Be brief.';
    const answer = await client.responses.create({ model: 'm', instructions, input });
    assert.equal(answer.output_text, REDACTED);
    assert.deepEqual(
      [vendor.bodies[0].instructions, vendor.bodies[0].input[0].content],
      ['Be brief.', 'I am [EMAIL_1]'],
    );
    const call = answer.output[1];
    assert.equal(call?.type === 'function_call' && call.arguments, '{"to":"[EMAIL_1]"}');
    await client.responses.create({ model: 'm', input: `I am ${MAIL}` });
    assert.equal(vendor.bodies[1].input, 'I am [EMAIL_1]');
  });

  it('a guarded OpenAI client redacts every event of a streamed response', async () => {
    const at = { item_id: 'm1', output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text: ANSWER, annotations: [] };
    const item = { type: 'message', id: 'm1', role: 'assistant', content: [part] };
    const call = { type: 'function_call', id: 'f1', call_id: 'c1', ...CALL.function };
    const response = { id: 'r', object: 'response', output: [item, call] };
    const events = [
      { type: 'response.created', response: { ...response, output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...inTokens(ANSWER).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text: ANSWER },
      { type: 'response.content_part.done', ...at, part },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
      ...inTokens(call.arguments).map((delta) => ({
        ...{
          type: 'response.function_call_arguments.delta',
          item_id: 'f1',
          output_index: 1,
          delta,
        },
      })),
      { type: 'response.function_call_arguments.done', output_index: 1, arguments: call.arguments },
      { type: 'response.output_item.done', output_index: 1, item: call },
      { type: 'response.completed', response },
    ];
    const lines = events.map((event, sequence_number) => {
      const data = JSON.stringify({ ...event, sequence_number });
      return `event: ${event.type}\r\ndata: ${data}\r\n\r\n`;
    });
    const { client } = await open(lines);
    const input = 'Where is my parcel?';
    const texts: string[] = [];
    let args = '';
    for await (const event of await client.responses.create({ model: 'm', input, stream: true })) {
      assert.ok(!JSON.stringify(event).includes(MAIL), event.type);
      if (event.type === 'response.output_text.delta') texts.push(event.delta);
      if (event.type === 'response.output_text.done') assert.equal(event.text, REDACTED);
      if (event.type === 'response.function_call_arguments.delta') args += event.delta;
      if (event.type === 'response.completed') assert.equal(event.response.output.length, 2);
    }
    assert.equal(texts.join(''), REDACTED);
    assert.ok(texts.length > 3, String(texts.length));
    assert.equal(args, '{"to":"[EMAIL_1]"}');
  });

  it('a guarded fetch leaves other calls alone and refuses what it cannot read', async () => {
    vendor = await startVendor(() => ({ mail: MAIL }));
    const guarded = createGuardedFetch({ guard });
    const post = (path: string, body: unknown) =>
      guarded(`${vendor?.url}${path}`, { method: 'POST', body: body as string });
    const other = await post('/embeddings', JSON.stringify({ input: MAIL }));
    assert.deepEqual(await other.json(), { mail: MAIL });
    await assert.rejects(post('/chat/completions', new Uint8Array(2)), /body that is a text/);
    const url = `${vendor.url}/responses`;
    await assert.rejects(
      guarded(new Request(url, { method: 'POST', body: '{}' })),
      /not a Request/,
    );
    const refused = await post('/responses', JSON.stringify({ input: BLOCKING }));
    assert.equal(refused.status, 403);
    assert.equal(
      ((await refused.json()) as { error: { violation: { code: string } } }).error.violation.code,
      'PII_DETECTED',
    );
    assert.equal(vendor.bodies.length, 1);
    assert.throws(() => guardOpenAI({} as never), /client of the package openai/);
    assert.throws(() => createGuardedFetch({ guards: 1 } as never), /guards is not an option/);
  });
});
