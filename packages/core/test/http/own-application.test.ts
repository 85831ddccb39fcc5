import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request as sendRequest } from 'node:http';
import { test } from 'node:test';
import type { Middleware } from 'koa';
import Koa from 'koa';
import { z } from 'zod';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import type { ReplyFunction } from '../../src/http/reply.ts';
import { addressOf, as, serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, ownApplication, sampleEndpoints, sampleRouter } from './sample.ts';

const text = z.strictObject({ text: z.string() });
const responses = {
  200: { description: 'A text', schema: text },
  201: { description: 'An id', schema: z.strictObject({ id: z.int() }) },
  202: { description: 'Later' },
  204: { description: 'Nothing' },
} as const;
const fileResponses = { 200: { description: 'A file', mediaType: 'application/pdf' } } as const;
const nullResponses = { 200: { description: 'Null', schema: z.null() } } as const;

async function* pieces() {
  yield 'Žluť';
  yield Buffer.from('oučký');
}

/** Replies of every kind that a handler may give. */
const REPLIES = {
  text: (reply: ReplyFunction<typeof responses>) => reply(200, { text: 'plain' }),
  accents: (reply: ReplyFunction<typeof responses>) =>
    reply(200, { text: 'Žluťoučký kůň 🐎 \u0000' }),
  latin: (reply: ReplyFunction<typeof responses>) => reply(200, { text: 'é' }),
  created: (reply: ReplyFunction<typeof responses>) =>
    reply(201, { id: 1 }, { headers: { Location: '/things/1' } }),
  nothing: (reply: ReplyFunction<typeof responses>) => reply(204),
  accepted: (reply: ReplyFunction<typeof responses>) => reply(202),
  cookies: (reply: ReplyFunction<typeof responses>) =>
    reply(
      200,
      { text: '' },
      { cookies: ['a=1; Secure', 'b=2'], headers: { 'Cache-Control': 'no-store' } },
    ),
  override: (reply: ReplyFunction<typeof responses>) =>
    reply(200, { text: '' }, { headers: { 'x-content-type-options': 'other' } }),
};

const FILES = {
  file: (reply: ReplyFunction<typeof fileResponses>) =>
    reply.bytes('application/pdf', Buffer.from([0, 255, 128])),
  stream: (reply: ReplyFunction<typeof fileResponses>) => reply.stream('application/pdf', pieces()),
};

const shared = { tag: 'Things', rateLimit: 'general', permission: 'alerts:read' } as const;

function replyEndpoints(): Endpoint[] {
  const common = { ...shared, method: 'GET', summary: 'Replies' } as const;
  return [
    ...sampleEndpoints(),
    ...Object.entries(REPLIES).map(([kind, toReply]) =>
      endpoint({
        ...common,
        path: `/replies/${kind}`,
        operationId: kind,
        responses,
        handler: async ({ reply }) => toReply(reply),
      }),
    ),
    ...Object.entries(FILES).map(([kind, toReply]) =>
      endpoint({
        ...common,
        path: `/replies/${kind}`,
        operationId: kind,
        responses: fileResponses,
        handler: async ({ reply }) => toReply(reply),
      }),
    ),
    endpoint({
      ...common,
      path: '/replies/null',
      operationId: 'null',
      responses: nullResponses,
      handler: async ({ reply }) => reply(200, null),
    }),
  ];
}

interface Seen {
  readonly status: number | undefined;
  readonly headers: string[];
  readonly body: string;
}

function see(url: string, method: string, headers: object, body?: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, {
      method,
      headers: { ...headers, 'x-request-id': 'of-test-1' },
    });
    request.on('error', reject).on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const { statusCode: status, rawHeaders } = response;
          const pairs = rawHeaders.flatMap((name, index) =>
            index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
          );
          const timeless = pairs.filter(
            (pair) => !/^(?:Date|X-RateLimit-Reset|RateLimit):/.test(pair),
          );
          resolve({
            status,
            headers: timeless.sort(),
            body: Buffer.concat(chunks).toString('latin1'),
          });
        });
    });
    request.end(body);
  });
}

const requests: ReadonlyArray<readonly [string, string, string, object, string?]> = [
  ...[...Object.keys(REPLIES), ...Object.keys(FILES), 'null'].map(
    (kind) => [`for ${kind}`, 'GET', `/replies/${kind}`, as('owner')] as const,
  ),
  ['for the head of an answer', 'HEAD', '/replies/accents', as('owner')],
  ['for the head of a stream', 'HEAD', '/replies/stream', as('owner')],
  ['for the head of none', 'HEAD', '/replies/nothing', as('owner')],
  ['without a credential', 'GET', '/things', {}],
  ['with a bad body', 'POST', '/things', asOwnerJson, '{"name":'],
  ['with a body nobody reads', 'POST', '/things', { 'content-type': 'application/json' }, '{}'],
  ['too large', 'POST', '/things', asOwnerJson, `{"name":"${'x'.repeat(1_100_000)}"}`],
  ['with another method', 'PUT', '/things', as('owner')],
  ['that fails', 'GET', '/broken', as('owner')],
  ['with a body', 'POST', '/things', asOwnerJson, '{"name":"a"}'],
];

for (const [name, method, path, headers, body] of requests) {
  test(`a request ${name} is answered in an application of our own as in a host's`, async (t) => {
    const router = () => sampleRouter({}, generalErrors, replyEndpoints());
    const own = await serveKoa(t, ownApplication(), router());
    const host = await serveKoa(t, router());
    const seen = await see(own + path, method, headers, body);
    assert.deepEqual(seen, await see(host + path, method, headers, body));
    assert.ok(seen.headers.includes('X-Request-Id: of-test-1'));
  });
}

test('a host sees the answer of a router, and can change it', async (t) => {
  const seen: unknown[] = [];
  const outside: Middleware = async (ctx, next) => {
    await next();
    seen.push(ctx.status, ctx.body, ctx.response.get('X-Request-Id') !== '');
    ctx.set('X-Host', 'yes');
  };
  const url = await serveKoa(t, outside, sampleRouter());
  const response = await fetch(`${url}/open`);
  assert.deepEqual(seen, [200, '{"open":true}', true]);
  assert.equal(response.headers.get('x-host'), 'yes');
});

test('responses of other middleware in an application with ours have the standard headers', async (t) => {
  const url = await serveKoa(t, ownApplication(), (ctx) => {
    ctx.body = 'metrics';
  });
  const response = await fetch(url);
  assert.equal(await response.text(), 'metrics');
  assert.equal(response.headers.get('server'), 'Probity-API/v1');
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/);
});

test('a response that cannot be written is answered 500 and emits the error event of the application', async (t) => {
  const broken = endpoint({
    ...shared,
    method: 'GET',
    path: '/split',
    operationId: 'getSplit',
    summary: 'Has a header that is none',
    responses,
    handler: async ({ reply }) => reply(202, undefined, { headers: { 'X-Name': 'a\r\nb: c' } }),
  });
  const errors: unknown[] = [];
  const app = new Koa()
    .use(ownApplication())
    .use(sampleRouter({}, generalErrors, [broken]).routes());
  app.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code));
  const url = await addressOf(t, app.listen(0, '127.0.0.1'));
  const response = await fetch(`${url}/split`, { headers: as('owner') });
  assert.equal(response.status, 500);
  assert.equal(response.headers.get('b'), null);
  assert.deepEqual(errors, ['ERR_INVALID_CHAR']);
});
