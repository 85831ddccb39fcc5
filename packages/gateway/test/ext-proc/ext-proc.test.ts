import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { LOOPBACK } from '../world.ts';
import { answered, headers, openExchange, part, post, startEnvoyGateway } from './envoy.ts';

const CHAT = '/openai/v1/chat/completions';
const SSN = '536-22-8145';
const MAIL = 'bob@example.com';
const STRICT = `${LOOPBACK}scanning: {thresholds: {pii_risk: 0.1}}\n`;

function asked(content: string): object {
  return { model: 'm', messages: [{ role: 'user', content }], temperature: 0.5 };
}

function answer(content: string): object {
  const message = { role: 'assistant', content };
  return { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] };
}

function event(delta: object, finish: string | null = null): string {
  const chunk = { id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** What a client reads of a stream of chat completions. */
function textOf(body: string): string {
  return body
    .split('\n\n')
    .filter((each) => each.startsWith('data: {'))
    .map((each) => JSON.parse(each.slice(6)) as { choices?: { delta: { content?: string } }[] })
    .map(({ choices }) => choices?.[0]?.delta.content ?? '')
    .join('');
}

test('a call that may pass goes through as it is, and so does its answer', async (t) => {
  const exchange = openExchange(t, await startEnvoyGateway(t));
  const head = await exchange.ask(post(CHAT));
  assert.equal(head.kind, 'request_headers');
  assert.deepEqual(head.removed, ['accept-encoding', 'content-length']);
  const body = JSON.stringify(asked('Where is my parcel?'));
  const passed = await exchange.ask(part('request', body));
  assert.equal(passed.body, null);
  assert.equal(passed.set['content-length'], String(body.length));
  const came = await exchange.ask(answered('application/json'));
  assert.match(came.set['x-probity-config-hash'] ?? '', /^[0-9a-f]{16}$/);
  assert.equal((await exchange.ask(part('response', answer('It is on its way.')))).body, null);
  exchange.end();
  assert.deepEqual(await exchange.rest(), []);
});

test('a blocked request is answered with 403 in the form of the interface', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const exchange = openExchange(t, gateway);
  await exchange.ask(post(CHAT));
  const refused = await exchange.ask(part('request', asked(`Her SSN is ${SSN}.`)));
  assert.equal(refused.kind, 'immediate_response');
  assert.equal(refused.status, 403);
  assert.equal(refused.set['content-type'], 'application/json');
  assert.equal(refused.set['x-request-id'], 'req-of-envoy');
  const { error } = JSON.parse(refused.body ?? '') as { error: Record<string, string> };
  assert.equal(error.code, 'PII_DETECTED');
  assert.equal(error.type, 'probity_blocked');
  exchange.end();
  await exchange.rest();
  const [record] = gateway.records().filter(({ message }) => message === 'scan');
  assert.deepEqual(
    [record?.result, record?.request_id, record?.client_id],
    ['blocked', 'req-of-envoy', 'app'],
  );
  assert.match(
    await gateway.metrics(),
    /gateway_requests_total\{method="scan",status="blocked"\} 1/,
  );
});

test('a blocked answer is replaced by 403', async (t) => {
  const exchange = openExchange(t, await startEnvoyGateway(t));
  await exchange.ask(post(CHAT));
  await exchange.ask(part('request', asked('Tell me about her.')));
  await exchange.ask(answered('application/json'));
  const refused = await exchange.ask(part('response', answer(`Her SSN is ${SSN}.`)));
  assert.deepEqual([refused.kind, refused.status], ['immediate_response', 403]);
  assert.ok(!refused.body?.includes(SSN));
});

for (const [style, shown] of [
  ['placeholder', '[EMAIL_1]'],
  ['mask', 'b**@*******.com'],
] as const) {
  test(`personal data is replaced both ways where Envoy asks for it: ${style}`, async (t) => {
    const metadata = { 'x-probity-redaction': style };
    const exchange = openExchange(t, await startEnvoyGateway(t, STRICT), { metadata });
    await exchange.ask(post(CHAT));
    const passed = await exchange.ask(part('request', asked(`Write to ${MAIL} today.`)));
    const body = JSON.parse(passed.body ?? '') as {
      messages: { content: string }[];
      temperature: number;
    };
    assert.equal(body.messages[0]?.content, `Write to ${shown} today.`);
    assert.equal(body.temperature, 0.5);
    assert.equal(passed.set['content-length'], String(Buffer.byteLength(passed.body ?? '')));
    await exchange.ask(answered('application/json'));
    const given = await exchange.ask(part('response', answer(`Done: ${MAIL}.`)));
    assert.ok(given.body?.includes(`Done: ${shown}.`), given.body ?? '');
    assert.equal(given.set['content-length'], String(Buffer.byteLength(given.body ?? '')));
  });
}

test('a body in parts reaches the upstream with its end, and nothing of it before', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const body = JSON.stringify(asked('Where is my parcel?'));
  const good = openExchange(t, gateway, { modes: ['STREAMED', 'STREAMED'] });
  await good.ask(post(CHAT));
  assert.equal((await good.ask(part('request', body.slice(0, 20), false))).body, '');
  assert.equal((await good.ask(part('request', body.slice(20, 21), false))).body, '');
  assert.equal((await good.ask(part('request', body.slice(21)))).body, body);
  const bad = openExchange(t, gateway, { modes: ['STREAMED', 'STREAMED'] });
  const blocked = JSON.stringify(asked(`Her SSN is ${SSN}.`));
  const cut = blocked.indexOf(SSN) + 4;
  await bad.ask(post(CHAT));
  assert.equal((await bad.ask(part('request', blocked.slice(0, cut), false))).body, '');
  assert.equal((await bad.ask(part('request', blocked.slice(cut)))).status, 403);
});

