import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { PATIENCE_MS, until } from '@probity/test-support';
import type { Middleware } from 'koa';
import { systemClock } from '../../src/clock.ts';
import { createApplicationMiddleware } from '../../src/http/application.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpoint, stream } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import type { StreamedChunks } from '../../src/http/reply.ts';
import { createIds } from '../../src/ids.ts';
import type { Logger } from '../../src/logging/logger.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { as, collectRequests, serveKoa } from '../../src/testing/http.ts';
import { errorOf, sampleRouter, serveKit } from './sample.ts';

const shared = { tag: 'Streams', rateLimit: 'general', summary: 'Streams' } as const;
const LIMIT = 100_000;

function fail(message: string): never {
  throw new Error(message);
}

/** A logger that collects the messages and causes of errors. */
function collectErrors() {
  const logged: Array<[message: string, error: string]> = [];
  const logger: Logger = {
    ...silentLogger,
    error: (message, fields) => logged.push([message, String(fields?.error)]),
  };
  return { logged, logger };
}

/** A source whose `next` is `step`, and how often it was ended. */
function sourceOf(step: () => unknown) {
  let ends = 0;
  const chunks: StreamedChunks = {
    [Symbol.asyncIterator]: () => ({
      next: step as () => Promise<IteratorResult<string>>,
      async return() {
        ends += 1;
        return { done: true, value: undefined };
      },
    }),
  };
  return { chunks, ends: () => ends };
}

/** Everything that arrives until the server closes the connection. */
function receive(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(PATIENCE_MS, () => reject(new Error('the connection stays open')));
    let text = '';
    socket.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
  });
}

function download(
  chunks: (signal: AbortSignal) => StreamedChunks,
  headers: Readonly<Record<string, string>> = {},
): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/download',
    operationId: 'download',
    permission: 'alerts:read',
    responses: { 200: { description: 'Text', mediaType: ['text/plain', 'text/event-stream'] } },
    handler: async ({ context, reply }) =>
      reply.stream('text/plain; charset=utf-8', chunks(context.signal as AbortSignal), { headers }),
  });
}

/** Serves an endpoint in a host's application, and in one of our own. */
async function serveBoth(t: TestLifetime, declaration: Endpoint, logger: Logger = silentLogger) {
  const router = () => sampleRouter({ logger }, generalErrors, [declaration]);
  const errorFormatOf = () => generalErrors;
  const options = { errorFormatOf, clock: systemClock, ids: createIds(), logger };
  return {
    host: await serveKoa(t, router()),
    own: await serveKoa(t, createApplicationMiddleware(options), router()),
  };
}

/** A connection that has sent a GET of `/download`. */
function open(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /download HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner.org_1\r\n\r\n');
  return socket;
}

