import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { INJECTION_TEXTS } from '../texts.ts';
import { send, serve, startGuard } from './world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SSN = '536-22-8145';
const TEXTS = [SSN, `Her SSN is ${SSN}.`, INJECTION_TEXTS.prompt_injection];

/** A server that answers every request with an empty result. */
function answering(t: TestLifetime) {
  return serve(t, (_request, response, body) => {
    const { id } = JSON.parse(body || '{}') as { id?: unknown };
    if (id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, JSON_TYPE);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  });
}

test('a text as the id or the method of a message does not reach the server', async (t) => {
  const backend = await answering(t);
  const gateway = await startGuard(t, backend);
  for (const text of TEXTS) {
    for (const message of [
      { id: text, method: 'ping' },
      { id: 1, method: text },
      { id: 1, method: `tools/${text}` },
      { method: `notifications/${text}` },
      { id: text, result: {} },
    ]) {
      const answer = await send(gateway, { jsonrpc: '2.0', ...message });
      const { error, id } = (await answer.json()) as { error: { code: number }; id: unknown };
      assert.ok([-32_600, -32_001].includes(error.code), JSON.stringify(message));
      if (message.method && message.id) assert.equal(id, message.id);
    }
  }
  for (const id of [4539148803436467, 1.5]) {
    const answer = await send(gateway, { jsonrpc: '2.0', id, method: 'ping' });
    assert.ok('error' in ((await answer.json()) as object), `${id}`);
  }
  assert.equal(backend.received.length, 0);
});

test('ids of clients and methods of other versions pass as they came', async (t) => {
  const backend = await answering(t);
  const gateway = await startGuard(t, backend);
  const ids = [
    0,
    -1,
    1_764_416_414_000,
    'a',
    '',
    'V1StGXR8_Z5jdHi6B-myT',
    'req_01HZX3K9:7',
    crypto.randomUUID(),
  ];
  for (const id of ids.filter((each) => each !== '')) {
    const answer = await send(gateway, { jsonrpc: '2.0', id, method: 'x-acme/later.list' });
    assert.deepEqual(await answer.json(), { jsonrpc: '2.0', id, result: {} });
  }
});

test('a text as the id of an answer of the server does not reach the client', async (t) => {
  const backend = await serve(t, (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    response.end(JSON.stringify({ jsonrpc: '2.0', id: `Her SSN is ${SSN}.`, result: {} }));
  });
  const gateway = await startGuard(t, backend);
  const answer = await send(gateway, { jsonrpc: '2.0', id: 1, method: 'ping' });
  const text = await answer.text();
  assert.ok(!text.includes('536') && text.includes('"id":1'), text);
});

test('headers of the protocol have its forms, or are refused with 400', async (t) => {
  const backend = await answering(t);
  const gateway = await startGuard(t, backend);
  const ask = (headers: Record<string, string>) =>
    send(
      gateway,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      {
        headers: {
          Authorization: `Bearer ${gateway.token}`,
          'Content-Type': 'application/json',
          ...headers,
        },
      },
    );
  for (const text of TEXTS) {
    for (const name of ['MCP-Protocol-Version', 'Last-Event-ID']) {
      const { status } = await ask({ [name]: text });
      assert.equal(status, 400, `${name}: ${text}`);
    }
  }
  assert.equal(backend.received.length, 0);
  for (const headers of [
    { 'MCP-Protocol-Version': '2025-06-18' },
    { 'MCP-Protocol-Version': '2025-11-25', 'Last-Event-ID': '17' },
    { 'Last-Event-ID': `${crypto.randomUUID()}_1764416414000_k3j5h2` },
  ] as const) {
    assert.equal((await ask(headers)).status, 200, JSON.stringify(headers));
  }
});

test('a list of tools cannot be gone around by another spelling of the method', async (t) => {
  const backend = await answering(t);
  const gateway = await startGuard(t, backend, "allowed_tools: {'*': [read_file]}");
  const call = (method: string, name = 'delete_file') =>
    send(gateway, { jsonrpc: '2.0', id: 1, method, params: { name, arguments: {} } });
  for (const method of [
    'Tools/Call',
    'tools/call ',
    'tools//call',
    'tools.call',
    'TOOLS/CALL',
    'tools/call/',
    'x/run',
  ]) {
    const { error, id } = (await (await call(method)).json()) as { error: { code: number }; id: 1 };
    assert.ok([-32_600, -32_601].includes(error.code) && id === 1, method);
  }
  assert.equal(backend.received.length, 0);
  assert.deepEqual(await (await call('tools/call', 'read_file')).json(), {
    jsonrpc: '2.0',
    id: 1,
    result: {},
  });
  assert.deepEqual(await (await call('ping')).json(), { jsonrpc: '2.0', id: 1, result: {} });
});
