import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send, serve, startGuard } from './world.ts';

const ID = '9007199254740993';
const NUMBERS = '[175928847299117063,-9223372036854775808,1.0,-0,1e400]';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const EVENTS = { 'Content-Type': 'text/event-stream' };
const call = (text: string) =>
  `{"jsonrpc":"2.0","id":${ID},"method":"tools/call","params":{"name":"get","arguments":{"v":${NUMBERS},"to":"${text}"}}}`;
const result = (text: string) =>
  `{"jsonrpc":"2.0","id":${ID},"result":{"content":[{"type":"text","text":"${text}"}],"structuredContent":{"v":${NUMBERS}}}}`;

for (const redact of ['off', 'placeholder']) {
  for (const text of ['none', 'a@example.org']) {
    test(`numbers of a call and its result pass as they were written: redact ${redact}, ${text}`, async (t) => {
      for (const isStream of [false, true]) {
        const backend = await serve(t, (_request, response) => {
          response.writeHead(200, isStream ? EVENTS : JSON_TYPE);
          response.end(isStream ? `data: ${result(text)}\n\n` : result(text));
        });
        const guard = await startGuard(t, backend, `redact: '${redact}'`);
        const answer = await send(guard, null, { body: call(text) });
        const passed = redact === 'off' ? text : text.replace(/.*@.*/, '[EMAIL_1]');
        assert.equal(backend.received.at(-1)?.body, call(passed));
        const body = await answer.text();
        const data = isStream ? body.split('data: ')[1]?.trim() : body;
        assert.equal(data, result(passed));
      }
    });
  }
}

for (const status of [400, 404, 405]) {
  test(`a failure of a server with status ${status} has the id of its request as it was written`, async (t) => {
    const backend = await serve(t, (_request, response) => {
      response.writeHead(status, JSON_TYPE).end('{}');
    });
    const answer = await send(await startGuard(t, backend, ''), null, { body: call('x') });
    assert.equal(answer.status, status);
    assert.ok((await answer.text()).startsWith(`{"jsonrpc":"2.0","id":${ID},"error":`));
  });
}

test('a schema of a tool and a refused call keep their numbers', async (t) => {
  const tools = `{"jsonrpc":"2.0","id":${ID},"result":{"tools":[{"name":"get","inputSchema":{"type":"object","properties":{"n":{"maximum":9223372036854775807}}}}]}}`;
  const backend = await serve(t, (_request, response) => {
    response.writeHead(200, JSON_TYPE).end(tools);
  });
  const guard = await startGuard(t, backend, 'allowed_tools: {app: [get]}, redact: placeholder');
  const listed = await send(guard, null, {
    body: `{"jsonrpc":"2.0","id":${ID},"method":"tools/list"}`,
  });
  assert.equal(await listed.text(), tools);
  const refused = await send(guard, null, { body: call('x').replace('"get"', '"other"') });
  assert.ok((await refused.text()).startsWith(`{"jsonrpc":"2.0","id":${ID},"error":`));
});
