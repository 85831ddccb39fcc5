import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatAnswer } from '@probity/test-support';
import type { ModelServer } from '../proxy/model-server.ts';
import { startModel } from '../proxy/model-server.ts';
import { PROVIDER_KEY, SSN, startProxy } from '../proxy/proxy-world.ts';
import type { Receiver } from './receiver.ts';
import { assertAbsent, below, startReceiver } from './receiver.ts';
import { PARENT_ID, PROMPT, TRACE_ID, traceparent, tracingText } from './tracing-world.ts';

const PATH = '/v1/chat/completions';
const ROUTE = `POST ${PATH}`;
const ASKED = { model: 'm', messages: [{ role: 'user', content: 'marker-question' }] };

/** What every request is sent with. */
const SENT = {
  traceparent: traceparent(),
  tracestate: 'vendor=marker-state',
  baggage: 'user=marker-baggage',
};

function start(t: Parameters<typeof startProxy>[0], receiver: Receiver, more = '') {
  return startProxy(t, { text: tracingText(receiver, more), env: PROMPT });
}

const portOf = ({ url }: Pick<ModelServer, 'url'>) => Number(new URL(url).port);

/** The only request for a chat, and its calls of models. */
function callsOf(receiver: Receiver) {
  const [request] = receiver.named(ROUTE);
  assert.ok(request);
  return { request, calls: below(receiver, request).filter(({ kind }) => kind === 'client') };
}

test('a call of a model is a span below the request, beside the scans of question and answer, without gen_ai names', async (t) => {
  const receiver = await startReceiver(t);
  const { world, model, post } = await start(t, receiver);
  model.answer(() => chatAnswer('marker-answer'));
  assert.equal((await post(PATH, ASKED, SENT)).status, 200);
  await world.gateway.stop();
  const { request, calls } = callsOf(receiver);
  assert.equal(request.parentSpanId, PARENT_ID);
  const [call, ...others] = calls;
  assert.ok(call);
  assert.deepEqual(others, []);
  assert.equal(call.name, 'POST');
  assert.deepEqual(call.attributes, {
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(model.url).port),
    'probity.model.provider': 'local',
    'probity.model.name': 'm',
    'http.response.status_code': 200,
  });
  const scans = below(receiver, request).filter(({ name }) => name === 'scan');
  assert.equal(scans.length, 2);
  assertAbsent(receiver, ['marker', PROVIDER_KEY, world.token, 'gen_ai']);
});

test('gen_ai_attributes, or the variable of OpenTelemetry, describes calls with the names for generative AI', async (t) => {
  for (const more of ['gen_ai_attributes: true', '']) {
    const receiver = await startReceiver(t);
    const optIn = { OTEL_SEMCONV_STABILITY_OPT_IN: 'http, gen_ai_latest_experimental' };
    const { world, model, post } = await startProxy(t, {
      text: tracingText(receiver, more),
      env: more === '' ? { ...PROMPT, ...optIn } : PROMPT,
    });
    model.answer(() => ({ ...chatAnswer('marker-answer'), model: 'm-2026' }));
    await post(PATH, ASKED, SENT);
    await world.gateway.stop();
    const [call] = callsOf(receiver).calls;
    assert.equal(call?.name, 'chat m');
    const { usage } = chatAnswer('') as { usage?: { prompt_tokens: number } };
    assert.equal(call?.attributes['gen_ai.operation.name'], 'chat');
    assert.equal(call?.attributes['gen_ai.provider.name'], 'local');
    assert.equal(call?.attributes['gen_ai.request.model'], 'm');
    assert.equal(call?.attributes['gen_ai.response.model'], 'm-2026');
    assert.deepEqual(call?.attributes['gen_ai.response.finish_reasons'], ['stop']);
    assert.equal(call?.attributes['gen_ai.usage.input_tokens'], usage?.prompt_tokens);
    assertAbsent(receiver, ['marker', PROVIDER_KEY]);
  }
});