test('events are passed on as far as they are settled, and all of them by the end', async (t) => {
  const exchange = openExchange(t, await startEnvoyGateway(t), { modes: ['BUFFERED', 'STREAMED'] });
  await exchange.ask(post(CHAT));
  await exchange.ask(part('request', asked('Tell me a story.')));
  await exchange.ask(answered('text/event-stream'));
  const words = Array.from({ length: 400 }, (_, index) => `word${index} `);
  let passed = '';
  for (const word of words) {
    const { body } = await exchange.ask(part('response', event({ content: word }), false));
    passed += body;
  }
  const before = textOf(passed);
  assert.ok(before.length > 0 && words.join('').startsWith(before));
  assert.ok(words.join('').length - before.length >= 256, String(before.length));
  const last = await exchange.ask(part('response', `${event({}, 'stop')}data: [DONE]\n\n`));
  assert.equal(textOf(passed + last.body), words.join(''));
  assert.ok(last.body?.endsWith('data: [DONE]\n\n'));
});

test('nothing of a finding leaves a stream, wherever it is cut, and an error event ends it', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const text = `${'All is well. '.repeat(60)}Her SSN is ${SSN}. ${'And so on. '.repeat(60)}`;
  const bytes = [...text].map((sign) => event({ content: sign })).join('');
  for (const size of [97, 4_001]) {
    const exchange = openExchange(t, gateway, { modes: ['BUFFERED', 'STREAMED'] });
    await exchange.ask(post(CHAT));
    await exchange.ask(part('request', asked('Tell me about her.')));
    await exchange.ask(answered('text/event-stream'));
    let passed = '';
    for (let at = 0; at < bytes.length; at += size) {
      const isEnd = at + size >= bytes.length;
      passed += (await exchange.ask(part('response', bytes.slice(at, at + size), isEnd))).body;
    }
    assert.ok(textOf(passed).startsWith('All is well.'));
    assert.ok(!textOf(passed).includes('536'), textOf(passed).slice(-300));
    const errors = passed.split('\n\n').filter((each) => each.includes('probity_blocked'));
    assert.equal(errors.length, 1);
    assert.ok(passed.trimEnd().endsWith(errors[0] as string));
  }
});

test('a filter that buffers is asked to stream events', async (t) => {
  const exchange = openExchange(t, await startEnvoyGateway(t), { modes: ['BUFFERED', 'BUFFERED'] });
  await exchange.ask(post(CHAT));
  await exchange.ask(part('request', asked('Hello.')));
  const head = await exchange.ask(answered('text/event-stream'));
  assert.equal(head.override?.response_body_mode, 'STREAMED');
});

