import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import type { Api } from '../api.ts';
import { createApi } from '../api.ts';
import { BENIGN, EMAIL, SSN } from '../world.ts';

const LONG = `${BENIGN} `.repeat(40);
const REDACT = {
  ...{ id: 'pol_redact', name: 'Redact', enabled: true },
  rules: [
    { stage: 'pii_scanner', types: ['email'], action: 'redact' as const },
    { stage: 'pii_scanner', types: ['ssn'], action: 'block' as const },
  ],
};

interface StreamedEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: data of many shapes
  readonly data: any;
}

/** Reads server-sent events one by one. */
async function* eventsOf(response: Response): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}

async function collect(response: Response) {
  const all: StreamedEvent[] = [];
  for await (const event of eventsOf(response)) all.push(event);
  const text = all.map(({ event, data }) => (event === 'release' ? data.text : '')).join('');
  return { all, text, last: all.at(-1) };
}

const post = (
  { url }: Pick<Api, 'url'>,
  body: string | ReadableStream<Uint8Array>,
  {
    type = 'application/x-ndjson',
    token = 'owner',
    signal,
  }: {
    readonly type?: string;
    readonly token?: string;
    readonly signal?: AbortSignal;
  } = {},
) =>
  fetch(`${url}/governance/scan/stream`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
    body,
    duplex: 'half',
    ...(signal ? { signal } : {}),
  } as RequestInit);

const lines = (...values: readonly unknown[]) =>
  values.map((each) => `${JSON.stringify(each)}\n`).join('');

const texts = (text: string) => (text.match(/[\s\S]{1,7}/g) ?? []).map((part) => ({ text: part }));

test('the text is released while the response is still being sent', async (t) => {
  const api = await createApi(t, { policies: [REDACT] });
  let send = (_: string) => {};
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
      end = () => controller.close();
    },
  });
  send(lines({ prompt: 'Where?' }, ...texts(LONG)));
  const response = await post(api, body);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const events = eventsOf(response);
  const first = (await events.next()).value;
  assert.equal(first?.event, 'release');
  assert.ok(LONG.startsWith(first?.data.text));
  send(lines(...texts(` Write to ${EMAIL}. ${LONG}`)));
  end();
  const rest: StreamedEvent[] = [];
  for await (const event of events) rest.push(event);
  const released = [first, ...rest].map((each) =>
    each?.event === 'release' ? each.data.text : '',
  );
  assert.equal(released.join(''), `${LONG} Write to [EMAIL_1]. ${LONG}`);
  const [{ data: finding } = { data: null }] = rest.filter(({ event }) => event === 'finding');
  assert.deepEqual([finding.type, finding.start], ['email', LONG.length + 10]);
  const last = rest.at(-1);
  assert.equal(last?.event, 'final');
  const record = await api.request('GET', `/governance/scans/${last?.data.data.id}`);
  assert.equal(record.body.data.verdict, 'flagged');
});

test('a block is the final event, with the body of a blocked scan, and the rest is not waited for', async (t) => {
  const api = await createApi(t, { policies: [REDACT] });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const all = lines({}, ...texts(`${LONG}My SSN is ${SSN}. ${LONG}${LONG}`));
      controller.enqueue(new TextEncoder().encode(all));
      // Left open, as by a model that goes on.
    },
  });
  const { text, last } = await collect(await post(api, body));
  assert.ok(LONG.startsWith(text.trimEnd()) || `${LONG}My SSN is `.startsWith(text));
  assert.equal(last?.event, 'final');
  assert.deepEqual(
    [last?.data.error.code, last?.data.error.statusCode, last?.data.governance.verdict],
    ['PII_DETECTED', 403, 'blocked'],
  );
});

