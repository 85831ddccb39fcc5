import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import fc from 'fast-check';
import type { Download, EventStream, ServerSentEvent } from '../src/index.ts';
import { ConnectionError, ResponseError, TimeoutError } from '../src/index.ts';
import { createEventParser } from '../src/server-sent-events.ts';
import { answerError, callAny, createTestTiming, startServer } from './world.ts';

const encoder = new TextEncoder();

function parse(text: string): ServerSentEvent<string>[] {
  return createEventParser().push(encoder.encode(text));
}

for (const [name, text, expected] of [
  ['one line', 'data: a\n\n', [{ event: 'message', id: '', data: 'a' }]],
  ['several lines', 'data: a\ndata:b\ndata\n\n', [{ event: 'message', id: '', data: 'a\nb\n' }]],
  ['a type and an id', 'event: e\nid: 7\ndata: a\n\n', [{ event: 'e', id: '7', data: 'a' }]],
  ['one space less', 'data:  a\n\n', [{ event: 'message', id: '', data: ' a' }]],
  ['a comment', ': ping\n\ndata: a\n\n', [{ event: 'message', id: '', data: 'a' }]],
  ['an event without data', 'event: e\n\ndata: a\n\n', [{ event: 'message', id: '', data: 'a' }]],
  ['no end', 'data: a\n', []],
  ['a byte order mark', '\uFEFFdata: a\n\n', [{ event: 'message', id: '', data: 'a' }]],
  ['CR and CRLF', 'data: a\rdata: b\r\n\r\n', [{ event: 'message', id: '', data: 'a\nb' }]],
  ['unknown fields', 'retry: 9\nx: y\ndata: a\n\n', [{ event: 'message', id: '', data: 'a' }]],
  ['an id that holds on', 'id: 1\ndata: a\n\ndata: b\n\n', ['1', '1']],
  ['an id with U+0000', 'id: 1\u0000\ndata: a\n\n', ['']],
  [
    'a colon in the data',
    'data: {"a":"b: c"}\n\n',
    [{ event: 'message', id: '', data: '{"a":"b: c"}' }],
  ],
] as const) {
  test(`events are parsed: ${name}`, () => {
    const events = parse(text);
    const ids = typeof expected[0] === 'string';
    assert.deepEqual(ids ? events.map(({ id }) => id) : events, expected);
  });
}

test('events are the same however their bytes are cut', () => {
  const line = fc.constantFrom('data: ä€😀', 'data: b', 'id: 1', 'event: e', ': c', '', 'data');
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const text = fc.array(fc.tuple(line, end), { maxLength: 12 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (lines, cuts) => {
      // A last line that is no CR: whether that ends a line shows only with the next byte.
      const bytes = encoder.encode(`${lines.flat().join('')}: end\n`);
      const parser = createEventParser();
      const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])];
      places.sort((left, right) => left - right);
      const parts = places.slice(1).map((place, index) => bytes.slice(places[index], place));
      const whole = createEventParser().push(bytes);
      assert.deepEqual(
        parts.flatMap((part) => parser.push(part)),
        whole,
      );
    }),
  );
});

function eventsOf(
  server: { readonly url: string },
  options: Parameters<typeof callAny>[2] = {},
): EventStream<{ readonly n: number }> {
  const operation = { method: 'POST', takesBody: true, answer: 'events' } as const;
  return callAny(server, operation, options) as EventStream<{ readonly n: number }>;
}

test('events arrive one by one, and leaving the loop closes the connection', async (t) => {
  let isClosed = false;
  const server = await startServer(t, (response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const n of [1, 2, 3]) response.write(`event: finding\ndata: {"n":${n}}\n\n`);
  });
  const seen: number[] = [];
  for await (const { event, data } of eventsOf(server)) {
    assert.equal(event, 'finding');
    seen.push(data.n);
    if (data.n === 2) break;
  }
  assert.deepEqual(seen, [1, 2]);
  await until(() => isClosed, 'the connection is closed');
});

test('a stream that ends, ends the loop; one that breaks off throws and is not repeated', async (t) => {
  const server = await startServer(t, (response, _request, index) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: {"n":1}\n\n');
    if (index === 0) response.end();
    else setImmediate(() => response.destroy());
  });
  const read = async () => {
    const seen: number[] = [];
    for await (const { data } of eventsOf(server)) seen.push(data.n);
    return seen;
  };
  assert.deepEqual(await read(), [1]);
  await assert.rejects(read(), ConnectionError);
  assert.equal(server.requests.length, 2);
});

test('a stream that is refused throws its error', async (t) => {
  const server = await startServer(t, (response) => answerError(response, 422, 'VALIDATION_ERROR'));
  await assert.rejects(
    async () => {
      for await (const _ of eventsOf(server)) assert.fail();
    },
    { code: 'VALIDATION_ERROR', status: 422 },
  );
});

