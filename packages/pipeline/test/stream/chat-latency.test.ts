import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BlockedError,
  createGuard,
  createPipeline,
  createStreamScanner,
  guardStream,
} from '../../src/index.ts';
import { settledSentences } from '../../src/stream/sentences.ts';

const SENTENCES = [
  'Thank you for your question about the opening hours of our museum. ',
  'The museum opens at nine in the morning on every weekday. ',
  'On Sundays the doors stay closed until noon, and the café opens a little later! ',
  'Would you like to book a guided tour in advance? ',
  'You can do so at the desk or on our website.',
];
const ANSWER = SENTENCES.join('');
const PARTS = 5;

async function* partsOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PARTS) yield text.slice(at, at + PARTS);
}

async function releasesOf(text: string, options: Parameters<typeof guardStream>[1] = {}) {
  const releases: { readonly text: string; readonly read: number }[] = [];
  let read = 0;
  async function* source() {
    for await (const part of partsOf(text)) {
      read += part.length;
      yield part;
    }
  }
  const stream = guardStream(source(), options);
  let error: unknown;
  try {
    for await (const each of stream) releases.push({ text: each, read });
  } catch (thrown) {
    error = thrown;
  }
  return { releases, passed: releases.map((each) => each.text).join(''), error };
}

test('a chat answer is passed on by the sentence, each before the next one has ended', async () => {
  const { releases, passed } = await releasesOf(ANSWER, { latency: 'chat' });
  assert.equal(passed, ANSWER);
  assert.deepEqual(
    releases.map(({ text }) => text),
    SENTENCES,
  );
  let end = 0;
  for (const { text, read } of releases) {
    end += text.length;
    assert.ok(read <= end + 2 * PARTS, `${read} units were read for ${end}`);
  }
  const { releases: whole } = await releasesOf(ANSWER);
  assert.equal(whole.length, 1);
});

const VALUES = [
  ['an SSN', '536-22-8145'],
  ['a card', '4539 1488 0343 6467'],
  ['an e-mail address', 'maria.keller@example.org'],
  ['a spelled address', 'maria (at) example (dot) org'],
  ['a telephone number', '+49 170 1234567'],
  ['an IP address', '203.0.113.77'],
  ['an account', 'DE89 3704 0044 0532 0130 00'],
] as const;
const block = createGuard({
  policies: [{ id: 'all', name: 'All', rules: [{ stage: 'pii_scanner', action: 'block' }] }],
});
const PLACES = [
  (value: string) => `Her number is ${value}. `,
  (value: string) => `${value}. That is her SSN, her account or her telephone number. `,
  (value: string) => `It is\n${value}\nand nothing else. `,
  (value: string) => `She said: "It is mine. ${value}." `,
];

for (const [name, value] of VALUES) {
  test(`a chat stream passes no part of ${name} anywhere in the answer`, async () => {
    for (const place of PLACES) {
      const text = `${SENTENCES[0]}${place(value)}${SENTENCES[1]}`;
      const { passed, error } = await releasesOf(text, { guard: block, latency: 'chat' });
      const slow = await releasesOf(text, { guard: block });
      assert.equal(error instanceof BlockedError, slow.error instanceof BlockedError, text);
      if (!(error instanceof BlockedError)) continue;
      assert.ok(passed.length <= text.indexOf(value), passed);
    }
  });
}

test('a chat stream ends with the result of a scan of the whole answer', async () => {
  const pipeline = createPipeline();
  const text = `${ANSWER} Call +49 170 1234567. ${ANSWER}`;
  const scanner = createStreamScanner(pipeline, { latency: 'chat' });
  let passed = '';
  for await (const part of partsOf(text)) passed += (await scanner.feed(part)).text;
  const last = await scanner.end();
  assert.equal(passed + last.text, text);
  const { findings, scores } = await pipeline.scan({ response: text });
  assert.deepEqual([last.result?.findings, last.result?.scores], [findings, scores]);
});

const HELD = [
  ['five digits', 'The code is 12345. Next one. '],
  ['an address', 'Write to office@. Next one. '],
  ['an open quote', 'He said "Go. Next one. '],
  ['an open bracket', 'Go (now. Next one. '],
  ['code', 'Run `rm. Next one. '],
  ['a URL', 'See https://a.example. Next one. '],
  ['a long word', `${'QUFB'.repeat(10)}. Next one. `],
  ['letters one by one', 'It is m a r i a. Next one. '],
  ['a key block', '-----BEGIN. Next one. '],
  ['an abbreviation in a sentence', 'See p. nine of the book'],
  ['a number that goes on', 'Call 170. 123'],
] as const;

for (const [name, text] of HELD) {
  test(`a sentence with ${name} waits for the text after it`, () => {
    assert.equal(settledSentences(text), 0);
  });
}

test('latency is refused with another value or together with maxWork', () => {
  const wrong = { latency: 'fast' } as never;
  assert.throws(() => guardStream(partsOf(''), wrong), /^TypeError: guardStream: latency must be/);
  assert.throws(
    () => createStreamScanner(createPipeline(), { latency: 'chat', maxWork: 2 }),
    /^TypeError: createStreamScanner: give latency or maxWork, not both/,
  );
});
