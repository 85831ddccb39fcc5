import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import type { EventStream, TextParts } from '../src/index.ts';
import { callAny } from './world.ts';

/** A server that is given each request before its body has arrived. */
async function startStreaming(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly url: string }> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const operation = {
  method: 'POST',
  takesBody: true,
  partsOf: 'response',
  answer: 'events',
} as const;

function send(server: { readonly url: string }, response: TextParts | string) {
  const body = { prompt: 'Where?', response };
  return callAny(server, operation, {}, [body]) as EventStream<{ readonly line: unknown }>;
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let rest = '';
  request.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) response.write(`data: {"line":${line}}\n\n`);
  });
  request.on('end', () => response.end());
}

test('parts of a response are sent as they come, while the events are read', async (t) => {
  let type: string | undefined;
  const server = await startStreaming(t, (request, response) => {
    type = request.headers['content-type'];
    echo(request, response);
  });
  const seen: unknown[] = [];
  async function* parts() {
    yield 'a';
    // The model goes on only once its first words have been answered.
    await until(() => seen.length === 2, 'the first part is answered');
    yield '😀';
  }
  for await (const { data } of send(server, parts())) seen.push(data.line);
  assert.deepEqual(seen, [{ prompt: 'Where?' }, { text: 'a' }, { text: '😀' }]);
  assert.equal(type, 'application/x-ndjson');
});

test('parts may be a stream, and a text is sent as JSON', async (t) => {
  const server = await startStreaming(t, echo);
  const stream = new ReadableStream<string>({
    start(controller) {
      for (const text of ['a', 'b']) controller.enqueue(text);
      controller.close();
    },
  });
  const seen: unknown[] = [];
  for await (const { data } of send(server, stream)) seen.push(data.line);
  assert.deepEqual(seen, [{ prompt: 'Where?' }, { text: 'a' }, { text: 'b' }]);
  let body = '';
  const whole = await startStreaming(t, async (request, response) => {
    for await (const chunk of request) body += chunk;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('data: {}\n\n');
  });
  for await (const _ of send(whole, 'all of it'));
  assert.deepEqual(JSON.parse(body), { prompt: 'Where?', response: 'all of it' });
});

test('a source of parts is ended when the server ends the answer or the loop is left', async (t) => {
  for (const isLeft of [false, true]) {
    const server = await startStreaming(t, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', Connection: 'close' });
      response.write('data: {"line":1}\n\n');
      if (!isLeft) response.end();
    });
    let isEnded = false;
    async function* parts() {
      try {
        for (;;) {
          yield 'a';
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      } finally {
        isEnded = true;
      }
    }
    for await (const _ of send(server, parts())) if (isLeft) break;
    await until(() => isEnded, `the source is ended; the loop is left: ${isLeft}`);
  }
});
