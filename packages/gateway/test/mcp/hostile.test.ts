import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PII_TEXTS } from '../texts.ts';
import { send, serve, startGuard } from './world.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LIST = 'allowed_tools: {app: [read_file]}';

const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

test('a tool is not called by a second name in other letters, which servers in Go and .NET take', async (t) => {
  const backend = await serve(t, (_request, response) => {
    response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":1,"result":{}}');
  });
  const gateway = await startGuard(t, backend, LIST);
  for (const name of ['Name', 'NAME', 'nAme', 'ｎame']) {
    const answer = await send(gateway, call({ name: 'read_file', [name]: 'delete_file' }));
    const { error } = (await answer.json()) as { error?: { code: number } };
    assert.equal(error?.code, -32_602, name);
  }
  assert.equal(backend.received.length, 0);
  const allowed = await send(gateway, call({ name: 'read_file', arguments: { A: 1, a: 2 } }));
  assert.deepEqual(await allowed.json(), { jsonrpc: '2.0', id: 1, result: {} });
});

test('a name of a tool that is no text is refused as an unknown one', async (t) => {
  const backend = await serve(t, (_request, response) => void response.end());
  const gateway = await startGuard(t, backend, LIST);
  for (const name of [{ toString: 1 }, ['read_file'], null]) {
    const answer = await send(gateway, call({ name }));
    const { error } = (await answer.json()) as { error?: { code: number } };
    assert.equal(error?.code, -32_602);
  }
});

test('an answer that is a notification which blocks is a failure of the server', async (t) => {
  const backend = await serve(t, (_request, response) => {
    const params = { data: PII_TEXTS.ssn };
    const message = { jsonrpc: '2.0', method: 'notifications/message', params };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(message));
  });
  const gateway = await startGuard(t, backend);
  const answer = await send(gateway, { jsonrpc: '2.0', id: 1, method: 'ping' });
  assert.equal(answer.status, 200);
  const { id, error } = (await answer.json()) as { id: number; error?: { code: number } };
  assert.deepEqual([id, error?.code], [1, -32_000]);
});