test('a response that is sent whole as JSON is answered by events, with the same outcome as a scan', async (t) => {
  const api = await createApi(t, { policies: [REDACT] });
  const request = { prompt: `I am ${EMAIL}.`, response: `${LONG} ${EMAIL} 😀` };
  const { text, last } = await collect(
    await post(api, JSON.stringify(request), { type: 'application/json' }),
  );
  const { body } = await api.postScan(request);
  assert.equal(text, body.data.redacted.response);
  const { id: _, stages: __, createdAt: ___, durationMs: ____, ...outcome } = last?.data.data ?? {};
  for (const [name, value] of Object.entries(outcome))
    assert.deepEqual(value, body.data[name], name);
});

test('surrogate pairs may be cut between two parts', async (t) => {
  const api = await createApi(t);
  const raw = '{}\n{"text":"a \\ud83d"}\n\n{"text":"\\ude00 b"}\n';
  const { text, last } = await collect(await post(api, raw));
  assert.deepEqual([text, last?.event], ['a 😀 b', 'final']);
});

for (const [name, raw, status, field] of [
  ['an unknown member in the first line', lines({ response: 'a' }), 422, 'response'],
  ['a bad message', lines({ messages: [{ role: 'x' }] }), 422, 'messages.0.role'],
  ['an unknown policy', lines({ policyIds: ['pol_none'] }), 422, 'policyIds.0'],
  ['a first line that is no JSON', 'hello\n', 400, undefined],
] as const) {
  test(`${name} is ${status} before the stream begins`, async (t) => {
    const api = await createApi(t);
    const response = await post(api, raw);
    assert.equal(response.status, status);
    const { error } = (await response.json()) as StreamedEvent['data'];
    assert.equal(error.details?.[0].field, field);
    assert.equal((await api.request('GET', '/governance/scans')).body.total, 0);
  });
}

for (const [name, line, code, message] of [
  ['no JSON', 'hello', 'INVALID_REQUEST', /Line 3 is not valid JSON/],
  ['a number', '{"text": 5}', 'VALIDATION_ERROR', /line 3/],
  ['another member', '{"text": "a", "x": 1}', 'VALIDATION_ERROR', /x/],
  ['a lone surrogate', '{"text": "\\udc00"}', 'VALIDATION_ERROR', /surrogate/],
  ['U+0000', '{"text": "\\u0000"}', 'VALIDATION_ERROR', /U\+0000/],
] as const) {
  test(`a later line with ${name} ends the stream with an error event, and what had come is stored`, async (t) => {
    const api = await createApi(t, { policies: [REDACT] });
    const { last } = await collect(await post(api, `${lines({}, { text: EMAIL })}${line}\n`));
    assert.equal(last?.event, 'error');
    assert.equal(last?.data.error.code, code);
    assert.match(JSON.stringify(last?.data.error), message);
    const { body } = await api.request('GET', '/governance/scans');
    assert.deepEqual([body.total, body.data[0].findings[0].type], [1, 'email']);
  });
}

test('a client that disconnects leaves a record of what it had sent', async (t) => {
  const api = await createApi(t, { policies: [REDACT] });
  const gone = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(lines({}, ...texts(`${EMAIL} ${LONG}`))));
    },
  });
  const response = await post(api, body, { signal: gone.signal });
  for await (const { event } of eventsOf(response)) if (event === 'release') break;
  gone.abort();
  let stored = { total: 0, data: [] as StreamedEvent['data'][] };
  await until(async () => {
    stored = (await api.request('GET', '/governance/scans')).body;
    return stored.total > 0;
  }, 'the scan is stored');
  assert.deepEqual([stored.total, stored.data[0].findings[0].type], [1, 'email']);
  const events = await api.events();
  assert.equal(events.filter(({ type }) => type === 'alert.created').length, 1);
});

test('a streamed scan is refused by its headers alone: credential, permission, type, size', async (t) => {
  const api = await createApi(t);
  assert.equal((await post(api, lines({}), { token: 'nobody' })).status, 401);
  assert.equal((await post(api, lines({}), { token: 'viewer' })).status, 403);
  assert.equal((await post(api, 'a', { type: 'text/plain' })).status, 415);
  const large = JSON.stringify({ response: 'a'.repeat(10_485_760) });
  assert.equal((await post(api, large, { type: 'application/json' })).status, 413);
});
