import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { readEvents } from '../../src/mcp/events.ts';
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

test('a call is refused whose arguments split a value, or label it in another member', async (t) => {
  const backend = await serve(t, (_request, response) => void response.end());
  const gateway = await startGuard(t, backend, LIST);
  for (const args of [
    { a: '4539 1488', b: '0343 6467' },
    { name: 'ssn', value: '536228145' },
    { name: 'ssn', value: 536228145 },
  ]) {
    const answer = await send(gateway, call({ name: 'read_file', arguments: args }));
    const { error } = (await answer.json()) as { error?: { code: number } };
    assert.equal(error?.code, -32_001, JSON.stringify(args));
  }
  assert.equal(backend.received.length, 0);
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

const SPLIT = [
  { type: 'text', text: 'my ssn is 536-22' },
  { type: 'text', text: '-8145, says Ann.' },
];

/** Values whose texts a client puts together. */
const RUNS = {
  'the parts of a result': { content: SPLIT },
  'the messages of a prompt': {
    messages: SPLIT.map((content) => ({ role: 'user', content })),
  },
  'the parts of a message of a prompt': { messages: [{ role: 'user', content: SPLIT }] },
};

for (const [name, value] of Object.entries(RUNS)) {
  test(`a value that is split over ${name} is found, and replaced on both sides`, async (t) => {
    const backend = await serve(t, (_request, response) => {
      response.writeHead(200, JSON_TYPE);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: value }));
    });
    const asked = { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'p' } };
    const blocking = await startGuard(t, backend);
    const blocked = (await (await send(blocking, asked)).json()) as { error?: { data: object } };
    assert.deepEqual(blocked.error?.data, {
      code: 'PII_DETECTED',
      policy_id: 'pol_gateway',
      violation_reason: 'pii_scanner found ssn',
    });
    const redacting = await startGuard(t, backend, 'redact: placeholder');
    const text = await (await send(redacting, asked)).text();
    const { result } = JSON.parse(text) as { result: typeof value };
    assert.match(text, /ssn is \[SSN_1\]/);
    assert.match(text, /"text":"\[SSN_\d\], says Ann\."/);
    assert.deepEqual(Object.keys(result), Object.keys(value));
  });
}

test('parts that say nothing together pass as they came', async (t) => {
  const content = ['Row 1: 536', 'Row 2: 22-8145', 'Row 3'].map((text) => ({ type: 'text', text }));
  const backend = await serve(t, (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content } }));
  });
  const gateway = await startGuard(t, backend, 'redact: placeholder');
  const answer = await send(gateway, { jsonrpc: '2.0', id: 1, method: 'ping' });
  assert.deepEqual(((await answer.json()) as { result: object }).result, { content });
});

test('an event is no larger than the limit, whatever stands between its lines', async () => {
  async function* lines(line: string, count: number) {
    for (let at = 0; at < count; at++) yield Buffer.from(line);
  }
  const read = async (chunks: AsyncIterable<Uint8Array>) => {
    let count = 0;
    for await (const { kind } of readEvents(chunks, 1_000)) if (kind !== 'comment') count++;
    return count;
  };
  const part = `data: ${'x'.repeat(100)}\n`;
  for (const between of ['', ':\n', 'retry: 1\n']) {
    await assert.rejects(read(lines(part + between, 20)), /larger than 1000 characters/);
  }
  // Events of other names are left out one by one.
  assert.equal(await read(lines(`event: ping\n${part}\n`, 100)), 0);
  assert.equal(await read(lines(`${part}\n`, 100)), 100);
});

test('no record has what a caller writes in place of a tool or a method', async (t) => {
  const backend = await serve(t, (_request, response) => void response.end());
  const gateway = await startGuard(t, backend, LIST);
  await send(gateway, call({ name: PII_TEXTS.ssn }));
  await send(gateway, { ...call({ text: PII_TEXTS.ssn }), method: PII_TEXTS.ssn });
  const records = gateway.records().filter(({ mcp_method }) => mcp_method !== undefined);
  assert.deepEqual(
    records.map(({ mcp_method }) => mcp_method),
    ['tools/call', 'other'],
  );
  assert.ok(!JSON.stringify(gateway.records()).includes(PII_TEXTS.ssn));
});

test('a cookie with an API key opens no session: those of all would have one secret', async (t) => {
  const backend = await serve(t, (_request, response) => void response.end());
  const { url, token } = await startGuard(t, backend);
  const answer = await fetch(`${url}/mcp/tools`, {
    method: 'POST',
    headers: {
      Cookie: `__Host-probity_access=${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  assert.equal(answer.status, 401);
  assert.equal(backend.received.length, 0);
});

test('Base64 of a text is read, also with bytes around it that make it no UTF-8', async (t) => {
  let blob = '';
  const backend = await serve(t, (_request, response) => {
    const result = { contents: [{ uri: 'file:///a.png', mimeType: 'image/png', blob }] };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
  const gateway = await startGuard(t, backend);
  const ask = async (bytes: Uint8Array) => {
    blob = Buffer.from(bytes).toString('base64');
    const answer = await send(gateway, { jsonrpc: '2.0', id: 1, method: 'ping' });
    return ((await answer.json()) as { error?: { data?: { code: string } } }).error?.data?.code;
  };
  const text = Buffer.from(PII_TEXTS.ssn);
  assert.equal(await ask(text), 'PII_DETECTED');
  assert.equal(await ask(Buffer.concat([text, Buffer.from([0xff])])), 'PII_DETECTED');
  const noise = Buffer.alloc(40, 0xff);
  for (const written of [text, Buffer.from(PII_TEXTS.ssn, 'utf16le')]) {
    assert.equal(await ask(Buffer.concat([noise, written, noise])), 'PII_DETECTED');
  }
  assert.equal(
    await ask(Buffer.concat([noise, Buffer.from('536-22-8145'), noise])),
    'PII_DETECTED',
  );
  const random = createHash('shake256', { outputLength: 200_000 }).update('picture').digest();
  assert.equal(await ask(random), undefined);
});