for (const place of ['host', 'own'] as const) {
  const title = place === 'host' ? "a host's application" : 'an application of our own';

  test(`a streamed answer arrives chunk by chunk, texts as UTF-8, in ${title}`, async (t) => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const urls = await serveBoth(
      t,
      download(async function* () {
        yield 'žlu';
        await released;
        yield Buffer.from('ťoučký');
      }),
    );
    const response = await fetch(`${urls[place]}/download`, { headers: as('owner') });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(response.headers.get('content-length'), null);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    assert.equal(Buffer.from((await reader.read()).value as Uint8Array).toString(), 'žlu');
    release();
    assert.equal(Buffer.from((await reader.read()).value as Uint8Array).toString(), 'ťoučký');
    assert.equal((await reader.read()).done, true);
  });

  test(`a slow client holds the source of a stream back in ${title}`, async (t) => {
    const chunk = Buffer.alloc(65_536);
    let made = 0;
    const urls = await serveBoth(
      t,
      download(async function* () {
        for (; made < 10_000; made += 1) yield chunk;
      }),
    );
    const socket = open(urls[place]);
    socket.pause();
    let before = -1;
    await until(() => {
      const isStill = made > 0 && made === before;
      before = made;
      return isStill;
    }, 'the source stands still');
    assert.ok(made < 1_000, `${made} chunks were made for a client that reads none`);
    socket.destroy();
  });

  test(`a client that disconnects ends the source and aborts the signal in ${title}`, async (t) => {
    const seen: string[] = [];
    const lines: string[] = [];
    let isOver = false;
    t.after(() => {
      isOver = true;
    });
    const logger = { ...silentLogger, error: (message: string) => lines.push(message) };
    const urls = await serveBoth(
      t,
      download(async function* (signal) {
        signal.addEventListener('abort', () => seen.push('aborted'));
        try {
          while (!isOver) {
            yield 'tick';
            await new Promise((resolve) => setImmediate(resolve));
          }
        } finally {
          seen.push('ended');
        }
      }),
      logger,
    );
    const socket = open(urls[place]);
    socket.once('data', () => socket.destroy());
    await until(() => seen.length === 2, 'the source has ended');
    assert.deepEqual(seen.sort(), ['aborted', 'ended']);
    assert.deepEqual(lines, []);
  });

  test(`a source that fails after the head destroys the connection and is logged in ${title}`, async (t) => {
    const { logged, logger } = collectErrors();
    const urls = await serveBoth(
      t,
      download(async function* () {
        yield 'a part';
        throw new Error('the disk is gone');
      }),
      logger,
    );
    const answer = await receive(open(urls[place]));
    assert.doesNotMatch(answer, /\r\n0\r\n\r\n$/, 'the answer must not look complete');
    assert.deepEqual(logged, [['a streamed response ended early', 'Error: the disk is gone']]);
  });

  test(`a faulty source of a stream destroys the connection, is logged and ended in ${title}`, async (t) => {
    const steps: Array<[() => unknown, RegExp]> = [
      [() => fail('thrown at once'), /^Error: thrown at once$/],
      [() => Promise.resolve({ done: false, value: null }), /^TypeError: .*null/],
      [() => Promise.resolve({ done: false, value: 7 }), /^TypeError: .*number/],
      [() => Promise.resolve(undefined), /^TypeError: /],
    ];
    for (const [step, expected] of steps) {
      const { logged, logger } = collectErrors();
      const source = sourceOf(step);
      const urls = await serveBoth(
        t,
        download(() => source.chunks),
        logger,
      );
      const answer = await receive(open(urls[place]));
      assert.doesNotMatch(answer, /\r\n0\r\n\r\n$/, 'the answer must not look complete');
      assert.deepEqual(
        logged.map(([message]) => message),
        ['a streamed response ended early'],
      );
      assert.match(logged[0]?.[1] ?? '', expected);
      await until(() => source.ends() === 1, 'the source is ended');
    }
  });

  test(`the source of a stream with an invalid header is ended in ${title}`, async (t) => {
    const source = sourceOf(() => Promise.resolve({ done: true, value: undefined }));
    const headers = { 'X-Bad': 'a\nb' };
    const urls = await serveBoth(
      t,
      download(() => source.chunks, headers),
    );
    const response = await fetch(`${urls[place]}/download`, { headers: as('owner') });
    assert.equal(response.status, 500);
    await until(() => source.ends() === 1, 'the source is ended');
  });

  test(`a source that fails to end after an invalid header is logged in ${title}`, async (t) => {
    const { logged, logger } = collectErrors();
    const chunks = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: true as const, value: undefined }),
        return: () => fail('it cannot end'),
      }),
    };
    const headers = { 'X-Bad': 'a\nb' };
    const urls = await serveBoth(
      t,
      download(() => chunks, headers),
      logger,
    );
    const response = await fetch(`${urls[place]}/download`, { headers: as('owner') });
    assert.equal(response.status, 500);
    await until(() => logged.some(([, error]) => error === 'Error: it cannot end'), 'it is logged');
  });
}

test('the head of an event stream is sent before its first event', async (t) => {
  const { own } = await serveBoth(
    t,
    download(async function* (signal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }),
  );
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(`${own}/download`, { headers: as('owner'), signal });
  assert.equal(response.status, 200);
  await response.body?.cancel();
});

function upload(seen: { chunks: number }, reads = true): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/upload',
    operationId: 'upload',
    permission: 'webhooks:write',
    body: stream({ types: ['text/csv', 'application/json'], limit: LIMIT }),
    responses: { 204: { description: 'Read' } },
    async handler({ body, reply }) {
      if (!reads) return reply(204);
      for await (const chunk of body) seen.chunks += chunk.length > 0 ? 1 : 0;
      return reply(204);
    },
  });
}

async function serveUpload(t: TestLifetime, reads = true) {
  const seen = { chunks: 0 };
  const idempotency = {
    run: () => Promise.reject(new Error('no streamed body gets here')),
  };
  const router = sampleRouter({ idempotency }, generalErrors, [upload(seen, reads)]);
  return { seen, url: `${await serveKoa(t, router)}/upload` };
}

