import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox, ProbityError, systemRandom } from '@probity/core';
import type { Policy } from '@probity/pipeline';
import { until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import type { ScanStreamEvent } from '../../src/index.ts';
import type { World } from '../world.ts';
import { BENIGN, createWorld, EMAIL, INJECTION, SSN, targets } from '../world.ts';

const REDACT: Policy = {
  ...{ id: 'pol_redact', name: 'Redact', enabled: true },
  rules: [
    { stage: 'pii_scanner', types: ['email'], action: 'redact' },
    { stage: 'pii_scanner', types: ['ssn'], action: 'block' },
  ],
};
const LONG = `${BENIGN} `.repeat(40);

async function* cut(text: string, length = 3): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function collect(events: AsyncIterable<ScanStreamEvent>) {
  const all: ScanStreamEvent[] = [];
  for await (const event of events) all.push(event);
  const text = all.map((each) => (each.type === 'release' ? each.text : '')).join('');
  const findings = all.flatMap((each) => (each.type === 'finding' ? [each.finding] : []));
  const last = all.at(-1);
  return { all, text, findings, outcome: last?.type === 'final' ? last.outcome : null };
}

const stored = ({ scans, context }: World) =>
  scans.list(context, {}, { limit: 10, offset: 0 }).then(({ items }) => items);

for (const target of sampleTargets(targets)) {
  test(`on ${target.name}, a streamed scan releases the text with replacements, and stores what a scan of the whole does`, async (t) => {
    const world = await createWorld(t, { target, policies: [REDACT] });
    const { scan, scanStream, context } = world;
    const prompt = `I am 😀 ${EMAIL}.`;
    const response = `${LONG} 😀 Dear ${EMAIL}. ${LONG}`;
    const events = await scanStream(context, { prompt }, cut(response));
    const { text, findings, outcome } = await collect(events);
    assert.equal(text, response.replace(EMAIL, '[EMAIL_1]'));
    const [found] = findings;
    assert.equal(response.slice(found?.start, found?.end), EMAIL);
    const whole = await scan(context, { prompt, response });
    assert.deepEqual(outcome?.redacted, whole.redacted);
    const comparable = ({ id: _, durationMs: __, createdAt: ___, ...record }: typeof whole.scan) =>
      record;
    assert.deepEqual(outcome && comparable(outcome.scan), comparable(whole.scan));
    assert.deepEqual(await world.scans.get(context, outcome?.scan.id ?? ''), outcome?.scan);
    const types = (await world.events()).map(({ type }) => type);
    assert.deepEqual(types.filter((type) => type === 'alert.created').length, 2);
  });
}

test('scanStream refuses a response that is not iterable, before anything is stored', async (t) => {
  const world = await createWorld(t);
  for (const response of [undefined, null, 'a text', new Response('x')]) {
    await assert.rejects(
      async () => world.scanStream(world.context, {}, response as never),
      /scanStream: response must be an AsyncIterable of texts.*; got (?:undefined|null|string|object)\./,
    );
  }
  assert.deepEqual(await stored(world), []);
});

test('a finding cut over two parts is never released, and ends the stream with a block', async (t) => {
  const world = await createWorld(t, { policies: [REDACT] });
  let isEnded = false;
  async function* source() {
    try {
      for (const text of [LONG, 'Her SSN is 536-', `${SSN.slice(4)}. `, LONG, LONG, LONG]) {
        yield* cut(text, 40);
      }
      assert.fail('the source is left');
    } finally {
      isEnded = true;
    }
  }
  const { text, outcome } = await collect(await world.scanStream(world.context, {}, source()));
  assert.ok(LONG.startsWith(text.slice(0, LONG.length)) && !text.includes('536-'));
  assert.equal(outcome?.scan.verdict, 'blocked');
  assert.equal(outcome?.scan.violation?.code, 'PII_DETECTED');
  await until(() => isEnded, 'the source is ended');
  const [record] = await stored(world);
  assert.deepEqual([record?.id, record?.verdict], [outcome?.scan.id, 'blocked']);
});

test('what the model was given is decided on before anything is released', async (t) => {
  const world = await createWorld(t);
  for (const request of [
    { prompt: INJECTION },
    { messages: [{ role: 'user', content: INJECTION }] },
  ]) {
    const { all, outcome } = await collect(
      await world.scanStream(world.context, request, cut(LONG)),
    );
    assert.deepEqual(
      all.map(({ type }) => type),
      ['final'],
    );
    assert.equal(outcome?.scan.violation?.code, 'INJECTION_ATTEMPT_DETECTED');
  }
});

test('with messages the response is the next one, and tokens are those of the whole conversation', async (t) => {
  const secretBox = createSecretBox([systemRandom(32)]);
  const world = await createWorld(t, { policies: [REDACT], secretBox });
  const { context, restorations } = world;
  const call = { function: { name: 'f', arguments: JSON.stringify({ to: EMAIL }) } };
  const messages = [
    { role: 'user', content: `I am ${EMAIL}.` },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: 'sent' },
  ];
  const response = `Sent to ${EMAIL}.`;
  const request = { messages, redaction: 'token' as const };
  const stream = await world.scanStream(context, request, cut(response));
  const { text, findings, outcome } = await collect(stream);
  assert.deepEqual(
    findings.filter(({ type }) => type === 'email').map(({ field, path }) => [field, path]),
    [['messages', '[3].content']],
  );
  const { redacted, redactionMap } = outcome ?? {};
  assert.ok(redacted && 'messages' in redacted && redactionMap);
  assert.deepEqual(redacted.messages[3], { role: 'assistant', content: text });
  assert.deepEqual(
    await restorations.restoreMessages(context, { messages: redacted.messages, redactionMap }),
    [...messages, { role: 'assistant', content: response }],
  );
  assert.equal(await restorations.restore(context, { text, redactionMap }), response);
});

