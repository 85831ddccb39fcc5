import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PII_TEXTS } from '../texts.ts';
import { startGateway } from '../world.ts';
import type { Message } from './client.ts';
import { answersOf, connect } from './client.ts';

const NO_LIMITS = 'rate_limiting: {enabled: false}';

test('many whole scans share a stream, each with its own answer or error', async (t) => {
  const client = connect(t, await startGateway(t, NO_LIMITS));
  const stream = client.stream();
  const count = 300;
  for (let at = 0; at < count; at++) {
    const response = at % 3 === 0 ? PII_TEXTS.ssn : 'Hello.';
    stream.write({ scan: { request_id: `scan-${at}`, response } });
  }
  stream.write({ scan: { request_id: 'empty' } });
  stream.write({ close: { request_id: 'unknown' } });
  stream.end();
  const answers = await answersOf(stream);
  const by = new Map(answers.map((answer) => [answer.request_id, answer]));
  assert.equal(by.size, count + 2);
  for (let at = 0; at < count; at++) {
    const final = by.get(`scan-${at}`)?.final as Message;
    assert.equal(final.verdict, at % 3 === 0 ? 'VERDICT_BLOCKED' : 'VERDICT_ALLOWED');
  }
  for (const name of ['empty', 'unknown']) {
    const error = by.get(name)?.error as Message | undefined;
    assert.equal(error?.code, 'INVALID_ARGUMENT');
  }
});

const FILLER = 'The weather was fine and the harbor was quiet in the morning. '.repeat(20);

/** Sends a text in parts of a size, and puts together what is released. */
async function sendInParts(client: ReturnType<typeof connect>, text: string, size: number) {
  const stream = client.stream();
  const answers: Message[] = [];
  stream.on('data', (answer: Message) => answers.push(answer));
  const ended = new Promise((resolve) => stream.on('end', resolve));
  stream.write({ open: { request_id: 'text' } });
  for (let at = 0, sequence = 1; at < text.length; at += size, sequence++) {
    stream.write({ chunk: { request_id: 'text', sequence, text: text.slice(at, at + size) } });
  }
  stream.write({ close: { request_id: 'text' } });
  stream.end();
  await ended;
  const released = answers.flatMap(({ release }) =>
    release ? [(release as Message).text as string] : [],
  );
  return { answers, released: released.join(''), final: answers.at(-1)?.final as Message };
}

test('a harmless text that comes in parts is released whole, however it is cut', async (t) => {
  const client = connect(t, await startGateway(t, NO_LIMITS));
  for (const size of [7, 64, 1_000]) {
    const { released, final, answers } = await sendInParts(client, FILLER, size);
    assert.equal(released, FILLER);
    assert.equal(final.verdict, 'VERDICT_ALLOWED');
    const releases = answers.flatMap(({ release }) => (release ? [release as Message] : []));
    assert.ok(releases.length > 1);
    assert.equal(releases.at(-1)?.released_bytes, Buffer.byteLength(FILLER));
    assert.equal(releases.at(-1)?.through_sequence, Math.ceil(FILLER.length / size));
  }
});

test('nothing of a number that blocks is released, wherever it is cut', async (t) => {
  const client = connect(t, await startGateway(t, NO_LIMITS));
  const secret = '536-22-8145';
  for (let cut = 1; cut < secret.length; cut += 2) {
    const text = `${FILLER}Her SSN is ${secret}. ${FILLER}`;
    const { released, final } = await sendInParts(client, text, FILLER.length + 11 + cut);
    assert.equal(final.verdict, 'VERDICT_BLOCKED');
    assert.equal(final.code, 'PII_DETECTED');
    assert.ok(!released.includes('536'), released.slice(-30));
  }
});

test('with redact, a text goes on with what is found replaced', async (t) => {
  const client = connect(t, await startGateway(t, NO_LIMITS));
  const stream = client.stream();
  const answers = answersOf(stream);
  stream.write({ open: { request_id: 'text', redact: true } });
  stream.write({ chunk: { request_id: 'text', sequence: 1, text: 'Write to bob@exa' } });
  stream.write({ chunk: { request_id: 'text', sequence: 2, text: `mple.com. ${FILLER}` } });
  stream.write({ close: { request_id: 'text' } });
  stream.end();
  const all = await answers;
  const released = all.map(({ release }) => (release as Message | null)?.text ?? '').join('');
  assert.equal(released, `Write to [EMAIL_1]. ${FILLER}`);
  const [final] = all.flatMap((answer) => (answer.final ? [answer.final as Message] : []));
  assert.equal(final?.verdict, 'VERDICT_REDACTED');
  const [finding] = all.flatMap((answer) => (answer.finding ? [answer.finding as Message] : []));
  assert.equal(finding?.type, 'email');
  assert.equal(finding?.byte_start, 9);
});

test('an error of one text leaves the others of the stream alone', async (t) => {
  const client = connect(t, await startGateway(t, NO_LIMITS));
  const stream = client.stream();
  const answers = answersOf(stream);
  stream.write({ open: { request_id: 'one' } });
  stream.write({ open: { request_id: 'one' } });
  stream.write({ open: { request_id: '' } });
  stream.write({ open: { request_id: 'two' } });
  stream.write({ chunk: { request_id: 'two', sequence: 1, text: 'Hello.' } });
  stream.write({ close: { request_id: 'two' } });
  stream.end();
  const all = await answers;
  const finals = all.filter(({ final }) => final).map(({ request_id }) => request_id);
  assert.deepEqual(finals, ['two']);
  const errors = all.filter(({ error }) => error).map(({ request_id }) => request_id);
  assert.deepEqual(errors.sort(), ['', 'one', 'one'], 'twice, and not closed');
});

test('a text that came in parts is counted and logged as one scan', async (t) => {
  const gateway = await startGateway(t, NO_LIMITS);
  await sendInParts(connect(t, gateway), `${FILLER}${PII_TEXTS.ssn}`, 50);
  const text = await gateway.metrics();
  assert.match(text, /gateway_requests_total\{method="scan",status="blocked"\} 1/);
  assert.match(text, /gateway_pii_detections_total\{type="ssn"\} 1/);
  await gateway.gateway.stop();
  const records = gateway.records().filter(({ message }) => message === 'scan');
  assert.deepEqual(
    records.map(({ request_id, result }) => [request_id, result]),
    [['text', 'blocked']],
  );
});