test('a stream without data for too long, with an event too large, or without JSON throws', async (t) => {
  const bodies = [': ping\n\n', `data: "${'x'.repeat(5_000)}"\n`, 'data: x\n\n'];
  const timing = createTestTiming();
  const server = await startServer(t, (response, _request, index) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(bodies[index]);
  });
  const failures = [TimeoutError, ResponseError, ResponseError];
  for (const [index, failure] of failures.entries()) {
    const events = eventsOf(server, { timing, maxResponseBytes: 1_000 });
    const read = assert.rejects(async () => {
      for await (const _ of events) assert.fail();
    }, failure);
    if (index === 0) {
      await until(() => server.requests.length > index, 'the request arrives');
      for (const pass of [...timing.deadlines]) pass();
    }
    await read;
  }
  assert.equal(timing.deadlines.size, 0);
});

function downloadOf(
  server: { readonly url: string },
  options: Parameters<typeof callAny>[2] = {},
): Promise<Download> {
  return callAny(server, { answer: 'download' }, options) as Promise<Download>;
}

test('a download is read as bytes, text, lines, values or parts', async (t) => {
  const content = '{"n":1}\r\n\n{"n":"ä"}\n{"n":3}';
  const server = await startServer(t, (response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
    const bytes = Buffer.from(content);
    response.write(bytes.subarray(0, 18));
    response.end(bytes.subarray(18));
  });
  const download = await downloadOf(server);
  assert.equal(download.contentType, 'application/x-ndjson; charset=utf-8');
  assert.equal(await download.text(), content);
  assert.deepEqual(await (await downloadOf(server)).bytes(), new Uint8Array(Buffer.from(content)));
  const lines: string[] = [];
  for await (const line of (await downloadOf(server)).lines()) lines.push(line);
  assert.deepEqual(lines, ['{"n":1}', '', '{"n":"ä"}', '{"n":3}']);
  const values: unknown[] = [];
  for await (const value of (await downloadOf(server)).jsonLines<{ n: unknown }>()) {
    values.push(value.n);
  }
  assert.deepEqual(values, [1, 'ä', 3]);
  let length = 0;
  for await (const part of await downloadOf(server)) length += part.length;
  assert.equal(length, Buffer.byteLength(content));
});

test('a download is requested again before it begins, and not after', async (t) => {
  const server = await startServer(t, (response, _request, index) => {
    if (index === 0) return answerError(response, 503);
    response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Length': '100' });
    response.write('a,b\n');
    setImmediate(() => response.destroy());
  });
  const download = await downloadOf(server);
  await assert.rejects(download.text(), ConnectionError);
  assert.equal(server.requests.length, 2);
});

test('a download holds lines and whole answers to maxResponseBytes, and parts to nothing', async (t) => {
  const server = await startServer(t, (response) => {
    response.writeHead(200, { 'Content-Type': 'text/csv' });
    response.end('x'.repeat(50_000));
  });
  const options = { maxResponseBytes: 10_000 };
  await assert.rejects((await downloadOf(server, options)).text(), { code: 'response_too_large' });
  await assert.rejects(
    async () => {
      for await (const _ of (await downloadOf(server, options)).lines()) assert.fail();
    },
    { code: 'response_too_large' },
  );
  let length = 0;
  for await (const part of await downloadOf(server, options)) length += part.length;
  assert.equal(length, 50_000);
});

test('a download that is canceled closes its connection', async (t) => {
  let isClosed = false;
  const timing = createTestTiming();
  const server = await startServer(t, (response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.writeHead(200, { 'Content-Type': 'text/csv' }).write('a');
  });
  const download = await downloadOf(server, { timing });
  download.cancel();
  await until(() => isClosed, 'the connection is closed');
  assert.equal(timing.deadlines.size, 0);
});

test('the time limit of a stream does not run while its reader uses what has arrived', async (t) => {
  const timing = createTestTiming();
  const server = await startServer(t, (response, { path }) => {
    const isEvents = path.endsWith('events');
    response.writeHead(200, { 'Content-Type': isEvents ? 'text/event-stream' : 'text/csv' });
    response.write('data: {"n":1}\n\n');
    if (!isEvents) response.end();
  });
  const download = await downloadOf(server, { timing });
  assert.equal(timing.deadlines.size, 0, 'before it is read');
  for await (const _ of download) assert.equal(timing.deadlines.size, 0, 'while a part is used');
  const operation = { answer: 'events', path: '/events' } as const;
  for await (const _ of callAny(server, operation, { timing }) as EventStream<unknown>) {
    assert.equal(timing.deadlines.size, 0, 'while an event is used');
    break;
  }
  assert.equal(timing.deadlines.size, 0);
});
