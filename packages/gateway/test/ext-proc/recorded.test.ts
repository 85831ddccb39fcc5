// Exchanges in the order and with the headers that Envoy's own logs show, as users have published them with Envoy's
// issues; texts and addresses are of this test. No Envoy runs here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOPBACK } from '../world.ts';
import { headers, openExchange, part, startEnvoyGateway } from './envoy.ts';

const SSN = '536-22-8145';
const STREAMED = { request_body_mode: 'STREAMED', response_body_mode: 'STREAMED' };

/** Headers of a request as Envoy's connection manager has completed them, pseudo-headers first. */
function requestHeaders(end_of_stream = false): object {
  const values = {
    ':authority': 'localhost:10000',
    ':path': '/v1/chat/completions',
    ':method': 'POST',
    ':scheme': 'http',
    'user-agent': 'curl/7.81.0',
    accept: '*/*',
    'content-type': 'application/json',
    'x-forwarded-proto': 'http',
    'x-request-id': '0e0bdb1e-2cf6-4d0a-9d3a-6d2f6a5f9d11',
    'x-envoy-expected-rq-timeout-ms': '15000',
  };
  return { request_headers: { headers: headers(values), end_of_stream } };
}

const asked = (content: string) =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });

// envoyproxy/envoy issue 38261: a filter before ext_proc refuses the request, so that the exchange begins with the answer.
test('an answer of Envoy itself comes without the request, and is scanned', async (t) => {
  const gateway = await startEnvoyGateway(t);
  const local = {
    ':status': '401',
    'www-authenticate': 'Bearer realm="http://localhost:10000/api", error="invalid_token"',
    'content-length': '28',
    'content-type': 'text/plain',
  };
  const head = { response_headers: { headers: headers(local), end_of_stream: false } };
  const exchange = openExchange(t, gateway);
  const kept = await exchange.ask({ ...head, protocol_config: STREAMED });
  assert.equal(kept.kind, 'response_headers');
  const passed = await exchange.ask(part('response', 'Jwt verification fails here.'));
  assert.deepEqual([passed.kind, passed.body], ['response_body', 'Jwt verification fails here.']);
  exchange.end();
  assert.deepEqual(await exchange.rest(), []);

  const leaking = openExchange(t, gateway);
  await leaking.ask({ ...head, protocol_config: STREAMED });
  const refused = await leaking.ask(part('response', `The SSN of the subject is ${SSN}.`));
  assert.deepEqual([refused.kind, refused.status], ['immediate_response', 403]);
});

// envoyproxy/envoy pull request 35850: with send_body_without_waiting_for_header_response the body follows the head at
// once, and a last part without bytes ends it.
for (const { name, content, kinds } of [
  { name: 'passes', content: 'Where is my parcel?', kinds: ['request_headers', 'request_body'] },
  { name: 'is refused', content: `Her SSN is ${SSN}.`, kinds: ['immediate_response'] },
]) {
  test(`a body that does not wait for the answer to its head ${name}`, async (t) => {
    const exchange = openExchange(t, await startEnvoyGateway(t, LOOPBACK));
    const body = asked(content);
    const config = { ...STREAMED, send_body_without_waiting_for_header_response: true };
    exchange.send({ ...requestHeaders(), protocol_config: config });
    for (const piece of [body.slice(0, 16), body.slice(16)]) {
      exchange.send(part('request', piece, false));
    }
    exchange.send(part('request', '', true));
    exchange.end();
    const replies = await exchange.rest();
    assert.deepEqual([...new Set(replies.map(({ kind }) => kind))].slice(-kinds.length), kinds);
    const text = replies.map((reply) => (reply.kind === 'request_body' ? reply.body : '')).join('');
    assert.equal(text, name === 'passes' ? body : '');
    if (name !== 'passes') assert.equal(replies.at(-1)?.status, 403);
  });
}
