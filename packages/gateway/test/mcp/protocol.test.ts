import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PII_TEXTS } from '../texts.ts';
import { configuration, send, serve, startGuard } from './world.ts';

const EVENTS = { 'Content-Type': 'text/event-stream' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

const result = (id: unknown, text: string) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
});
const call = (id: unknown, text: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text } },
});

/** Answers every request of a body with its text. */
function echo(body: string): unknown {
  const messages = JSON.parse(body) as unknown;
  const answer = ({ id, params }: ReturnType<typeof call>) => result(id, params.arguments.text);
  return Array.isArray(messages)
    ? messages.map(answer)
    : answer(messages as ReturnType<typeof call>);
}

test('headers of the protocol pass in both directions, and the key of the gateway does not', async (t) => {
  const backend = await serve(t, (_request, response, body) => {
    response.writeHead(200, { ...JSON_TYPE, 'Mcp-Session-Id': 'session-1', 'X-Other': 'x' });
    response.end(JSON.stringify(echo(body)));
  });
  const env = { TOKEN: 'secret-of-the-server' };
  const keys = "authorization: 'Bearer ${TOKEN}'";
  const gateway = await startGuard(t, backend, keys, { env });
  const begun = await send(gateway, call(1, 'Hello.'));
  const session = String(begun.headers.get('mcp-session-id'));
  const answer = await send(gateway, call(1, 'Hello.'), {
    headers: { 'Mcp-Session-Id': session, 'Mcp-Protocol-Version': '2025-11-25', 'X-Mine': 'x' },
  });
  assert.equal(answer.headers.get('mcp-session-id'), session);
  assert.equal(answer.headers.get('x-other'), null);
  assert.deepEqual(await answer.json(), result(1, 'Hello.'));
  const received = backend.received.at(-1);
  assert.equal(received?.headers.authorization, 'Bearer secret-of-the-server');
  assert.equal(received?.headers['mcp-session-id'], 'session-1');
  assert.equal(received?.headers['mcp-protocol-version'], '2025-11-25');
  assert.equal(received?.headers['x-mine'], undefined);
  assert.ok(!gateway.lines.join('\n').includes('secret-of-the-server'));
});

test('of a batch only what is blocked is refused, in JSON as in events', async (t) => {
  for (const isStream of [false, true]) {
    const backend = await serve(t, (_request, response, body) => {
      const answers = echo(body) as unknown[];
      response.writeHead(200, isStream ? EVENTS : JSON_TYPE);
      const events = answers.map((answer) => `data: ${JSON.stringify(answer)}\n\n`).join('');
      response.end(isStream ? events : JSON.stringify(answers));
    });
    const gateway = await startGuard(t, backend);
    const answer = await send(gateway, [
      call(1, 'one'),
      call('2', PII_TEXTS.ssn),
      call(3, 'three'),
    ]);
    const text = await answer.text();
    const messages = isStream
      ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string))
      : JSON.parse(text);
    const byId = Object.fromEntries(
      messages.map((message: { id: string }) => [message.id, message]),
    );
    assert.equal(byId[1].result.content[0].text, 'one');
    assert.equal(byId[2].error.data.code, 'PII_DETECTED');
    assert.equal(byId[3].result.content[0].text, 'three');
    assert.equal(backend.received[0]?.body.includes('536-22-8145'), false);
  }
});

test('events keep their ids, are asked for again by Last-Event-ID, and guarded then too', async (t) => {
  const sent = [`id: 7\ndata: ${JSON.stringify(result(1, PII_TEXTS.ssn))}\n\n`];
  sent.push(`id: 8\nretry: 1500\ndata: ${JSON.stringify(result(2, 'fine'))}\n\n`);
  const backend = await serve(t, (_request, response) => {
    response.writeHead(200, EVENTS);
    // Cut within events, and within a character of two bytes.
    const bytes = Buffer.from(
      `id: 6\ndata: \n\n: é\n\n${sent.join('')}event: endpoint\ndata: /x\n\n`,
    );
    for (const byte of bytes) response.write(Buffer.of(byte));
    response.end();
  });
  const gateway = await startGuard(t, backend);
  const answer = await send(gateway, undefined, {
    method: 'GET',
    body: null,
    headers: { 'Last-Event-ID': '5' },
  });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  const text = await answer.text();
  assert.equal(backend.received[0]?.headers['last-event-id'], '5');
  assert.deepEqual(
    [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id),
    ['6', '7', '8'],
  );
  assert.match(text, /retry: 1500/);
  assert.match(text, /id: 7\nevent: message\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":-32001/);
  assert.match(text, /"text":"fine"/);
  assert.ok(!text.includes('endpoint') && !text.includes('536-22'));
});

test('notifications are taken with 202, one that is blocked is 403 and goes nowhere', async (t) => {
  const backend = await serve(t, (_request, response) => void response.writeHead(202).end());
  const gateway = await startGuard(t, backend);
  const notification = (data: string) => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { data },
  });
  const taken = await send(gateway, notification('Hello.'));
  assert.equal(taken.status, 202);
  assert.equal(await taken.text(), '');
  const refused = await send(gateway, notification(PII_TEXTS.ssn));
  assert.equal(refused.status, 403);
  assert.equal(((await refused.json()) as { error: { code: number } }).error.code, -32_001);
  assert.equal(backend.received.length, 1);
});