test('full duplex: heads wait for the verdict, so that 403 is possible, and bodies follow them', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const modes = ['FULL_DUPLEX_STREAMED', 'FULL_DUPLEX_STREAMED'] as const;
  const body = JSON.stringify(asked('Where is my parcel?'));
  const good = openExchange(t, gateway, { modes });
  good.send(post(CHAT));
  good.send(part('request', body.slice(0, 30), false));
  assert.equal((await good.ask(part('request', body.slice(30)))).kind, 'request_headers');
  const whole = await good.next();
  assert.deepEqual([whole.body, whole.isEnd], [body, true]);
  good.send(answered('application/json'));
  const text = JSON.stringify(answer('On its way.'));
  good.send(part('response', text, false));
  assert.equal((await good.ask({ response_trailers: {} })).kind, 'response_headers');
  const given = await good.next();
  assert.deepEqual([given.body, given.isEnd], [text, false]);
  assert.equal((await good.next()).kind, 'response_trailers');
  const bad = openExchange(t, gateway, { modes });
  bad.send(post(CHAT));
  assert.equal((await bad.ask(part('request', asked(`Her SSN is ${SSN}.`)))).status, 403);
});

test('text and JSON of other interfaces are scanned, escapes and names of members included', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const blocked = [
    `Her SSN is ${SSN}.`,
    `{"any": {"deep": ["Her SSN is 536\\u002d22-8145."]}}`,
    `{"SSN ${SSN}": 1}`,
  ];
  for (const body of blocked) {
    const exchange = openExchange(t, gateway);
    await exchange.ask(post('/any'));
    assert.equal((await exchange.ask(part('request', body))).status, 403, body);
    const other = openExchange(t, gateway);
    await other.ask(post('/any'));
    await other.ask(part('request', '{"a": "b"}'));
    await other.ask(answered('application/json'));
    assert.equal((await other.ask(part('response', body))).status, 403, body);
  }
});

test('an error of the upstream is scanned as well', async (t) => {
  const exchange = openExchange(t, await startEnvoyGateway(t));
  await exchange.ask(post(CHAT));
  await exchange.ask(part('request', asked('Hello.')));
  await exchange.ask(answered('application/json', 400));
  const body = { error: { message: `No message for SSN ${SSN}.` } };
  assert.equal((await exchange.ask(part('response', body))).status, 403);
});

test('a compressed request is scanned, and goes on uncompressed', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const ask = async (body: string, bytes = gzipSync(body)) => {
    const exchange = openExchange(t, gateway);
    const head = await exchange.ask(post(CHAT, { 'content-encoding': 'gzip' }));
    assert.ok(head.removed?.includes('content-encoding'), JSON.stringify(head));
    exchange.send({ request_body: { body: bytes, end_of_stream: true } });
    return exchange.next();
  };
  const body = JSON.stringify(asked('Hello.'));
  assert.equal((await ask(body)).body, body);
  assert.equal((await ask(JSON.stringify(asked(`My SSN is ${SSN}.`)))).status, 403);
  assert.equal((await ask(body, Buffer.from(body))).status, 400);
});

test('what cannot be scanned is refused, rather than passed on', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const compressed = openExchange(t, gateway);
  assert.equal((await compressed.ask(post(CHAT, { 'content-encoding': 'compress' }))).status, 415);
  const binary = openExchange(t, gateway);
  await binary.ask(post('/upload'));
  binary.send({ request_body: { body: Buffer.from([0xff, 0xfe, 0xfd]), end_of_stream: true } });
  assert.equal((await binary.next()).status, 415);
  const broken = openExchange(t, gateway);
  await broken.ask(post(CHAT));
  assert.equal((await broken.ask(part('request', '{"messages": '))).status, 400);
  const partial = openExchange(t, gateway, { modes: ['BUFFERED_PARTIAL', 'BUFFERED'] });
  await partial.ask(post(CHAT));
  assert.equal((await partial.ask(part('request', '{"messages": ', false))).status, 413);
  const stream = openExchange(t, gateway);
  await stream.ask(post('/unknown'));
  await stream.ask(part('request', '{}'));
  await stream.ask(answered('text/event-stream'));
  assert.equal((await stream.ask(part('response', 'data: {}\n\n', false))).status, 502);
});

