import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../grpc/client.ts';
import { answersOf, connect } from '../grpc/client.ts';
import { startCluster } from './cluster-world.ts';

const FILLER = 'The museum is open from nine to five. '.repeat(20);

/** Sends the text without waiting for anything. */
async function sendAtOnce(client: ReturnType<typeof connect>, text: string): Promise<Message[]> {
  const stream = client.stream();
  const answers = answersOf(stream);
  stream.write({ open: { request_id: 'text' } });
  for (let at = 0, sequence = 1; at < text.length; at += 7, sequence++) {
    stream.write({ chunk: { request_id: 'text', sequence, text: text.slice(at, at + 7) } });
  }
  stream.write({ close: { request_id: 'text' } });
  stream.end();
  return answers;
}

// Limits are looked at in the primary: parts arrive while the text is being opened.
test('nothing of a text is lost while its limit is looked at in another process', async (t) => {
  const client = connect(t, await startCluster(t));
  for (let round = 0; round < 6; round++) {
    const blocked = await sendAtOnce(client, `Her SSN is 536-22-8145. ${FILLER}`);
    assert.deepEqual(
      blocked.flatMap(({ error }) => (error ? [error] : [])),
      [],
    );
    assert.equal((blocked.at(-1)?.final as Message | undefined)?.verdict, 'VERDICT_BLOCKED');
    const allowed = await sendAtOnce(client, FILLER);
    const released = allowed.map(({ release }) => (release as Message | null)?.text ?? '').join('');
    assert.equal(released, FILLER);
  }
});

test('a text that is refused by a limit has one error, whatever is under way to it', async (t) => {
  const limit = 'rate_limiting: {per_client: {requests_per_minute: 1, burst_size: 1}}\n';
  const client = connect(t, await startCluster(t, limit));
  assert.ok((await sendAtOnce(client, FILLER)).at(-1)?.final);
  const [refused, ...others] = await sendAtOnce(client, FILLER);
  assert.equal((refused?.error as Message | undefined)?.code, 'RESOURCE_EXHAUSTED');
  assert.deepEqual(others, []);
});
