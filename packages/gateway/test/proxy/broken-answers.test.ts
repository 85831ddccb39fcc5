import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { TestLifetime } from '@probity/test-support';
import { chatAnswer, chatEvents, inDeltas } from '@probity/test-support';
import type { ProxyWorld } from './proxy-world.ts';
import { providerText, SSN, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;
const CALL = { model: 'm', messages: [ASKED] };
const PATH = '/v1/chat/completions';
const LIMIT = 100_000;
/** Far more than the sockets between take in by themselves. */
const FLOOD = 50_000_000;

/** A gateway that takes answers of {@link LIMIT} bytes. */
function startLimited(t: TestLifetime) {
  const server = `server: {host: 127.0.0.1, port: 0, workers: 2, max_payload_size: ${LIMIT}}\n`;
  const ports = 'monitoring: {prometheus: {port: 0}, health_check: {port: 0}}\n';
  return startProxy(t, { models: (url) => providerText(url), listen: server + ports });
}

/** Writes parts of a stream until the gateway ends the connection, and says how much that was. */
async function flood(response: ServerResponse, make: (at: number) => string): Promise<number> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const closed = once(response, 'close');
  let sent = 0;
  for (let at = 0; sent < FLOOD && !response.destroyed; at++) {
    const part = make(at);
    sent += part.length;
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
  }
  response.end();
  return sent;
}

