import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createSignatures } from '../../src/signing/signatures.ts';

const KEY = 'a-key-of-sixteen-characters';

function sign(body: string, timestamp: string, key = KEY) {
  const hex = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return { signature: `sha256=${hex}`, timestamp };
}

test('a signature is taken once, within 300 seconds of its time', async () => {
  const clock = createTestClock();
  const signatures = createSignatures(clock, () => KEY);
  const stamp = (offset: number) => String(clock.now().getTime() / 1_000 + offset);
  const check = (presented: ReturnType<typeof sign>, body = 'body') =>
    signatures.check(presented, Buffer.from(body));
  const now = sign('body', stamp(0));
  assert.equal(check(now), null);
  assert.equal(check(now), 'replayed');
  assert.equal(check(sign('body', stamp(-300))), null);
  assert.equal(check(sign('body', stamp(300))), null);
  assert.equal(check(sign('body', stamp(-301))), 'expired');
  assert.equal(check(sign('body', stamp(301))), 'expired');
  assert.equal(check(sign('body', stamp(1)), 'bodY'), 'wrong');
  assert.equal(check({ ...now, timestamp: stamp(1) }), 'wrong');
  assert.equal(check(sign('body', stamp(1), 'another-key-of-sixteen')), 'wrong');
  assert.equal(check({ signature: 'sha256=00', timestamp: stamp(0) }), 'malformed');
  assert.equal(
    signatures.check({ signature: undefined, timestamp: undefined }, Buffer.of()),
    'missing',
  );
  await clock.advance(299_000);
  assert.equal(check(now), 'replayed');
});

test('during a rotation both keys are taken', () => {
  const clock = createTestClock();
  const signatures = createSignatures(clock, () => `${'n'.repeat(16)},${KEY}`);
  const stamp = String(clock.now().getTime() / 1_000);
  for (const key of [KEY, 'n'.repeat(16)]) {
    assert.equal(signatures.check(sign('body', stamp, key), Buffer.from('body')), null);
  }
});
