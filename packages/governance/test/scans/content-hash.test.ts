import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { hashContent } from '../../src/scans/content-hash.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const long = (shift: number) => `${'a'.repeat(shift)}${'🏔"\\é'.repeat(500_000)}\ud800`;

for (const shift of [0, 1, 2]) {
  test(`hashing long texts in pieces, offset by ${shift}, equals hashing them whole`, async () => {
    const text = long(shift);
    const context = [text, '', 'b', text.slice(shift)];
    const hashes = await hashContent({ input: { prompt: text, response: text, context } });
    assert.deepEqual(hashes, {
      promptHash: sha256(text),
      responseHash: sha256(text),
      contextHash: sha256(JSON.stringify(context)),
      messagesHash: null,
    });
  });
}

test('content hashes are null for an absent prompt and context, but not for an empty list of passages', async () => {
  const absent = await hashContent({ input: { response: 'a' } });
  assert.deepEqual([absent.promptHash, absent.contextHash], [null, null]);
  assert.equal(
    (await hashContent({ input: { response: 'a', context: [] } })).contextHash,
    sha256('[]'),
  );
});

test('messages have a hash of their own, that of their JSON', async () => {
  const messages = [
    { role: 'user', content: long(0) },
    { role: 'assistant', content: null },
  ];
  const hashes = await hashContent({ messages, context: ['a'] });
  assert.deepEqual(hashes, {
    ...{ promptHash: null, responseHash: null, contextHash: sha256('["a"]') },
    messagesHash: sha256(JSON.stringify(messages)),
  });
});

test('hashing a text of 10 MiB yields to the event loop', async () => {
  let turns = 0;
  let hashing = true;
  const count = () => {
    turns++;
    if (hashing) setImmediate(count);
  };
  setImmediate(count);
  await hashContent({ input: { response: 'a'.repeat(10 * 1024 * 1024) } });
  hashing = false;
  assert.ok(turns >= 9, `${turns} turns`);
});
