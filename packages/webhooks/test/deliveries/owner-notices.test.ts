import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { RETRY_PROFILES } from '../../src/index.ts';
import type { World } from '../world.ts';
import { createWorld, targets } from '../world.ts';

const HOUR_MS = 3_600_000;
const PER_HOUR = {
  delaysMs: [HOUR_MS],
  maxAttempts: 9,
  disableAfterFailures: 3,
  maxAgeMs: 72 * HOUR_MS,
};

async function failingEntries({ database, organizationId }: World): Promise<AuditEntry[]> {
  const reads = database.kernel(database.reader);
  const entries = await reads.readAuditChain(organizationId, 0, 1_000);
  return entries.filter(({ action }) => action === 'webhook.failing');
}

/** Runs what is due, then again after each of these durations. */
async function pass({ clock, deliverer, warnings }: World, ...durationsMs: number[]) {
  for (const durationMs of [0, ...durationsMs]) {
    await clock.advance(durationMs);
    await deliverer.runOnce();
    await warnings.runOnce();
  }
}

const subjects = ({ sent }: World) => sent.map(({ subject }) => subject);
const WARNING = 'A webhook is about to be disabled';
const DISABLED = 'A webhook was disabled';

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: under the standard profile the owners get one notice, when the webhook is disabled`, async (t) => {
    const world = await createWorld(t, { target });
    const { webhook } = await world.subscribe(() => ({ status: 500 }));
    await world.publish(3);
    await pass(world, ...Array.from({ length: 20 }, () => 1_000), 60_000, 60_000, 600_000);
    assert.deepEqual(subjects(world), [DISABLED]);
    assert.deepEqual(await failingEntries(world), []);
    const [notice] = world.sent;
    const { disabledAt, disabledReason } = await world.webhooks.get(world.context, webhook.id);
    assert.equal(notice?.organizationId, world.organizationId);
    assert.ok(notice.text.includes(`disabled at ${disabledAt?.toISOString()}`));
    assert.ok(notice.text.includes(`\nAddress: ${webhook.url}\nReason: ${disabledReason}\n`));
    assert.ok(notice.text.includes(`\nPATCH /webhooks/${webhook.id} {"active": true}\n`));
    const off = `{"since": "${disabledAt?.toISOString()}"}`;
    assert.ok(notice.text.includes(`\nPOST /webhooks/${webhook.id}/replay ${off}\n`));
    assert.match(notice.text, /\nPOST \S+\/recover \{"since": "[0-9T:.-]+Z"\}\n/);
  });

  test(`${target}: a webhook that one more failure disables is announced once, a minute after the failure`, async (t) => {
    const world = await createWorld(t, { target, retry: PER_HOUR });
    const { webhook } = await world.subscribe(() => ({ status: 503 }));
    await world.publish(2);
    await pass(world, HOUR_MS, 59_999);
    assert.deepEqual(subjects(world), []);
    await pass(world, 1);
    assert.deepEqual(subjects(world), [WARNING]);
    const next = new Date(world.clock.now().getTime() + HOUR_MS - 60_000).toISOString();
    assert.match(world.sent[0]?.text ?? '', /^2 attempts to deliver evt_\w+ failed; the last: /);
    assert.ok(world.sent[0]?.text.includes(`The next attempt is at ${next}; if it fails too`));
    assert.ok(world.sent[0]?.text.includes(`\nAddress: ${webhook.url}\n`));
    const entries = await failingEntries(world);
    assert.equal(entries.length, 1);
    assert.deepEqual(entries[0]?.target, { type: 'webhook', id: webhook.id });
    assert.equal(entries[0]?.after?.nextAttemptAt, next);
    await pass(world, HOUR_MS, 60_000);
    assert.deepEqual(subjects(world), [WARNING, DISABLED]);
  });

  test(`${target}: a webhook that is turned on again has both notices again`, async (t) => {
    const world = await createWorld(t, { target, retry: PER_HOUR });
    const { webhook } = await world.subscribe(() => ({ status: 503 }));
    await world.publish();
    await pass(world, HOUR_MS, 60_000, HOUR_MS);
    await world.webhooks.update(world.context, webhook.id, { active: true });
    await world.publish();
    await pass(world, HOUR_MS, 60_000, HOUR_MS);
    assert.deepEqual(subjects(world), [WARNING, DISABLED, WARNING, DISABLED]);
    assert.equal((await failingEntries(world)).length, 2);
  });
}

test('a delivery that has arrived meanwhile, and a webhook that was turned off, are not announced', async (t) => {
  const retry = { ...PER_HOUR, delaysMs: [HOUR_MS, 30_000] };
  const world = await createWorld(t, { retry });
  const recovered = await world.subscribe(() => ({ status: 503 }));
  const turnedOff = await world.subscribe(() => ({ status: 503 }));
  await world.publish();
  await pass(world, HOUR_MS);
  recovered.receiver.respondWith(() => ({ status: 200 }));
  await world.webhooks.update(world.context, turnedOff.webhook.id, { active: false });
  await pass(world, 30_000, 30_000, HOUR_MS);
  assert.deepEqual(subjects(world), []);
});

test('a notice is not sent within a minute before an attempt that may disable the webhook', async (t) => {
  const retry = { ...PER_HOUR, delaysMs: [HOUR_MS, 90_000] };
  const world = await createWorld(t, { retry });
  await world.subscribe(() => ({ status: 503 }));
  await world.publish();
  await pass(world, HOUR_MS, 60_000, 30_000, 60_000, HOUR_MS);
  assert.deepEqual(subjects(world), [DISABLED]);
});

test('under the resilient profile the owners are told a day before', async (t) => {
  const world = await createWorld(t, { retry: RETRY_PROFILES.resilient });
  await world.subscribe(() => ({ status: 503 }));
  await world.publish();
  const startMs = world.clock.now().getTime();
  const atHours: number[] = [];
  for (let minute = 0; minute < 72 * 60; minute += 1) {
    const before = world.sent.length;
    await pass(world, 60_000);
    if (world.sent.length > before) {
      atHours.push(Math.floor((world.clock.now().getTime() - startMs) / HOUR_MS));
    }
  }
  assert.deepEqual(subjects(world), [WARNING, DISABLED]);
  assert.deepEqual(atHours, [47, 71]);
});

test('a notice has no query of the address', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe(() => ({ status: 500 }));
  const url = `${receiver.url}/hook?token=hidden`;
  await world.webhooks.update(world.context, webhook.id, { url });
  await world.publish();
  await pass(world, ...Array.from({ length: 20 }, () => 1_000));
  const [notice] = world.sent;
  assert.ok(notice?.text.includes(`\nAddress: ${receiver.url}/hook\n`));
  assert.ok(!`${notice?.subject}${notice?.text}`.includes('hidden'));
});
