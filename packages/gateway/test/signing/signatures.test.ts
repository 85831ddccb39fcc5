import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Clock } from '@probity/core';
import { silentLogger, silentMetrics } from '@probity/core';
import type { DatabaseLocation } from '@probity/core/internal';
import { createTestClock, createTestDatabase, temporaryFolder } from '@probity/test-support';
import { createLocalPrimary } from '../../src/cluster/local-primary.ts';
import { createGatewayDatabase } from '../../src/database/gateway-database.ts';
import { createReplays, createReplaysPart } from '../../src/signing/replays.ts';
import type { SignatureStore } from '../../src/signing/signature-store.ts';
import {
  createSqlSignatureStore,
  SIGNATURE_MIGRATIONS,
} from '../../src/signing/signature-store.ts';
import { createSignatures } from '../../src/signing/signatures.ts';
import { settings } from '../database/world.ts';

const KEY = 'a-key-of-sixteen-characters';

/** A store of one gateway that has no database. */
function memoryStore(): SignatureStore {
  const taken = new Set<string>();
  return {
    take: async (marks) => marks.filter((mark) => !taken.has(mark) && taken.add(mark)),
    forgetBefore: async () => undefined,
  };
}

function signaturesOf(clock: Clock, keys: string, store = memoryStore()) {
  const part = createReplaysPart({ store, clock, logger: silentLogger });
  const { primary } = createLocalPrimary(() => [part]);
  return createSignatures(clock, () => keys, createReplays(primary));
}

function openStore(t: TestContext, location: DatabaseLocation, clock: Clock): SignatureStore {
  const database = createGatewayDatabase({
    ...{ location, settings: settings({ pool_size: 2 }), migrations: SIGNATURE_MIGRATIONS },
    ...{ clock, logger: silentLogger, metrics: silentMetrics },
  });
  t.after(() => database.close());
  return createSqlSignatureStore(database);
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`a signature is refused after a restart and by a second gateway with the database (${kind})`, async (t) => {
    const location: DatabaseLocation =
      kind === 'sqlite'
        ? { kind, path: join(temporaryFolder(t).path, 'gateway.db') }
        : { kind, url: (await createTestDatabase(t)).url };
    const clock = createTestClock();
    const stamp = () => String(clock.now().getTime() / 1_000);
    const open = () => signaturesOf(clock, KEY, openStore(t, location, clock));
    const [first, second] = [open(), open()];
    const body = Buffer.from('body');
    const early = sign('body', stamp());
    assert.equal(await first.check(early, body), null);
    assert.equal(await second.check(early, body), 'replayed');
    assert.equal(await open().check(early, body), 'replayed');
    const raced = sign('body', String(Number(stamp()) + 1));
    const gateways = [first, second, first, second, open(), open()];
    const faults = await Promise.all(gateways.map((each) => each.check(raced, body)));
    assert.equal(faults.filter((fault) => fault === null).length, 1);
    assert.equal(faults.filter((fault) => fault === 'replayed').length, 5);
    await clock.advance(601_000);
    assert.equal(await first.check(sign('body', stamp()), body), null);
    // The other gateway has deleted the mark, whose window has ended.
    assert.equal(await second.check(early, body), 'expired');
  });
}

test('a signed request is refused as unavailable while the database does not answer', async () => {
  const clock = createTestClock();
  let isDown = true;
  const store = memoryStore();
  const signatures = signaturesOf(clock, KEY, {
    ...store,
    take: (marks, untilMs) =>
      isDown ? Promise.reject(new Error('down')) : store.take(marks, untilMs),
  });
  const presented = sign('body', String(clock.now().getTime() / 1_000));
  const check = () => signatures.check(presented, Buffer.from('body'));
  await assert.rejects(check(), { kind: 'unavailable' });
  isDown = false;
  assert.equal(await check(), null);
  assert.equal(await check(), 'replayed');
});

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
