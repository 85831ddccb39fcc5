import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { test } from 'node:test';
import { spawnProgram } from '../src/process.ts';
import type { HttpsReceiver } from '../src/receiver.ts';
import { startHttpsReceiver } from '../src/receiver.ts';

async function post(receiver: HttpsReceiver, path: string, body: Buffer): Promise<number> {
  const call = request(receiver.url + path, { method: 'POST', ca: receiver.certificate });
  call.end(body);
  const [response] = await once(call, 'response');
  response.resume();
  return response.statusCode;
}

test('the receiver records a request with its bytes as sent', async (t) => {
  const receiver = await startHttpsReceiver({ test: t });
  const body = Buffer.from([0, 255, 10, 13]);
  assert.equal(await post(receiver, '/hook?x=1', body), 200);
  const [received] = receiver.requests;
  assert.equal(received?.method, 'POST');
  assert.equal(received?.url, '/hook?x=1');
  assert.equal(received?.headers['content-length'], '4');
  assert.deepEqual(received?.rawBody, body);
});

test("the receiver's certificate is valid for 127.0.0.1 and localhost, and only for its authority", async (t) => {
  const receiver = await startHttpsReceiver({ test: t });
  const local = { ...receiver, url: `https://localhost:${receiver.port}` };
  assert.equal(await post(local, '/', Buffer.alloc(0)), 200);
  const untrusting = { ...receiver, certificate: '' };
  await assert.rejects(post(untrusting, '/', Buffer.alloc(0)), /certificate/);
});

test('another process trusts the receiver by NODE_EXTRA_CA_CERTS', async (t) => {
  const receiver = await startHttpsReceiver({ test: t });
  const client = await spawnProgram(
    process.execPath,
    [
      '-e',
      `fetch('${receiver.url}/from-child').then((r) => process.exit(r.status === 200 ? 0 : 1))`,
    ],
    { env: { NODE_EXTRA_CA_CERTS: receiver.certificateFile() }, test: t },
  );
  assert.equal(await client.exited, 0, client.stderr);
  assert.equal(receiver.requests[0]?.url, '/from-child');
});

test("the receiver's answers can be replaced, also by misbehaving ones", async (t) => {
  const receiver = await startHttpsReceiver({ handler: () => ({ status: 503 }), test: t });
  assert.equal(await post(receiver, '/', Buffer.alloc(0)), 503);
  receiver.respondWith(async () => ({ status: 204 }));
  assert.equal(await post(receiver, '/', Buffer.alloc(0)), 204);
  receiver.respondWith((_request, response) => {
    response.destroy();
    return undefined;
  });
  await assert.rejects(post(receiver, '/', Buffer.alloc(0)), /hang up|ECONNRESET/);
});

test('waitFor finds past and future requests, and its timeout lists the requests so far', async (t) => {
  const receiver = await startHttpsReceiver({ test: t });
  const third = receiver.waitFor((_request, all) => all.length === 3);
  for (const path of ['/a', '/b', '/c']) await post(receiver, path, Buffer.from('x'));
  await third;
  assert.equal((await receiver.waitFor(({ url }) => url === '/b')).url, '/b');
  await assert.rejects(
    receiver.waitFor(({ url }) => url === '/d', 20),
    /20 ms.*POST \/a \(1 bytes\)/,
  );
});

test('closing the receiver does not wait for hanging clients', async (t) => {
  const receiver = await startHttpsReceiver({ handler: () => new Promise(() => {}), test: t });
  const hanging = assert.rejects(post(receiver, '/', Buffer.alloc(0)));
  await receiver.waitFor(() => true);
  await receiver.close();
  await receiver.close();
  await hanging;
});