test('the span of a streamed answer lasts as long as the answer, and has its tokens and the reason of its end', async (t) => {
  const receiver = await startReceiver(t);
  const { world, model, post } = await start(t, receiver, 'gen_ai_attributes: true');
  const event = (choices: unknown, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm-2026', choices, ...more })}\n\n`;
  model.answer(() => [
    event([
      { index: 0, delta: { role: 'assistant', content: 'marker-answer' }, finish_reason: null },
    ]),
    event([{ index: 0, delta: {}, finish_reason: 'length' }]),
    event([], { usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } }),
    'data: [DONE]\n\n',
  ]);
  const asked = { ...ASKED, stream: true, stream_options: { include_usage: true } };
  assert.match((await post(PATH, asked, SENT)).text, /marker-answer/);
  await world.gateway.stop();
  const { request, calls } = callsOf(receiver);
  const [call] = calls;
  assert.ok(call);
  assert.deepEqual(
    ['response.model', 'response.finish_reasons', 'usage.input_tokens', 'usage.output_tokens'].map(
      (name) => call.attributes[`gen_ai.${name}`],
    ),
    ['m-2026', ['length'], 7, 3],
  );
  assert.ok(request.endMs >= call.startMs);
  assertAbsent(receiver, ['marker']);
});

test('words that a model makes up for its name and its reasons are not exported', async (t) => {
  const receiver = await startReceiver(t);
  const { world, model, post } = await start(t, receiver, 'gen_ai_attributes: true');
  model.answer(() => {
    const answer = chatAnswer('Fine.') as { choices: object[] };
    const choices = answer.choices.map((choice) => ({ ...choice, finish_reason: 'marker-reason' }));
    return { ...answer, model: 'marker name of a user', choices };
  });
  await post(PATH, ASKED);
  await world.gateway.stop();
  const [call] = callsOf(receiver).calls;
  assert.equal(call?.attributes['gen_ai.response.model'], undefined);
  assert.deepEqual(call?.attributes['gen_ai.response.finish_reasons'], ['_OTHER']);
  assertAbsent(receiver, ['marker']);
});

test('each attempt has a span of its own, with the failure of those that failed', async (t) => {
  const receiver = await startReceiver(t);
  const { world, model, post } = await start(t, receiver);
  model.answer(({ response }) => {
    if (model.calls.length > 2) return chatAnswer('Fine.');
    response.writeHead(503, { 'content-type': 'application/json' });
    const error = { message: 'marker-failure', type: 'marker', code: 'marker-code' };
    response.end(JSON.stringify({ error }));
    return undefined;
  });
  assert.equal((await post(PATH, ASKED)).status, 200);
  await world.gateway.stop();
  const { calls } = callsOf(receiver);
  assert.deepEqual(
    calls.map(({ failed, attributes }) => [
      failed,
      attributes['error.type'],
      attributes['http.response.status_code'],
      attributes['http.request.resend_count'],
    ]),
    [
      [true, '503', 503, undefined],
      [true, '503', 503, 1],
      [false, undefined, 200, 2],
    ],
  );
  assert.deepEqual(
    model.calls.map(({ headers }) => String(headers.traceparent).split('-')[2]),
    calls.map(({ spanId }) => spanId),
  );
  assertAbsent(receiver, ['marker']);
});