const chunk = (delta: object, index = 0) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index, delta }] })}\n\n`;

describe('answers without end', () => {
  const letters = 'lorem ipsum '.repeat(1_000);
  const floods: readonly (readonly [string, (at: number) => string])[] = [
    [
      'arguments of a tool call',
      () => chunk({ tool_calls: [{ index: 0, function: { arguments: letters } }] }),
    ],
    ['choices', (at) => chunk({ content: 'a'.repeat(200) }, at)],
    ['one line', (at) => (at === 0 ? 'data: ' : letters)],
  ];
  for (const [name, make] of floods) {
    it(`${name}: the stream ends with an error, and so does the call to the model`, async (t) => {
      const { post, model } = await startLimited(t);
      const sent: Promise<number>[] = [];
      model.answer(({ response }) => {
        sent.push(flood(response, make));
        return undefined;
      });
      const { text } = await post(PATH, { ...CALL, stream: true });
      const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
      assert.equal(events.at(-1).error.code, 'upstream_broken', text.slice(-300));
      assert.match(events.at(-1).error.message, /too large/);
      assert.ok(((await sent[0]) ?? FLOOD) < FLOOD);
    });
  }
});

describe('answers that cannot be read', () => {
  type Answer = readonly [string, Record<string, string>, Buffer];
  const text = chatEvents(inDeltas(`Her SSN is ${SSN}.`)).join('');
  const json = JSON.stringify(chatAnswer('Hello.'));
  const JSON_TYPE = 'application/json';
  const EVENTS = 'text/event-stream';
  const heads: readonly Answer[] = [
    [JSON_TYPE, { 'content-encoding': 'compress' }, gzipSync(json)],
    [EVENTS, { 'content-encoding': 'gzip, br' }, brotliCompressSync(gzipSync(text))],
    [`${EVENTS}; charset=utf-16le`, {}, Buffer.from(text, 'utf16le')],
    [`${JSON_TYPE};charset="UTF-16LE"`, {}, Buffer.from(json, 'utf16le')],
  ];

  function answerWith(
    { model }: ProxyWorld,
    type: string,
    headers: object,
    bytes: Buffer | string,
  ) {
    model.answer(({ response }) => {
      response.writeHead(200, { 'content-type': type, ...headers });
      response.end(bytes);
      return undefined;
    });
  }

  it('one that is compressed although none is asked for is read, whole and streamed', async (t) => {
    const proxy = await startProxy(t);
    const passing = chatEvents(inDeltas('Hello.')).join('');
    for (const [name, pack] of [
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const headers = { 'content-encoding': name };
      answerWith(proxy, JSON_TYPE, headers, pack(json));
      assert.equal((await proxy.post(PATH, CALL)).text, json);
      const streamed = { ...CALL, stream: true };
      answerWith(proxy, EVENTS, headers, pack(passing));
      assert.match((await proxy.post(PATH, streamed)).text, /Hello\..*\[DONE\]/s);
      answerWith(proxy, EVENTS, headers, pack(text));
      assert.match((await proxy.post(PATH, streamed)).text, /PII_DETECTED/);
      for (const broken of [pack(json).subarray(0, -9), Buffer.from(json)]) {
        answerWith(proxy, JSON_TYPE, headers, broken);
        const { status, text: said } = await proxy.post(PATH, CALL);
        assert.deepEqual([status, JSON.parse(said).error.code], [502, 'upstream_broken'], name);
      }
      // Small as it is sent, and larger than the limit as it is read.
      answerWith(proxy, JSON_TYPE, headers, pack(Buffer.alloc(40 * 2 ** 20, 0x20)));
      const large = await proxy.post(PATH, CALL);
      assert.equal(large.status, 502);
      assert.match(large.text, /is larger than/);
    }
  });

  it('one in several or unknown encodings is 502; none is asked for', async (t) => {
    const proxy = await startProxy(t);
    for (const [type, headers, bytes] of heads) {
      answerWith(proxy, type, headers, bytes);
      const { status, text } = await proxy.post(PATH, { ...CALL, stream: type !== JSON_TYPE });
      assert.equal(status, 502, `${type} ${text}`);
      assert.equal(JSON.parse(text).error.code, 'upstream_broken');
    }
    assert.equal(proxy.model.calls.length, heads.length);
    assert.equal(proxy.model.calls[0]?.headers['accept-encoding'], 'identity');
    for (const label of ['"UTF-8"', 'utf8', 'x-unicode20utf8']) {
      const type = `TEXT/Event-Stream; Charset=${label}`;
      answerWith(proxy, type, { 'content-encoding': 'identity' }, text);
      assert.match((await proxy.post(PATH, { ...CALL, stream: true })).text, /PII_DETECTED/);
    }
  });

  it('an answer and a stream pass with a byte order mark', async (t) => {
    const proxy = await startProxy(t);
    answerWith(proxy, JSON_TYPE, {}, `\ufeff${json}`);
    assert.equal((await proxy.post(PATH, CALL)).text, json);
    answerWith(proxy, EVENTS, {}, `\ufeff${chatEvents(inDeltas('Hello.')).join('')}`);
    const { text } = await proxy.post(PATH, { ...CALL, stream: true });
    assert.match(text, /^data: .*Hello\./s);
    assert.ok(!text.includes('error') && !text.includes('\ufeff'), text);
  });

  it('a stream without events ends with an error', async (t) => {
    const proxy = await startProxy(t);
    for (const bytes of [gzipSync(text), Buffer.from(text, 'utf16le'), Buffer.alloc(0)]) {
      answerWith(proxy, EVENTS, {}, bytes);
      const answer = await proxy.post(PATH, { ...CALL, stream: true });
      assert.match(answer.text, /upstream_broken/);
    }
  });

  it('one that breaks off, or has messages of a wrong form, is the fault of the model', async (t) => {
    const { post, model } = await startProxy(t);
    model.answer(({ response }) => {
      response.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': json.length + 9 });
      response.write(json, () => response.destroy());
      return undefined;
    });
    const cut = await post(PATH, CALL);
    assert.deepEqual([cut.status, JSON.parse(cut.text).error.code], [502, 'upstream_broken']);
    const message = (more: unknown) => ({ choices: [{ index: 0, message: more }] });
    for (const answer of [
      { choices: [null] },
      { choices: {} },
      message('a'),
      message({ role: 7, content: 'a' }),
      message({ role: 'assistant', content: 5 }),
      message({ role: 'assistant', content: [5] }),
    ]) {
      model.answer(() => answer);
      const { status, text } = await post(PATH, CALL);
      assert.equal(status, 502, text);
      assert.equal(JSON.parse(text).error.code, 'upstream_broken', text);
    }
  });
});