test('a body over server.max_payload_size is refused', async (t) => {
  const text = LOOPBACK.replace('workers: 2}', 'workers: 2, max_payload_size: 2000}');
  const exchange = openExchange(t, await startEnvoyGateway(t, text), {
    modes: ['STREAMED', 'STREAMED'],
  });
  await exchange.ask(post(CHAT));
  await exchange.ask(part('request', 'x'.repeat(1_500), false));
  assert.equal((await exchange.ask(part('request', 'x'.repeat(501), false))).status, 413);
});

test('a call needs an API key', async (t) => {
  const { grpcAddress } = await startEnvoyGateway(t);
  const exchange = openExchange(t, { grpcAddress, token: 'wrong' });
  await assert.rejects(exchange.ask(post(CHAT)), { code: 16 });
});

test('a client beyond its limit is answered with 429', async (t) => {
  const limits = 'rate_limiting: {per_client: {burst_size: 1, requests_per_minute: 1}}\n';
  const gateway = await startEnvoyGateway(t, LOOPBACK + limits);
  await openExchange(t, gateway).ask(post(CHAT));
  const refused = await openExchange(t, gateway).ask(post(CHAT));
  assert.equal(refused.status, 429);
  assert.match(refused.set['retry-after'] ?? '', /^\d+$/);
});

test('addresses that are exempt are those that Envoy names', async (t) => {
  const text = `${LOOPBACK}allowlists: {exempt_ips: [192.0.2.0/24, 127.0.0.1]}\n`;
  const gateway = await startEnvoyGateway(t, text);
  const statusFrom = async (address?: string) => {
    const fields = { 'source.address': { stringValue: address } };
    const attributes = address && { attributes: { 'envoy.filters.http.ext_proc': { fields } } };
    const exchange = openExchange(t, gateway);
    const spoofed = post(CHAT, { 'x-forwarded-for': '192.0.2.1' });
    await exchange.ask({ ...spoofed, ...attributes });
    return (await exchange.ask(part('request', asked(`Her SSN is ${SSN}.`)))).status;
  };
  assert.equal(await statusFrom('192.0.2.7:4711'), 0);
  assert.equal(await statusFrom('198.51.100.1:4711'), 403);
  assert.equal(await statusFrom(), 403);
});

test('a request without a body passes, and its answer is scanned', async (t) => {
  const exchange = openExchange(t, await startEnvoyGateway(t));
  const values = { ':method': 'GET', ':path': '/v1/models' };
  const head = { request_headers: { headers: headers(values), end_of_stream: true } };
  assert.equal((await exchange.ask(head)).kind, 'request_headers');
  await exchange.ask(answered('text/plain'));
  assert.equal((await exchange.ask(part('response', 'Nothing to see.'))).body, 'Nothing to see.');
});

test('a filter that only observes gets no answers, and its scans are recorded', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const exchange = openExchange(t, gateway);
  const isObserving = { observability_mode: true };
  exchange.send({ ...post(CHAT), ...isObserving });
  exchange.send({ ...part('request', asked(`Her SSN is ${SSN}.`)), ...isObserving });
  exchange.end();
  assert.deepEqual(await exchange.rest(), []);
  const [record] = gateway.records().filter(({ message }) => message === 'scan');
  assert.equal(record?.result, 'blocked');
});

test('an answer with messages of a wrong form is the fault of the upstream', async (t) => {
  const gateway = await startEnvoyGateway(t);
  for (const broken of [{ choices: [{ message: { role: 7 } }] }, { choices: {} }, []]) {
    const exchange = openExchange(t, gateway);
    await exchange.ask(post(CHAT));
    await exchange.ask(part('request', asked('Where is my parcel?')));
    await exchange.ask(answered('application/json'));
    assert.equal((await exchange.ask(part('response', broken))).status, 502);
  }
});
