import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { ProbityError } from '../../src/errors.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors, platformErrors, scimErrors } from '../../src/http/error-format.ts';
import type { Reply, ReplyFunction, ResponseDeclarations } from '../../src/http/reply.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { errorOf, sampleRouter } from './sample.ts';

const thing = z.strictObject({ data: z.strictObject({ id: z.string() }) });
const responses: ResponseDeclarations = {
  200: { description: 'A thing', schema: thing },
  204: { description: 'Nothing' },
};

type Give = (reply: ReplyFunction<ResponseDeclarations>) => Reply;

function thingEndpoint(give: Give, declared = responses) {
  return endpoint({
    method: 'GET',
    path: '/thing',
    operationId: 'getThing',
    summary: 'Get',
    tag: 'Things',
    permission: 'alerts:read',
    rateLimit: 'general',
    responses: declared,
    handler: async ({ reply }) => give(reply),
  });
}

/** An answer that TypeScript would refuse. */
function unchecked(status: number, body?: unknown): Give {
  return (reply) => (reply as unknown as (...parts: unknown[]) => Reply)(status, body);
}

function fail(kind: 'conflict' | 'rate_limited'): Give {
  return () => {
    throw new ProbityError(kind, 'Refused.');
  };
}

const faults: ReadonlyArray<readonly [string, Give, RegExp]> = [
  ['with a member too many', unchecked(200, { data: { id: 'a', secret: 's' } }), /data: .*secret/],
  ['with a member missing', unchecked(200, { data: {} }), /data\.id/],
  ['with a member that JSON leaves out', unchecked(200, { data: { id: undefined } }), /data\.id/],
  ['of an undeclared status', unchecked(201, { data: { id: 'a' } }), /status is not declared/],
  ['with a body where none is declared', unchecked(204, {}), /no body is declared/],
  ['without the declared body', unchecked(200), /a body is declared/],
  ['that is an undeclared error', fail('conflict'), /409 of getThing/],
];

for (const [name, give, fault] of faults) {
  test(`an answer ${name} is 500 naming operation and fault where replies are checked`, async (t) => {
    const url = await serveKoa(t, sampleRouter({}, generalErrors, [thingEndpoint(give)]));
    const response = await fetch(`${url}/thing`, { headers: as('owner') });
    assert.equal(response.status, 500);
    const { message } = await errorOf(response);
    assert.match(message, /getThing/);
    assert.match(message, fault);
  });

  test(`an answer ${name} is sent as it is where replies are not checked`, async (t) => {
    const router = sampleRouter({ checkReplies: false }, generalErrors, [thingEndpoint(give)]);
    const response = await fetch(`${await serveKoa(t, router)}/thing`, { headers: as('owner') });
    assert.notEqual(response.status, 500);
    await response.arrayBuffer();
  });
}

test('checked replies of bytes must have a declared media type', async (t) => {
  const files: ResponseDeclarations = { 200: { description: 'A file', mediaType: 'text/csv' } };
  const give =
    (type: string): Give =>
    (reply) =>
      reply.bytes(type as never, Buffer.from('a'));
  const statusOf = async (type: string) => {
    const router = sampleRouter({}, generalErrors, [thingEndpoint(give(type), files)]);
    return (await fetch(`${await serveKoa(t, router)}/thing`, { headers: as('owner') })).status;
  };
  assert.equal(await statusOf('text/csv; charset=utf-8'), 200);
  assert.equal(await statusOf('text/html'), 500);
});

test('answers and errors that fit their declaration pass the check in every error format', async (t) => {
  for (const format of [generalErrors, platformErrors, scimErrors]) {
    for (const [give, status] of [
      [unchecked(200, { data: { id: 'a' } }), 200],
      [unchecked(204), 204],
      [fail('rate_limited'), 429],
    ] as const) {
      const url = await serveKoa(t, sampleRouter({}, format, [thingEndpoint(give)]));
      const response = await fetch(`${url}/thing`, { headers: as('owner') });
      assert.equal(response.status, status, format.name);
      await response.arrayBuffer();
    }
  }
});