test('a model that answers in the place of another has a span beside those of the attempts that failed', async (t) => {
  const receiver = await startReceiver(t);
  const second = await startModel(t, () => chatAnswer('From the second.'));
  const provider = (name: string, url: string, model: string) =>
    `    ${name}: {enabled: true, base_url: "${url}", models: {${model}: {enabled: true}}}`;
  const { world, model, post } = await startProxy(t, {
    text: tracingText(receiver, 'gen_ai_attributes: true'),
    env: PROMPT,
    models: (url) =>
      [
        'models:',
        '  retries: 0',
        '  fallbacks: [{model: m, to: [gone, n]}]',
        '  providers:',
        provider('local', url, 'm'),
        provider('away', 'http://127.0.0.1:1', 'gone'),
        provider('second', second.url, 'n'),
        '',
      ].join('\n'),
  });
  model.answer(({ response }) => {
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'marker-failure' } }));
    return undefined;
  });
  const { status, headers } = await post(PATH, ASKED, SENT);
  assert.deepEqual([status, headers.get('x-probity-model')], [200, 'second/n']);
  await world.gateway.stop();
  const { request, calls } = callsOf(receiver);
  assert.deepEqual(
    calls.map(({ name, failed, attributes }) => ({
      name,
      failed,
      error: attributes['error.type'],
      status: attributes['http.response.status_code'],
      provider: attributes['probity.model.provider'],
      model: attributes['probity.model.name'],
      port: attributes['server.port'],
      sentAgain: attributes['http.request.resend_count'],
    })),
    [
      {
        ...{ name: 'chat m', failed: true, error: '503', status: 503 },
        ...{ provider: 'local', model: 'm', port: portOf(model), sentAgain: undefined },
      },
      {
        ...{ name: 'chat gone', failed: true, error: 'upstream_unreachable', status: undefined },
        ...{ provider: 'away', model: 'gone', port: 1, sentAgain: 1 },
      },
      {
        ...{ name: 'chat n', failed: false, error: undefined, status: 200 },
        ...{ provider: 'second', model: 'n', port: portOf(second), sentAgain: 2 },
      },
    ],
  );
  assert.ok(calls.every(({ parentSpanId }) => parentSpanId === request.spanId));
  assert.equal(String(second.calls[0]?.headers.traceparent).split('-')[2], calls[2]?.spanId);
  assertAbsent(receiver, ['marker']);
});

test('a blocked question has no call of a model, and the request has its verdict', async (t) => {
  const receiver = await startReceiver(t);
  const { world, model, post } = await start(t, receiver);
  const messages = [{ role: 'user', content: `My SSN is ${SSN}.` }];
  await post(PATH, { ...ASKED, messages });
  await world.gateway.stop();
  const { request, calls } = callsOf(receiver);
  assert.deepEqual(calls, []);
  assert.deepEqual(model.calls, []);
  assert.equal(request.attributes['probity.verdict'], 'blocked');
  assertAbsent(receiver, [SSN]);
});

test('propagation decides what models are sent: nothing, the id of the trace, or its state as well; baggage never', async (t) => {
  for (const propagation of ['none', 'traceparent', 'tracestate']) {
    const receiver = await startReceiver(t);
    const { world, model, post } = await start(t, receiver, `propagation: ${propagation}`);
    await post(PATH, ASKED, SENT);
    await world.gateway.stop();
    const [call] = callsOf(receiver).calls;
    const [sent] = model.calls;
    const expected = propagation === 'none' ? undefined : `00-${TRACE_ID}-${call?.spanId}-01`;
    assert.equal(sent?.headers.traceparent, expected, propagation);
    const isKept = propagation === 'tracestate';
    assert.equal(sent?.headers.tracestate, isKept ? SENT.tracestate : undefined, propagation);
    assert.equal(call?.traceState, isKept ? SENT.tracestate : '', propagation);
    assert.equal(sent?.headers.baggage, undefined, propagation);
  }
});

test('a request that is not exported passes its decision on to the model', async (t) => {
  const receiver = await startReceiver(t);
  const { world, model, post } = await start(t, receiver);
  await post(PATH, ASKED, { traceparent: traceparent('00') });
  await world.gateway.stop();
  assert.match(
    String(model.calls[0]?.headers.traceparent),
    new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`),
  );
  assert.deepEqual(receiver.exports, []);
  const record = world.records().find(({ message }) => message === 'model call');
  assert.equal(record?.trace_id, TRACE_ID);
});

test('without tracing a model is sent nothing of a trace', async (t) => {
  const { model, post } = await startProxy(t, { text: '' });
  await post(PATH, ASKED, SENT);
  const { traceparent: sent, tracestate } = model.calls[0]?.headers ?? {};
  assert.deepEqual([sent, tracestate], [undefined, undefined]);
});
