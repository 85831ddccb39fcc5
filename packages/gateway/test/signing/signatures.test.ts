import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { Clock } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import { createLocalPrimary } from '../../src/cluster/local-primary.ts';
import { createReplays, createReplaysPart } from '../../src/signing/replays.ts';
import { createSignatures } from '../../src/signing/signatures.ts';

const KEY = 'a-key-of-sixteen-characters';

function signaturesOf(clock: Clock, keys: string) {
  const { primary } = createLocalPrimary(() => [createReplaysPart(clock)]);
  return createSignatures(clock, () => keys, createReplays(primary));
}

function sign(body: string, timestamp: string, key = KEY) {
  const hex = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return { signature: `sha256=${hex}`, timestamp };
}

test('a signature is taken once, within 300 seconds of its time', async () => {
  const clock = createTestClock();
  const signatures = signaturesOf(clock, KEY);
  const stamp = (offset: number) => String(clock.now().getTime() / 1_000 + offset);
  const check = (presented: ReturnType<typeof sign>, body = 'body') =>
    signatures.check(presented, Buffer.from(body));
  const now = sign('body', stamp(0));
  assert.equal(await check(now), null);
  assert.equal(await check(now), 'replayed');
  assert.equal(await check(sign('body', stamp(-300))), null);
  assert.equal(await check(sign('body', stamp(300))), null);
  assert.equal(await check(sign('body', stamp(-301))), 'expired');
  assert.equal(await check(sign('body', stamp(301))), 'expired');
  assert.equal(await check(sign('body', stamp(1)), 'bodY'), 'wrong');
  assert.equal(await check({ ...now, timestamp: stamp(1) }), 'wrong');
  assert.equal(await check(sign('body', stamp(1), 'another-key-of-sixteen')), 'wrong');
  assert.equal(await check({ signature: 'sha256=00', timestamp: stamp(0) }), 'malformed');
  assert.equal(
    await signatures.check({ signature: undefined, timestamp: undefined }, Buffer.of()),
    'missing',
  );
  await clock.advance(299_000);
  assert.equal(await check(now), 'replayed');
});

test('during a rotation both keys are taken', async () => {
  const clock = createTestClock();
  const signatures = signaturesOf(clock, `${'n'.repeat(16)},${KEY}`);
  const stamp = String(clock.now().getTime() / 1_000);
  for (const key of [KEY, 'n'.repeat(16)]) {
    assert.equal(await signatures.check(sign('body', stamp, key), Buffer.from('body')), null);
  }
});
