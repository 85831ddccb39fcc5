import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { ProbityError } from '../../src/errors.ts';
import { createBodyBudget } from '../../src/http/body-budget.ts';
import { serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, sampleRouter } from './sample.ts';

const isUnavailable = (error: unknown) =>
  error instanceof ProbityError && error.kind === 'unavailable';

test('a body budget is shared by all addresses, and one address gets half of it', () => {
  const budget = createBodyBudget(100);
  const [first, second, other] = ['1.1.1.1', '1.1.1.1', '2.2.2.2'].map((each) => budget.open(each));
  assert.ok(first && second && other);
  first.take(30);
  second.take(20);
  assert.throws(() => second.take(1), isUnavailable);
  other.take(50);
  const third = budget.open('3.3.3.3');
  assert.throws(() => third.take(1), isUnavailable);
  first.release();
  first.release();
  second.take(30);
  assert.throws(() => second.take(1), isUnavailable);
  for (const share of [second, other]) share.release();
  first.take(50);
});

/** Sends the beginning of a body of 200 kB; `end` sends the rest and returns the status. */
function begin(url: string, bytes: number) {
  const outgoing = request(`${url}/things`, {
    method: 'POST',
    headers: { ...asOwnerJson, 'Content-Length': '200000' },
  });
  outgoing.on('error', () => undefined);
  const response = once(outgoing, 'response');
  response.catch(() => undefined);
  const body = JSON.stringify({ name: 'a' }).padEnd(200_000);
  outgoing.write(body.slice(0, bytes));
  return {
    async end() {
      outgoing.end(body.slice(bytes));
      const [answer] = await response;
      answer.resume();
      return [answer.statusCode, answer.headers['retry-after']];
    },
    response,
    abort: () => outgoing.destroy(),
  };
}

test('a request whose body finds no room is answered 503, and others go on when there is room', async (t) => {
  const budget = createBodyBudget(1_000_000);
  const url = await serveKoa(t, sampleRouter({ bodyBudget: budget }));
  const others = ['127.0.0.1', '2.2.2.2'].map((address) => budget.open(address));
  for (const share of others) share.take(490_000);
  assert.deepEqual(await begin(url, 150_000).end(), [503, '1']);
  for (const share of others) share.release();
  for (let index = 0; index < 5; index += 1) {
    assert.deepEqual(await begin(url, 150_000).end(), [201, undefined]);
  }
});

test('the room of a request is free again when its client disconnects', async (t) => {
  const budget = createBodyBudget(500_000);
  const url = await serveKoa(t, sampleRouter({ bodyBudget: budget }));
  for (let index = 0; index < 10; index += 1) begin(url, 150_000).abort();
  let status: unknown;
  for (let attempt = 0; attempt < 100 && status !== 201; attempt += 1) {
    [status] = await begin(url, 150_000).end();
  }
  assert.equal(status, 201);
});
