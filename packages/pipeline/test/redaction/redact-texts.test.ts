import assert from 'node:assert/strict';
import test from 'node:test';
import { redactTexts } from '../../src/index.ts';

const key = new Uint8Array(32).fill(7);
const TOKEN = /\[[A-Z_]+_[A-Z]{10}\]/;

test('redactTexts replaces personal data and secrets, and keeps names and IP addresses', async () => {
  const names = ['openai:gpt-4o-2024-08-06', 'http://10.0.0.5:8080/v1', 'promptfoo:redteam:pii'];
  assert.deepEqual(await redactTexts(names, { key }), names);
  const values = ['536-22-8145', 'jane.roe@example.org', `sk-ant-api03-${'aB3dEf'.repeat(16)}`];
  const redacted = await redactTexts(
    values.map((value) => `desk ${value}`),
    { key },
  );
  for (const [index, text] of redacted.entries()) {
    assert.match(text, TOKEN);
    assert.ok(!text.includes(values[index] as string));
  }
});

test('redactTexts gives a value the same token under one key, and another under another', async () => {
  const texts = ['mail of jane.roe@example.org', 'mail of joe.roe@example.org'];
  const [jane, joe] = await redactTexts(texts, { key });
  assert.notEqual(jane, joe);
  assert.deepEqual(await redactTexts([...texts].reverse(), { key }), [joe, jane]);
  const [other] = await redactTexts(texts, { key: new Uint8Array(32).fill(8) });
  assert.notEqual(other, jane);
});