test('what is no message of JSON-RPC is 400, and members that it does not know are left out', async (t) => {
  const backend = await serve(t, (_request, response, body) => {
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(echo(body)));
  });
  const gateway = await startGuard(t, backend);
  for (const body of [
    {},
    [],
    'x',
    { jsonrpc: '1.0', method: 'x' },
    { jsonrpc: '2.0', id: null, method: 'x' },
  ]) {
    const answer = await send(gateway, body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(((await answer.json()) as { error: { code: number } }).error.code, -32_600);
  }
  assert.equal(backend.received.length, 0);
  await send(gateway, { ...call(1, 'Hello.'), smuggled: PII_TEXTS.ssn });
  assert.deepEqual(JSON.parse(backend.received[0]?.body ?? ''), call(1, 'Hello.'));
});

test('answers of a server that are not of the protocol, or too large, become errors of JSON-RPC', async (t) => {
  const answers: (readonly [number, Record<string, string>, string])[] = [
    [200, JSON_TYPE, 'no json'],
    [200, JSON_TYPE, JSON.stringify({ hello: 1 })],
    [200, { 'Content-Type': 'text/html' }, '<p>'],
    [500, JSON_TYPE, PII_TEXTS.ssn],
    [302, { Location: 'http://127.0.0.1:1/' }, ''],
    [200, JSON_TYPE, JSON.stringify(result(1, 'x'.repeat(3_000)))],
  ];
  let at = 0;
  const backend = await serve(t, (_request, response) => {
    const [status, headers, body] = answers[at++] as (typeof answers)[number];
    response.writeHead(status, headers).end(body);
  });
  const text = configuration(backend.url).replace('{host:', '{max_payload_size: 2000, host:');
  const gateway = await startGuard(t, backend);
  gateway.write(text);
  await gateway.gateway.reloader.reload();
  for (const [status] of answers) {
    const answer = await send(gateway, call(1, 'Hello.'));
    const body = (await answer.json()) as { id: number; error: { code: number } };
    assert.equal(answer.status, 200, `${status}`);
    assert.deepEqual([body.id, body.error.code], [1, -32_000]);
    assert.ok(!JSON.stringify(body).includes('536-22'));
  }
});

test('a session that the server does not know is 404, as the protocol says', async (t) => {
  const backend = await serve(t, (_request, response) => void response.writeHead(404).end());
  const gateway = await startGuard(t, backend);
  assert.equal((await send(gateway, call(1, 'Hello.'))).status, 404);
  assert.equal((await send(gateway, undefined, { method: 'GET', body: null })).status, 404);
  assert.equal((await send(gateway, undefined, { method: 'DELETE', body: null })).status, 404);
});

test('mcp.servers.<id>.timeout_ms ends the wait for a server that does not answer', async (t) => {
  const backend = await serve(t, () => undefined);
  const gateway = await startGuard(t, backend, 'timeout_ms: 1');
  const body = (await (await send(gateway, call(1, 'Hello.'))).json()) as {
    error: { code: number };
  };
  assert.equal(body.error.code, -32_000);
});

test('mcp.servers.<id>.binary decides on contents without text', async (t) => {
  const image = {
    type: 'image',
    mimeType: 'image/png',
    data: Buffer.of(0x89, 0x50, 0xff).toString('base64'),
  };
  const backend = await serve(t, (_request, response) => {
    const content = [image, { type: 'text', text: 'A picture.' }];
    response.writeHead(200, JSON_TYPE);
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content } }));
  });
  const passing = await send(await startGuard(t, backend), call(1, 'Hello.'));
  const passed = (await passing.json()) as { result: { content: unknown[] } };
  assert.deepEqual(passed.result.content[0], image);
  const refusing = await send(await startGuard(t, backend, 'binary: refuse'), call(1, 'Hello.'));
  const refused = (await refusing.json()) as { error: { code: number } };
  assert.equal(refused.error.code, -32_001);
});

test('without a key nothing is passed on', async (t) => {
  const backend = await serve(t, (_request, response) => void response.writeHead(202).end());
  const { url } = await startGuard(t, backend);
  assert.equal((await send({ url, token: 'pbk_wrong' }, call(1, 'Hello.'))).status, 401);
  assert.equal(backend.received.length, 0);
});
