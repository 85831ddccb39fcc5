import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { ProbityError } from '../../src/errors.ts';
import type { BodyBudget } from '../../src/http/body-budget.ts';
import { createBodyBudget } from '../../src/http/body-budget.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, sampleRouter } from './sample.ts';

const isUnavailable = (error: unknown) =>
  error instanceof ProbityError && error.kind === 'unavailable';

function openFor(budget: BodyBudget, address: string | null, organizationId: string | null = null) {
  return budget.open({ address, organizationId });
}

test('a body budget is shared by all addresses, and one address gets half of it', () => {
  const budget = createBodyBudget(100);
  const [first, second, other] = ['1.1.1.1', '1.1.1.1', '2.2.2.2'].map((each) =>
    openFor(budget, each),
  );
  assert.ok(first && second && other);
  first.take(30);
  second.take(20);
  assert.throws(() => second.take(1), isUnavailable);
  other.take(50);
  const third = openFor(budget, '3.3.3.3');
  assert.throws(() => third.take(1), isUnavailable);
  first.release();
  first.release();
  second.take(30);
  assert.throws(() => second.take(1), isUnavailable);
  for (const share of [second, other]) share.release();
  first.take(50);
});

test('the hosts of an IPv6 network get half of a body budget, and an organization a quarter, from wherever it sends', () => {
  const budget = createBodyBudget(100);
  openFor(budget, '2001:db8::1').take(50);
  assert.throws(() => openFor(budget, '2001:db8::2').take(1), isUnavailable);
  openFor(budget, '2001:db8:0:1::1', 'a').take(20);
  openFor(budget, null, 'a').take(5);
  for (const address of [null, '2001:db8:0:2::1']) {
    assert.throws(() => openFor(budget, address, 'a').take(1), isUnavailable);
  }
  const alone = openFor(budget, null, 'b');
  alone.take(25);
  assert.throws(() => alone.take(1), isUnavailable, 'the whole budget');
  alone.release();
  const other = createBodyBudget(100);
  openFor(other, '2001:db8::1', 'a').take(50);
  assert.throws(() => openFor(other, null, 'a').take(1), isUnavailable);
});

test('a full body budget ends the longest silent body of the organization that holds most', () => {
  const budget = createBodyBudget(100);
  const ended: string[] = [];
  const hold = (name: string, organizationId: string, bytes: number) => {
    const share = openFor(budget, '1.1.1.1', organizationId);
    share.endableBy((error) => {
      assert.ok(isUnavailable(error));
      ended.push(name);
    });
    share.take(bytes);
    return share;
  };
  const first = hold('first of a', 'a', 10);
  hold('second of a', 'a', 5);
  first.take(5);
  const parsed = hold('parsed of b', 'b', 24);
  parsed.endableBy(null);
  // Half of the budget is left for the address, of which 6 are free.
  hold('of c', 'c', 7);
  assert.deepEqual(ended, ['second of a']);
  assert.throws(() => hold('more of c', 'c', 8), isUnavailable);
  assert.deepEqual(ended, ['second of a'], 'an organization that holds as much ends nothing');
});

/** Sends the beginning of a body of 200 kB; `end` sends the rest and returns the status. */
function begin(url: string, bytes: number, path = '/things') {
  const outgoing = request(`${url}${path}`, {
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
  const others = ['127.0.0.1', '2.2.2.2'].map((address) => openFor(budget, address));
  for (const share of others) share.take(490_000);
  assert.deepEqual(await begin(url, 150_000).end(), [503, '1']);
  for (const share of others) share.release();
  for (let index = 0; index < 5; index += 1) {
    assert.deepEqual(await begin(url, 150_000).end(), [201, undefined]);
  }
});

test('a body that stays away is ended with 503 and a warning for one of an organization that holds less', async (t) => {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const budget = createBodyBudget(400_000);
  let taken = 0;
  const open: BodyBudget['open'] = (owner) => {
    const share = budget.open(owner);
    const take = (bytes: number) => {
      share.take(bytes);
      taken += bytes;
    };
    return { ...share, take };
  };
  const url = await serveKoa(t, sampleRouter({ bodyBudget: { open }, logger }));
  for (const name of ['a', 'b', 'c']) openFor(budget, null, name).take(80_000);
  const silent = begin(url, 150_000);
  while (taken < 150_000) await new Promise(setImmediate);
  openFor(budget, null, 'newcomer').take(50_000);
  const [answer] = await silent.response;
  answer.resume();
  assert.deepEqual([answer.statusCode, answer.headers.connection], [503, 'close']);
  const { level, message } = JSON.parse(lines[0] ?? '{}') as Record<string, unknown>;
  assert.deepEqual([level, message], ['warn', 'a request failed']);
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
