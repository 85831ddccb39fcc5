import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError, ProbityError, RateLimitError, ServerError } from '../src/index.ts';
import { retryAfterSeconds } from '../src/retry.ts';
import { answer, answerError, clientOf, createTestTiming, startServer } from './world.ts';

const STATUS = { data: { apiVersion: '1.0.0', status: 'operational', lastMaintenance: null } };

for (const status of [429, 500, 502, 503, 504]) {
  test(`a call that changes nothing is repeated after ${status}`, async (t) => {
    const server = await startServer(t, (response, _request, index) =>
      index < 2 ? answerError(response, status) : answer(response, 200, STATUS),
    );
    const { probity, timing } = clientOf(server);
    assert.equal((await probity.status.get()).apiVersion, '1.0.0');
    assert.equal(server.requests.length, 3);
    assert.deepEqual(timing.waits, status === 503 ? [1_000, 2_000] : [250, 500]);
  });
}

for (const status of [400, 401, 403, 404, 409, 413, 422, 501]) {
  test(`a call is not repeated after ${status}`, async (t) => {
    const server = await startServer(t, (response) => answerError(response, status));
    const { probity, timing } = clientOf(server);
    await assert.rejects(probity.status.get(), { status, code: 'SOME_CODE' });
    assert.equal(server.requests.length, 1);
    assert.deepEqual(timing.waits, []);
  });
}

test('the wait doubles up to 30 s, half of it by chance', async (t) => {
  const server = await startServer(t, (response) => answerError(response, 500));
  for (const [random, least] of [
    [0, [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]],
    [0.5, [375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]],
  ] as const) {
    const timing = createTestTiming(random);
    const { probity } = clientOf(server, { timing, retries: 8 });
    await assert.rejects(probity.status.get(), ServerError);
    assert.deepEqual(timing.waits, least);
  }
});

test('Retry-After is waited for, as seconds and as a date', async (t) => {
  const server = await startServer(t, (response, _request, index) => {
    if (index === 0) answerError(response, 429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '7' });
    else if (index === 1) {
      answerError(response, 503, 'X', { 'Retry-After': 'Thu, 01 Jan 2026 00:00:41 GMT' });
    } else answer(response, 200, STATUS);
  });
  const { probity, timing } = clientOf(server);
  await probity.status.get();
  assert.deepEqual(timing.waits, [7_000, 41_000]);
});

test('a Retry-After that is shorter than the back-off does not shorten it', async (t) => {
  const server = await startServer(t, (response, _request, index) =>
    index === 0
      ? answerError(response, 503, 'X', { 'Retry-After': '0' })
      : answer(response, 200, STATUS),
  );
  const { probity, timing } = clientOf(server);
  await probity.status.get();
  assert.deepEqual(timing.waits, [1_000]);
});

test('a Retry-After beyond maxRetryDelayMs, as that of a spent quota, ends the call', async (t) => {
  const server = await startServer(t, (response) =>
    answerError(response, 429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '86400' }),
  );
  const { probity } = clientOf(server);
  await assert.rejects(probity.status.get(), (error) => {
    assert.ok(error instanceof RateLimitError);
    assert.equal(error.retryAfter, 86_400);
    return true;
  });
  assert.equal(server.requests.length, 1);
});

test('a Retry-After that is neither a number nor a date is passed over', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(retryAfterSeconds('soon', now), null);
  assert.equal(retryAfterSeconds('-3', now), 0);
  assert.equal(retryAfterSeconds('9'.repeat(30), now), null);
  assert.equal(retryAfterSeconds(null, now), null);
  assert.equal(retryAfterSeconds('Thu, 01 Jan 1970 00:00:00 GMT', now), 0);
});

test('retries: 0 and the number of a call are respected', async (t) => {
  const server = await startServer(t, (response) => answerError(response, 500));
  const { probity } = clientOf(server, { retries: 0 });
  await assert.rejects(probity.status.get(), ServerError);
  assert.equal(server.requests.length, 1);
  await assert.rejects(probity.status.get({ retries: 2 }), ServerError);
  assert.equal(server.requests.length, 4);
  await assert.rejects(probity.status.get({ retries: -1 }), /^TypeError: retries must be/);
});

test('a connection that is refused is tried again, and the error names the address', async (t) => {
  const server = await startServer(t, (response) => answer(response, 200, STATUS));
  const { probity, timing } = clientOf({ url: 'http://127.0.0.1:9' }, { retries: 2 });
  await assert.rejects(probity.status.get(), (error) => {
    assert.ok(error instanceof ConnectionError);
    assert.equal(error.code, 'connection_failed');
    assert.equal(error.status, null);
    assert.match(error.message, /^GET http:\/\/127\.0\.0\.1:9\/api\/status had no answer/);
    return true;
  });
  assert.equal(timing.waits.length, 2);
  assert.equal(server.requests.length, 0);
});

test('an answer that breaks off is requested again', async (t) => {
  const server = await startServer(t, (response, _request, index) => {
    if (index > 0) return answer(response, 200, STATUS);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
    response.write('{"data":');
    setImmediate(() => response.destroy());
  });
  const { probity } = clientOf(server);
  assert.equal((await probity.status.get()).status, 'operational');
  assert.equal(server.requests.length, 2);
});

test('a signal ends the waits between attempts with its own reason', async (t) => {
  const server = await startServer(t, (response) => answerError(response, 500));
  const controller = new AbortController();
  const reason = new Error('the user left');
  const timing = createTestTiming();
  const { probity } = clientOf(server, {
    timing: {
      ...timing,
      wait: async (_ms, signal) => {
        controller.abort(reason);
        signal?.throwIfAborted();
      },
    },
  });
  await assert.rejects(
    probity.status.get({ signal: controller.signal }),
    (error) => error === reason && !(error instanceof ProbityError),
  );
  assert.equal(server.requests.length, 1);
});