test('a streamed body reaches the handler while it is still arriving', async (t) => {
  const { seen, url } = await serveUpload(t);
  const request = sendRequest(url, {
    method: 'POST',
    headers: as('owner', { 'content-type': 'text/csv' }),
  });
  const status = new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (response) => resolve(response.statusCode));
  });
  request.write('a,b\n');
  await until(() => seen.chunks === 1, 'the first chunk is read');
  request.end('1,2\n');
  assert.equal(await status, 204);
  assert.equal(seen.chunks, 2);
});

test('a streamed body that its handler does not read waits at its client', async (t) => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let entered = 0;
  const unread = endpoint({
    ...shared,
    method: 'POST',
    path: '/upload',
    operationId: 'upload',
    permission: 'webhooks:write',
    body: stream({ types: ['text/csv'], limit: 64 * 1_048_576 }),
    responses: { 204: { description: 'Read' } },
    async handler({ reply }) {
      entered += 1;
      await gate;
      return reply(204);
    },
  });
  const requests: IncomingMessage[] = [];
  const keep: Middleware = (ctx, next) => {
    requests.push(ctx.req);
    return next();
  };
  const { url } = await serveKit(t, [keep, sampleRouter({}, generalErrors, [unread])]);
  const client = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  t.after(() => client.destroy());
  const length = 32 * 1_048_576;
  client.write(
    'POST /upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner.org_1\r\n' +
      `Content-Type: text/csv\r\nContent-Length: ${length}\r\n\r\n`,
  );
  client.write(Buffer.alloc(length));
  await until(() => entered === 1, 'the handler runs');
  await until(() => requests[0]?.socket.isPaused() === true, 'the server has stopped reading');
  assert.ok((requests[0]?.socket.bytesRead ?? length) <= 4 * 65_536);
  assert.ok((requests[0]?.readableLength ?? length) <= 2 * 65_536);
  release();
});

test('a streamed body is checked against its media type and its limit', async (t) => {
  const { url } = await serveUpload(t);
  const post = (type: string, body: string | ReadableStream) => {
    const headers = as('owner', { 'content-type': type });
    return fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  };
  assert.equal((await post('text/csv; charset=utf-8', 'x'.repeat(LIMIT))).status, 204);
  const wrong = await post('text/html', 'x');
  assert.equal(wrong.status, 415);
  assert.match((await errorOf(wrong)).message, /must be text\/csv or application\/json, not text/);
  assert.equal((await post('text/csv', 'x'.repeat(LIMIT + 1))).status, 413);
  const unannounced = new Blob(['x'.repeat(LIMIT), 'y']).stream();
  const tooLong = await post('text/csv', unannounced);
  assert.equal(tooLong.status, 413);
  assert.equal((await errorOf(tooLong)).message, `The request body is larger than ${LIMIT} bytes.`);
});

test('a streamed body that is cut off is an error of the request', async (t) => {
  const { metrics, requests } = collectRequests();
  const router = sampleRouter({ metrics }, generalErrors, [upload({ chunks: 0 })]);
  const url = await serveKoa(t, router);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(
    'POST /upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner.org_1\r\n' +
      'Content-Type: text/csv\r\nContent-Length: 100\r\n\r\npart',
    () => socket.destroy(),
  );
  await until(() => requests.length === 1, 'the request was answered');
  assert.equal(requests[0]?.status, 400);
});

test('a body that the handler leaves unread ends its connection after the answer', async (t) => {
  const { url } = await serveUpload(t, false);
  const headers = as('owner', { 'content-type': 'text/csv' });
  const response = await fetch(url, { method: 'POST', headers, body: 'x'.repeat(90_000) });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get('connection'), 'close');
});

test('an Idempotency-Key is refused by name where the body is streamed', async (t) => {
  const { seen, url } = await serveUpload(t);
  const headers = as('owner', { 'content-type': 'text/csv', 'idempotency-key': 'k1' });
  const response = await fetch(url, { method: 'POST', headers, body: 'x' });
  assert.equal(response.status, 422);
  const { details } = await errorOf(response);
  assert.deepEqual(
    details?.map(({ field }) => field),
    ['Idempotency-Key'],
  );
  assert.equal(seen.chunks, 0);
});
