import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatAnswer, chatEvents, inDeltas } from '@probity/test-support';
import { answered, openExchange, part, post, startEnvoyGateway } from '../ext-proc/envoy.ts';
import type { Message } from '../grpc/client.ts';
import { answersOf, connect } from '../grpc/client.ts';
import { configuration, send, serve } from '../mcp/world.ts';
import { LONG, providerText, startProxy } from '../proxy/proxy-world.ts';
import { CLOUD_KEY, PRIVATE_KEY } from '../texts.ts';
import { LOOPBACK, startGateway } from '../world.ts';

const STAGES =
  'scanning: {stages: [{name: pii_scanner}, {name: secrets_scanner}, {name: terms_scanner}]}\n' +
  'stage_config: {terms_scanner: {lists: [{type: codename, terms: [Nightjar]}]}}\n';
const redacting = (value: string) => (url: string) =>
  providerText(url).replace('models:', `models:\n  redact: ${value}`);
const user = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });
const CHAT = '/v1/chat/completions';
/** As long as a key of 8,192 bits. */
const LONG_KEY = [
  '-----BEGIN RSA PRIVATE KEY-----',
  Buffer.from(Array.from({ length: 4_700 }, (_, at) => (at * 7_919 + at * at * 13) % 251))
    .toString('base64')
    .replace(/.{64}/g, '$&\n'),
  '-----END RSA PRIVATE KEY-----',
].join('\n');

describe('a secret in a call to a model', () => {
  it('is refused where models.redact is off, both ways, and no error repeats it', async (t) => {
    const { post: call, model } = await startProxy(t, { text: STAGES });
    const refused = await call(CHAT, user(`Use ${CLOUD_KEY}.`));
    assert.deepEqual([refused.status, model.calls.length], [403, 0]);
    model.answer(() => chatAnswer(`Use ${CLOUD_KEY}.`));
    const answer = await call(CHAT, user('Hi.'));
    assert.equal(answer.status, 403);
    assert.ok(!(refused.text + answer.text).includes(CLOUD_KEY));
  });

  it('is a placeholder with mask, both ways, and a term blocks all the same', async (t) => {
    const { post: call, model } = await startProxy(t, { text: STAGES, models: redacting('mask') });
    model.answer(() => chatAnswer(`Put ${CLOUD_KEY} in:\n${PRIVATE_KEY}`));
    const { status, text } = await call(CHAT, user(`Use ${CLOUD_KEY}.`));
    assert.equal(status, 200);
    assert.match(model.calls.at(-1)?.text ?? '', /Use \[API_KEY_1\]\./);
    assert.match(text, /Put \[API_KEY_1\] in:\\n\[PRIVATE_KEY_1\]/);
    assert.equal((await call(CHAT, user('On Nightjar.'))).status, 403);
  });

  it('is a token with reversible, which comes back to the client alone', async (t) => {
    const models = redacting('reversible');
    const { post: call, model } = await startProxy(t, { text: STAGES, models });
    model.answer(({ text }) => chatAnswer(`Put ${/\[API_KEY_\w+\]/.exec(text)?.[0]} in.`));
    const { status, text } = await call(CHAT, user(`Use ${CLOUD_KEY}.`));
    assert.equal(status, 200);
    assert.ok(!model.calls.at(-1)?.text.includes(CLOUD_KEY));
    assert.ok(text.includes(`Put ${CLOUD_KEY} in.`), text);
  });

  it('is replaced in a stream wherever it is cut, a long private key up to its end', async (t) => {
    const { post: call, model } = await startProxy(t, { text: STAGES, models: redacting('mask') });
    for (const length of [7, 64, 999]) {
      const text = `${LONG}It is ${CLOUD_KEY} and\n${LONG_KEY}\nthen. ${LONG}`;
      model.answer(() => chatEvents(inDeltas(text, length)));
      const answer = await call(CHAT, { ...user('Hi.'), stream: true });
      assert.equal(answer.status, 200);
      const content = [...answer.text.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)]
        .map(([, part]) => JSON.parse(`"${part}"`) as string)
        .join('');
      assert.equal(content, `${LONG}It is [API_KEY_1] and\n[PRIVATE_KEY_1]\nthen. ${LONG}`);
    }
  });
});

it('redact of an MCP server replaces secrets in arguments and results', async (t) => {
  const backend = await serve(t, (_request, response, body) => {
    const { id } = JSON.parse(body) as { id: number };
    const content = [{ type: 'text', text: PRIVATE_KEY }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
  });
  const gateway = await startGateway(t, configuration(backend.url, 'redact: placeholder') + STAGES);
  const params = { name: 'f', arguments: { key: CLOUD_KEY } };
  const answer = await send(gateway, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  assert.match(backend.received.at(-1)?.body ?? '', /\[API_KEY_1\]/);
  assert.match(await answer.text(), /\[PRIVATE_KEY_1\]/);
});

it('x-probity-redaction of Envoy replaces secrets both ways', async (t) => {
  const metadata = { 'x-probity-redaction': 'placeholder' };
  const gateway = await startEnvoyGateway(t, LOOPBACK + STAGES);
  const exchange = openExchange(t, gateway, { metadata });
  await exchange.ask(post(CHAT));
  const request = await exchange.ask(part('request', user(`Use ${CLOUD_KEY}.`)));
  assert.match(request.body ?? '', /Use \[API_KEY_1\]\./);
  await exchange.ask(answered('application/json'));
  const response = await exchange.ask(part('response', chatAnswer(PRIVATE_KEY)));
  assert.match(response.body ?? '', /\[PRIVATE_KEY_1\]/);
});

it('redact of a text that comes over gRPC in parts replaces a long private key up to its end', async (t) => {
  const client = connect(t, await startGateway(t, LOOPBACK + STAGES));
  const text = `${LONG}It is\n${LONG_KEY}\nthen. ${LONG}`;
  const stream = client.stream();
  const answers = answersOf(stream);
  stream.write({ open: { request_id: 'text', target: 'TARGET_RESPONSE', redact: true } });
  for (let at = 0, sequence = 1; at < text.length; at += 64, sequence++) {
    stream.write({ chunk: { request_id: 'text', sequence, text: text.slice(at, at + 64) } });
  }
  stream.write({ close: { request_id: 'text' } });
  stream.end();
  let released = '';
  for (const { release } of await answers) {
    released += (release as Message | undefined)?.text ?? '';
  }
  assert.equal(released, `${LONG}It is\n[PRIVATE_KEY_1]\nthen. ${LONG}`);
});
