import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startProxy } from '../proxy/proxy-world.ts';
import { at, LOOPBACK, startGateway, typesOf } from '../world.ts';

const SCAN = '/api/v1/governance/scan';
const KEY = 'a-key-of-sixteen-characters';

test('a compressed scan is decompressed and scanned, and a bomb is refused', async (t) => {
  const gateway = await startGateway(t);
  const post = (body: Buffer) =>
    gateway.call(SCAN, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${gateway.token}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      body: new Uint8Array(body),
    });
  const blocked = await post(gzipSync('{"response":"Her SSN is 536-22-8145."}'));
  assert.equal(blocked.status, 403);
  assert.deepEqual(typesOf(blocked), ['ssn']);
  const bomb = await post(gzipSync(`{"response":"${' '.repeat(30_000_000)}"}`));
  assert.equal(bomb.status, 413);
});

test('a compressed call of a model reaches the provider scanned and uncompressed', async (t) => {
  const { world, model } = await startProxy(t);
  const post = (content: string) =>
    fetch(`${world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.token}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'br',
      },
      body: new Uint8Array(
        brotliCompressSync(
          JSON.stringify({ model: 'local/m', messages: [{ role: 'user', content }] }),
        ),
      ),
    });
  assert.equal((await post('Her SSN is 536-22-8145.')).status, 403);
  assert.equal(model.calls.length, 0);
  assert.equal((await post('Hello.')).status, 200);
  const [asked] = model.calls;
  assert.equal(asked?.headers['content-encoding'], undefined);
  assert.equal(at(asked?.body, 'messages.0.content'), 'Hello.');
});

test('a signature covers the bytes of a compressed body as they are sent', async (t) => {
  const text = `${LOOPBACK}security: {request_signing: true, signing_key: ${KEY}}\n`;
  const gateway = await startGateway(t, text);
  const body = gzipSync('{"response":"Hello."}');
  const send = (signed: string | Buffer) => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const hex = createHmac('sha256', KEY).update(`${timestamp}.`).update(signed).digest('hex');
    return gateway.call(SCAN, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'X-Signature': `sha256=${hex}`,
        'X-Signature-Timestamp': timestamp,
      },
      body: new Uint8Array(body),
    });
  };
  assert.equal((await send(body)).status, 200);
  assert.equal((await send('{"response":"Hello."}')).status, 401);
});
