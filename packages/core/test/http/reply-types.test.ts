import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { endpoint, stream } from '../../src/http/endpoint.ts';
import type { Reply } from '../../src/http/reply.ts';
import { reply as makeReply } from '../../src/http/reply.ts';

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;

/** Compiles only where the check is true. */
function assertType<Check extends true>(): Check | undefined {
  return undefined;
}

const shared = {
  method: 'POST',
  path: '/a',
  operationId: 'a',
  summary: 'A',
  tag: 'A',
  permission: 'public',
  rateLimit: 'none',
} as const;
const thing = z.strictObject({ id: z.string(), size: z.int().nullable() });
const responses = {
  200: { description: 'A thing', schema: z.strictObject({ data: thing }) },
  202: { description: 'Later' },
} as const;

const json = endpoint({
  ...shared,
  params: z.strictObject({ id: z.string() }),
  query: z.strictObject({ limit: z.string().transform(Number) }),
  headers: z.object({ 'if-match': z.string().optional() }),
  body: z.strictObject({ name: z.string().default('x') }),
  responses,
  async handler({ params, query, headers, body, reply }) {
    assertType<Equal<typeof params, { id: string }>>();
    assertType<Equal<typeof query, { limit: number }>>();
    assertType<Equal<typeof headers, { 'if-match'?: string | undefined }>>();
    assertType<Equal<typeof body, { name: string }>>();
    const answer = reply(200, { data: { id: 'a', size: null } });
    assertType<Equal<typeof answer, Reply>>();
    return params.id === '' ? reply(202) : answer;
  },
});

const csv = endpoint({
  ...shared,
  body: stream({ types: ['text/csv'], limit: 10 }),
  responses: { 200: { description: 'Rows', mediaType: ['text/csv', 'application/json'] } },
  async handler({ body, reply, params }) {
    assertType<Equal<typeof body, AsyncIterable<Uint8Array>>>();
    assertType<Equal<typeof params, undefined>>();
    return reply.stream('text/csv; charset=utf-8', body, { headers: { a: 'b' } });
  },
});

test('reply creates the parts of a declared response', async () => {
  const ask = (declared: typeof json, params: object, body: unknown) =>
    declared.handler({
      context: {} as never,
      params,
      query: {},
      headers: {},
      body,
      units: 1,
      reply: makeReply,
    });
  assert.deepEqual(await ask(json, { id: 'a' }, {}), {
    status: 200,
    body: { data: { id: 'a', size: null } },
  });
  assert.equal((await ask(json, { id: '' }, {})).body, undefined);
  const rows = (async function* () {
    yield 'a';
  })();
  assert.deepEqual(await ask(csv, {}, rows), {
    status: 200,
    content: { contentType: 'text/csv; charset=utf-8', data: rows },
    headers: { a: 'b' },
  });
});

test('reply with an undeclared response is a compile error', async () => {
  const undeclared = endpoint({
    ...shared,
    responses,
    async handler({ reply }) {
      // @ts-expect-error: 201 is not declared
      reply(201, { data: { id: 'a', size: null } });
      // @ts-expect-error: a member is missing
      reply(200, { data: { id: 'a' } });
      // @ts-expect-error: a member is not declared
      reply(200, { data: { id: 'a', size: null, secret: 'b' } });
      // @ts-expect-error: a member is of another type
      reply(200, { data: { id: 'a', size: 'large' } });
      // @ts-expect-error: the body is missing
      reply(200);
      // @ts-expect-error: 202 has no body
      reply(202, {});
      // @ts-expect-error: no status is declared with bytes
      reply.bytes('application/pdf', Buffer.from(''));
      // @ts-expect-error: an answer is made by reply alone
      const made: Reply = { status: 299, body: {} };
      return made;
    },
  });
  const parts = { context: {} as never, params: {}, query: {}, headers: {}, body: {}, units: 1 };
  assert.equal((await undeclared.handler({ ...parts, reply: makeReply })).status, 299);
});