test('a reader that stops, and a response that breaks off, leave a record of what had come', async (t) => {
  const world = await createWorld(t, { policies: [REDACT] });
  const { context } = world;
  for await (const event of await world.scanStream(context, {}, cut(`${EMAIL} ${LONG}`))) {
    if (event.type === 'release') break;
  }
  async function* broken() {
    yield `${EMAIL} ${LONG}`;
    throw new ProbityError('invalid_request', 'The request ended before its body did.');
  }
  await assert.rejects(
    collect(await world.scanStream(context, {}, broken())),
    /ended before its body/,
  );
  const records = await stored(world);
  assert.deepEqual(
    records.map(({ findings }) => findings[0]?.type),
    ['email', 'email'],
  );
  const events = await world.events();
  assert.equal(events.filter(({ type }) => type === 'alert.created').length, 2);
});

test('a signal that aborts ends the wait for the response, and the scan is stored', async (t) => {
  const world = await createWorld(t);
  const gone = new AbortController();
  async function* hanging() {
    yield LONG;
    await new Promise(() => undefined);
  }
  const context = { ...world.context, signal: gone.signal };
  const events = await world.scanStream(context, {}, hanging());
  const done = collect(events);
  gone.abort();
  assert.equal((await done).outcome?.scan.verdict, 'allowed');
  assert.equal((await stored(world)).length, 1);
});

test('a silent response is waited for with a sign every 15 seconds, and given up after 5 minutes', async (t) => {
  const world = await createWorld(t);
  async function* silent() {
    yield 'Hello.';
    await new Promise(() => undefined);
  }
  const stream = await world.scanStream(world.context, {}, silent());
  const events = stream[Symbol.asyncIterator]();
  for (let second = 15; second <= 300; second += 15) {
    const next = events.next();
    await until(() => world.clock.pendingTimers > 0, 'the wait has begun');
    await world.clock.advance(15_000);
    assert.deepEqual((await next).value, { type: 'waiting' }, `${second} s`);
  }
  await assert.rejects(
    events.next(),
    (error) => error instanceof ProbityError && error.status === 408,
  );
  assert.equal((await stored(world)).length, 1);
});

test('what is wrong with a request is said before the response is read', async (t) => {
  const world = await createWorld(t);
  const unread: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => assert.fail('the response is not read'),
  };
  for (const [request, field] of [
    [{ policyIds: ['pol_none'] }, 'policyIds.0'],
    [{ messages: [{ role: 'x' }] }, 'messages.0.role'],
    [{ prompt: 'a', messages: [{ role: 'user', content: 'a' }] }, 'prompt'],
  ] as const) {
    await assert.rejects(world.scanStream(world.context, request, unread), (error) => {
      assert.ok(error instanceof ProbityError);
      assert.deepEqual(
        error.details?.map((each) => each.field),
        [field],
      );
      return true;
    });
  }
  assert.equal((await stored(world)).length, 0);
});

test('a response longer than 10,485,760 units is refused, and what had come is stored', async (t) => {
  const world = await createWorld(t, { policies: [] });
  async function* endless() {
    const part = 'lorem ipsum dolor '.repeat(60_000);
    for (;;) yield part;
  }
  await assert.rejects(
    collect(await world.scanStream(world.context, {}, endless())),
    (error) => error instanceof ProbityError && error.kind === 'payload_too_large',
  );
  assert.equal((await stored(world)).length, 1);
});

test('a streamed scan with latency chat releases sentences, and no part of a value', async (t) => {
  const world = await createWorld(t, { policies: [REDACT] });
  const sentence = 'The museum opens at nine in the morning on every weekday. ';
  const answer = `${sentence.repeat(4)}Her SSN is ${SSN}. ${sentence}`;
  const request = { prompt: 'When?', latency: 'chat' } as const;
  const { all, text, outcome } = await collect(
    await world.scanStream(world.context, request, cut(answer)),
  );
  assert.equal(text, sentence.repeat(4));
  assert.equal(all.filter(({ type }) => type === 'release').length, 4);
  assert.equal(outcome?.scan.verdict, 'blocked');
  await assert.rejects(
    world.scanStream(world.context, { prompt: 'When?', latency: 'fast' as 'chat' }, cut(answer)),
    { details: [{ field: 'latency', message: "must be 'chat' or absent" }] },
  );
});
