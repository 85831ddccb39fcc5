import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import { ResponseError, TimeoutError } from '../src/index.ts';
import { answer, clientOf, createTestTiming, startServer } from './world.ts';

test('a redirect is refused, and the other origin gets no request', async (t) => {
  const other = await startServer(t, (response) => answer(response, 200, { data: {} }));
  for (const status of [301, 302, 303, 307, 308]) {
    const server = await startServer(t, (response) => {
      response.writeHead(status, { Location: `${other.url}/api/status?secret=1` }).end();
    });
    const { probity } = clientOf(server);
    await assert.rejects(probity.alerts.get('alr_1'), (error) => {
      assert.ok(error instanceof ResponseError);
      assert.deepEqual([error.code, error.status], ['redirect_refused', status]);
      assert.ok(error.message.includes(` to ${other.url},`), error.message);
      return true;
    });
    assert.equal(server.requests.length, 1);
  }
  assert.equal(other.requests.length, 0);
});

test('an answer above maxResponseBytes is refused, and its connection is closed', async (t) => {
  let isClosed = false;
  const server = await startServer(t, (response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const write = () => {
      while (!isClosed && response.write(' '.repeat(65_536)));
      if (!isClosed) response.once('drain', write);
    };
    write();
  });
  const { probity } = clientOf(server, { maxResponseBytes: 1_000_000 });
  await assert.rejects(
    probity.status.get(),
    (error) => error instanceof ResponseError && error.code === 'response_too_large',
  );
  assert.equal(server.requests.length, 1);
  await until(() => isClosed, 'the connection is closed');
});

test('an attempt that takes too long ends, and is repeated where that is safe', async (t) => {
  const timing = createTestTiming();
  const passAll = () => {
    for (const pass of [...timing.deadlines]) pass();
  };
  // The first gets no answer, the second a beginning.
  const server = await startServer(t, (response, _request, index) => {
    if (index === 1) response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
    setImmediate(passAll);
  });
  const { probity } = clientOf(server, { timing, retries: 1, timeoutMs: 5_000 });
  await assert.rejects(probity.status.get(), (error) => {
    assert.ok(error instanceof TimeoutError);
    assert.equal(error.code, 'timeout');
    assert.match(error.message, /^GET \S+ had no answer within 5000 ms\.$/);
    return true;
  });
  assert.equal(server.requests.length, 2);
  assert.equal(timing.deadlines.size, 0);
});

test('a signal ends the request, with its own reason', async (t) => {
  const controller = new AbortController();
  const reason = new Error('the user left');
  let isClosed = false;
  const server = await startServer(t, (response) => {
    response.on('close', () => {
      isClosed = true;
    });
    controller.abort(reason);
  });
  const { probity } = clientOf(server);
  const call = probity.status.get({ signal: controller.signal });
  await assert.rejects(call, (error) => error === reason);
  await until(() => isClosed, 'the connection is closed');
  await assert.rejects(
    probity.status.get({ signal: controller.signal }),
    (error) => error === reason,
  );
  assert.equal(server.requests.length, 1);
});

test('a call that is done leaves no timer and no listener', async (t) => {
  const server = await startServer(t, (response) => answer(response, 200, { data: {} }));
  const { probity, timing } = clientOf(server);
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, args);
  };
  await probity.status.get({ signal });
  await probity.auth.forgetPassword({ email: 'ann@acme.example' }, { signal });
  assert.equal(timing.deadlines.size, 0);
  assert.equal(listeners, 0);
});
