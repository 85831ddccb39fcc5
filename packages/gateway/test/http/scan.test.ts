import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { test } from 'node:test';
import { PII_TEXTS } from '../texts.ts';
import { at, startGateway } from '../world.ts';

const BASE =
  'server: {host: 127.0.0.1, port: 0}\nmonitoring: {prometheus: {port: 0}, health_check: {port: 0}}\n';

test('a scan needs a key of the keys file, and a key that is added or removed holds at once', async (t) => {
  const gateway = await startGateway(t);
  const init = (key: string | null) => ({
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    },
    body: '{"response":"Hello."}',
  });
  const path = '/api/v1/governance/scan';
  for (const key of [null, 'pbk_wrong', '']) {
    const { status, body, headers } = await gateway.call(path, init(key));
    assert.equal(status, 401);
    assert.equal(at(body, 'error.code'), 'INVALID_API_KEY');
    assert.ok(headers.get('www-authenticate'));
  }
  assert.equal((await gateway.scan({ response: 'Hello.' })).status, 200);
});

test('answers have the headers of every Probity interface and the hash of the configuration', async (t) => {
  const gateway = await startGateway(t);
  const hash = /gateway_config_info\{hash="(\w{16})"\} 1/.exec(await gateway.metrics())?.[1];
  assert.ok(hash);
  const answers = [
    await gateway.scan({ response: 'Hello.' }, { 'X-Request-Id': 'my-request-1' }),
    await gateway.scan({ response: PII_TEXTS.ssn }),
    await gateway.scan({}),
    await gateway.call('/health'),
    await gateway.call('/nothing'),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 403, 422, 200, 404],
  );
  for (const { headers } of answers) {
    assert.equal(headers.get('server'), 'Probity-API/v1');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-probity-config-hash'), hash);
  }
  assert.equal(answers[0]?.headers.get('x-request-id'), 'my-request-1');
  const refused = await sendRaw(gateway.url, 'GET / HTTP/1.1\r\n\r\n');
  assert.match(refused, /^HTTP\/1\.1 400 /);
  assert.match(refused, new RegExp(`\r\nX-Probity-Config-Hash: ${hash}\r\n`));
});

/** All that a server answers to bytes that are no request. */
async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

test('a scan without response is refused as by the server, and so is a policy that the gateway lacks', async (t) => {
  const gateway = await startGateway(t);
  const { status, body } = await gateway.scan({ prompt: 'Hello?' });
  assert.equal(status, 422);
  assert.equal(at(body, 'error.details.0.field'), 'response');
  const other = await gateway.scan({ response: 'Hello.', policyIds: ['pol_other'] });
  assert.equal(other.status, 422);
  assert.equal(at(other.body, 'error.details.0.field'), 'policyIds.0');
  const tokens = await gateway.scan({ response: 'Hello.', redaction: 'token' });
  assert.equal(at(tokens.body, 'error.details.0.field'), 'redaction');
});

test('server.max_payload_size is the largest body that is read', async (t) => {
  const gateway = await startGateway(
    t,
    BASE.replace('port: 0}', 'port: 0, max_payload_size: 1000}'),
  );
  const sized = (bytes: number) => ({ response: 'x'.repeat(bytes - '{"response":""}'.length) });
  assert.equal((await gateway.scan(sized(1_000))).status, 200);
  const { status, body } = await gateway.scan(sized(1_001));
  assert.equal(status, 413);
  assert.equal(at(body, 'error.code'), 'PAYLOAD_TOO_LARGE');
});

test('rate_limiting limits a client to its burst, with the configured status', async (t) => {
  const gateway = await startGateway(
    t,
    'rate_limiting: {per_client: {requests_per_minute: 1, burst_size: 2}, rate_limit_exceeded_status: 503}',
  );
  const answers = [];
  for (let at = 0; at < 3; at++) answers.push(await gateway.scan({ response: 'Hello.' }));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 503],
  );
  const refused = answers[2];
  assert.equal(at(refused?.body, 'error.code'), 'RATE_LIMIT_EXCEEDED');
  assert.equal(at(refused?.body, 'error.statusCode'), 503);
  assert.ok(Number(refused?.headers.get('retry-after')) > 0);
  assert.equal(refused?.headers.get('x-ratelimit-remaining'), '0');
});

test('rate_limiting.requests_per_second holds for all clients together', async (t) => {
  const gateway = await startGateway(t, 'rate_limiting: {requests_per_second: 1}');
  const [first, second] = await Promise.all([
    gateway.scan({ response: 'Hello.' }),
    gateway.scan({ response: 'Hello.' }),
  ]);
  assert.deepEqual([first.status, second.status].sort(), [200, 429]);
});

test('rate_limiting.enabled false limits nothing', async (t) => {
  const gateway = await startGateway(
    t,
    'rate_limiting: {enabled: false, per_client: {burst_size: 1, requests_per_minute: 1}}',
  );
  for (let at = 0; at < 3; at++) {
    assert.equal((await gateway.scan({ response: 'Hello.' })).status, 200);
  }
});

test('security.request_signing takes signed requests alone, once', async (t) => {
  const env = { SIGNING_KEY: 'k'.repeat(32) };
  const gateway = await startGateway(t, 'security: {signing_key: "${SIGNING_KEY}"}', { env });
  const send = (body: string, sent = body, timestamp = String(Date.now() / 1_000)) => {
    const hex = createHmac('sha256', env.SIGNING_KEY).update(`${timestamp}.${body}`).digest('hex');
    return {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'x-signature': `sha256=${hex}`,
        'x-signature-timestamp': timestamp,
      },
      body: sent,
    };
  };
  const path = '/api/v1/governance/scan';
  const body = '{"response":"Hello."}';
  const signed = send(body);
  assert.equal((await gateway.call(path, signed)).status, 200);
  assert.equal((await gateway.call(path, signed)).status, 401, 'replayed');
  assert.equal((await gateway.call(path, send(body, '{"response":"hello."}'))).status, 401);
  const old = String(Date.now() / 1_000 - 301);
  assert.equal((await gateway.call(path, send(body, body, old))).status, 401);
  const unsigned = await gateway.scan({ response: 'Hello.' });
  assert.equal(unsigned.status, 401);
  assert.match(String(at(unsigned.body, 'error.message')), /x-signature/);
  assert.equal((await gateway.call('/health')).status, 200);
});
