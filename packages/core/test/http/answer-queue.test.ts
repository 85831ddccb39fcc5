import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import type { Context } from 'koa';
import { createAnswerQueue } from '../../src/http/answer-queue.ts';
import { serveKoa } from '../../src/testing/http.ts';

/** Two requests that wait for an answer, and what their clients get. */
async function twoRequests(t: TestLifetime) {
  const contexts: Context[] = [];
  const arrivals = new EventEmitter();
  const came = once(arrivals, 'both');
  const url = await serveKoa(t, (ctx) => {
    ctx.respond = false;
    if (contexts.push(ctx) === 2) arrivals.emit('both');
  });
  const texts = [fetch(url), fetch(url)].map(async (each) => (await each).text());
  await came;
  return { contexts: contexts as [Context, Context], texts };
}

function answerOf(ctx: Context, body: string) {
  return { ctx, status: 200, headers: ['Content-Type', 'text/plain'], body };
}

const isWritten = ({ res }: Context) => res.writableEnded;

test('responses of one turn of the event loop are written at its end', async (t) => {
  const { contexts, texts } = await twoRequests(t);
  const queue = createAnswerQueue(createTestClock());
  for (const ctx of contexts) queue.add(answerOf(ctx, 'answer'));
  await Promise.resolve();
  assert.deepEqual(contexts.map(isWritten), [false, false]);
  await turn();
  assert.deepEqual(contexts.map(isWritten), [true, true]);
  assert.deepEqual(await Promise.all(texts), ['answer', 'answer']);
});

test('a queued response does not wait for a long turn of the event loop', async (t) => {
  const { contexts, texts } = await twoRequests(t);
  let nowMs = 0;
  const queue = createAnswerQueue({ ...createTestClock(), monotonicMs: () => nowMs });
  const [first, second] = contexts;
  queue.add(answerOf(first, 'answer'));
  nowMs = 1;
  queue.add(answerOf(second, 'answer'));
  assert.deepEqual(contexts.map(isWritten), [true, true]);
  assert.deepEqual(await Promise.all(texts), ['answer', 'answer']);
});

test('a response that was rejected meanwhile is left unchanged', async (t) => {
  const { contexts, texts } = await twoRequests(t);
  const queue = createAnswerQueue(createTestClock());
  const [first] = contexts;
  for (const ctx of contexts) queue.add(answerOf(ctx, 'answer'));
  first.res.writeHead(400).end('refused');
  // Koa calls it with null when a response is finished.
  first.onerror = (error: Error | null) => assert.equal(error, null);
  await turn();
  assert.deepEqual((await Promise.all(texts)).sort(), ['answer', 'refused']);
});
