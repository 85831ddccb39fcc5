import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { z } from 'zod';
import { systemClock } from '../../src/clock.ts';
import { ProbityError } from '../../src/errors.ts';
import { acceptsIdempotencyKey, endpoint, stream } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { errorOf, sampleRouter } from './sample.ts';

const LIMIT = 2_000_000;

/** An endpoint whose body is read as its lines are counted; a line `bad` is refused at once. */
function lineCounter(seen: { runs: number; chunks: number }) {
  return endpoint({
    method: 'POST',
    path: '/lines',
    operationId: 'countLines',
    summary: 'Count lines',
    tag: 'Streams',
    rateLimit: 'general',
    permission: 'webhooks:write',
    body: stream({
      types: ['text/plain'],
      limit: LIMIT,
      schema: z.string().meta({ id: 'Lines' }),
      async read(chunks) {
        let lines = 0;
        for await (const chunk of chunks) {
          seen.chunks += 1;
          const text = Buffer.from(chunk).toString();
          if (text.startsWith('bad')) throw new ProbityError('invalid_request', 'A bad line.');
          lines += text.split('\n').length - 1;
        }
        return { lines };
      },
    }),
    responses: { 200: { description: 'Counted', schema: z.strictObject({ lines: z.number() }) } },
    async handler({ body, reply }) {
      seen.runs += 1;
      return reply(200, { lines: body.lines });
    },
  });
}

async function serveLines(t: TestLifetime) {
  const seen = { runs: 0, chunks: 0 };
  const idempotency = createIdempotency({ database: createMemoryDatabase(), clock: systemClock });
  const router = sampleRouter({ idempotency }, generalErrors, [lineCounter(seen)]);
  const url = `${await serveKoa(t, router)}/lines`;
  const post = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: as('owner', { 'content-type': 'text/plain', ...headers }),
      body,
      duplex: 'half',
    } as RequestInit);
  return { seen, post };
}

test('what is read of a streamed body reaches the handler', async (t) => {
  const { seen, post } = await serveLines(t);
  const response = await post('a\nb\n'.repeat(100_000));
  assert.deepEqual(await response.json(), { lines: 200_000 });
  assert.equal(seen.runs, 1);
  assert.ok(seen.chunks > 1, 'the body came in parts');
});

test('a body that is read may carry an Idempotency-Key, which stands for what was read', async (t) => {
  const { seen, post } = await serveLines(t);
  const keyed = { 'idempotency-key': 'k1' };
  const first = await post('a\nb\n', keyed);
  const again = await post('c\nd\n', keyed);
  assert.deepEqual(await first.json(), { lines: 2 });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(seen.runs, 1);
  const other = await post('a\n', keyed);
  assert.equal(other.status, 422);
  assert.ok(acceptsIdempotencyKey(lineCounter(seen)));
});

test('a body that is refused while it arrives is answered to a client that is still sending', async (t) => {
  const { seen, post } = await serveLines(t);
  const parts = ['bad\n', ...Array.from({ length: 30 }, () => 'x'.repeat(60_000))];
  const body = new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(Buffer.from(part));
    },
  });
  const response = await post(body);
  assert.equal(response.status, 400);
  assert.equal((await errorOf(response)).message, 'A bad line.');
  assert.equal(parts.length, 0, 'all of it was taken');
  assert.deepEqual(seen, { runs: 0, chunks: 1 });
});

test('a body that is read is limited, and documented by its schema', async (t) => {
  const { seen, post } = await serveLines(t);
  assert.equal((await post('x'.repeat(LIMIT + 1))).status, 413);
  const announced = new Blob(['x'.repeat(LIMIT), 'y']).stream();
  assert.equal((await post(announced)).status, 413);
  assert.equal(seen.runs, 0);
  const groups = [{ prefix: '', errorFormat: generalErrors, endpoints: [lineCounter(seen)] }];
  const document = createOpenApiDocument({ title: 'Test', version: '1' }, groups) as {
    paths: Record<string, { post: { requestBody: unknown; parameters: unknown } }>;
  };
  const operation = document.paths['/lines']?.post;
  assert.deepEqual(operation?.requestBody, {
    required: true,
    content: { 'text/plain': { schema: { $ref: '#/components/schemas/Lines' } } },
  });
  assert.match(JSON.stringify(operation.parameters), /Idempotency-?Key/i);
});
