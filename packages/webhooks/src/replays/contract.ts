import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import {
  appendEvent,
  attemptOf,
  CREATED_AT,
  deliveryFixture,
  insertWebhook,
  LATER,
  recordAttempt,
} from '../fixtures.ts';
import type { WebhookStorage, WebhookTransaction } from '../storage.ts';
import type { Webhook } from '../webhooks/types.ts';
import type { Replay } from './types.ts';

type Opened = OpenedStorage<WebhookStorage>;

/** Contract checks of a storage for replays, by test title. */
export const replayPromises: Readonly<Record<string, PromiseCheck<WebhookStorage>>> = {
  'a replay is read as it was stored, of its webhook only, and listed newest first': reads,
  'a webhook has at most one replay that is running': runsOne,
  'a replay that has ended is not changed': staysEnded,
  'replays are deleted in batches after they ended, and with their webhook': deletes,
  'failed and held deliveries of a time are listed in parts by creation': listsUndelivered,
  'the due deliveries of a replay are counted up to a limit': countsDue,
  'deliveries are found by their events, with the status as read': findsByEvent,
};

const ALL = { limit: 50, offset: 0 };
const at = (ms: number) => new Date(CREATED_AT.getTime() + ms);

function replayOf({ id, organizationId }: Webhook, facts: Partial<Replay> = {}): Replay {
  return {
    id: 'rpl_1',
    organizationId,
    webhookId: id,
    kind: 'all',
    status: 'running',
    activation: 0,
    since: CREATED_AT,
    until: LATER,
    types: ['alert.created'],
    total: 0,
    isCounted: false,
    done: 0,
    cursor: null,
    createdAt: LATER,
    endedAt: null,
    ...facts,
  };
}

function inside<T>(
  { transaction }: WebhookStorage,
  work: (tx: WebhookTransaction) => Promise<T>,
): Promise<T> {
  return transaction(OUTSIDE_REQUEST, work);
}

function insert(storage: WebhookStorage, replay: Replay): Promise<void> {
  return inside(storage, (tx) => tx.insertReplay(replay));
}

async function reads({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const [webhook, other] = [await insertWebhook(storage, own), await insertWebhook(storage, own)];
  const replay = replayOf(webhook);
  await insert(storage, replay);
  const ended = { id: 'rpl_0', status: 'completed', endedAt: LATER, kind: 'failed' } as const;
  const older = replayOf(webhook, { ...ended, types: null, createdAt: CREATED_AT });
  await insert(storage, older);
  assert.deepEqual(await storage.findReplay(webhook.id, replay.id), replay);
  assert.equal(await storage.findReplay(other.id, replay.id), null);
  assert.equal(await storage.findReplay(webhook.id, 'rpl_unknown'), null);
  const items = [replay, older];
  assert.deepEqual(await storage.listReplays(webhook.id, ALL), { items, total: 2 });
  const second = await storage.listReplays(webhook.id, { limit: 1, offset: 1 });
  assert.deepEqual(second, { items: [older], total: 2 });
}

async function runsOne({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const [webhook, other] = [await insertWebhook(storage, own), await insertWebhook(storage, own)];
  assert.equal(await storage.hasRunningReplay(webhook.id), false);
  await insert(storage, replayOf(webhook));
  assert.equal(await storage.hasRunningReplay(webhook.id), true);
  await assert.rejects(insert(storage, replayOf(webhook, { id: 'rpl_2' })));
  await insert(storage, replayOf(other, { id: 'rpl_3' }));
}

async function staysEnded({ storage, createTenant }: Opened): Promise<void> {
  const webhook = await insertWebhook(storage, await createTenant());
  const replay = replayOf(webhook);
  await insert(storage, replay);
  const update = (changed: Replay) => inside(storage, (tx) => tx.updateReplay(changed));
  const cursor = { createdAt: at(7), id: 'evt_7' };
  const further = { ...replay, total: 9, isCounted: true, done: 3, cursor };
  assert.equal(await update(further), true);
  assert.deepEqual(await storage.findReplay(webhook.id, replay.id), further);
  const canceled: Replay = { ...further, status: 'canceled', endedAt: LATER };
  assert.equal(await update(canceled), true);
  assert.equal(await update({ ...further, done: 4 }), false);
  assert.deepEqual(await storage.findReplay(webhook.id, replay.id), canceled);
  assert.equal(await storage.hasRunningReplay(webhook.id), false);
  assert.equal(await update({ ...further, id: 'rpl_unknown' }), false);
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const ended = { status: 'completed', endedAt: CREATED_AT } as const;
  for (const id of ['rpl_1', 'rpl_2']) await insert(storage, replayOf(webhook, { id, ...ended }));
  await insert(storage, replayOf(webhook, { id: 'rpl_3', ...ended, endedAt: LATER }));
  await insert(storage, replayOf(webhook, { id: 'rpl_4' }));
  const remove = () => inside(storage, (tx) => tx.deleteReplays(LATER, 1));
  assert.deepEqual([await remove(), await remove(), await remove()], [1, 1, 0]);
  assert.equal((await storage.listReplays(webhook.id, ALL)).total, 2);
  await inside(storage, async (tx) => {
    await tx.deleteWebhook(own, webhook.id);
    await tx.purgeWebhook(webhook.id);
  });
  assert.equal((await storage.listReplays(webhook.id, ALL)).total, 0);
}

/** A webhook with deliveries of these statuses, each made a millisecond after the one before. */
async function withDeliveries(
  { storage, createTenant }: Opened,
  statuses: readonly ('pending' | 'delivered' | 'failed' | 'held')[],
) {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const deliveries = [];
  for (const [index, status] of statuses.entries()) {
    const event = await appendEvent(storage, own);
    const delivery = deliveryFixture(webhook, event, at(index));
    const ended = { ...delivery, status, attempts: [attemptOf(1)], nextAttemptAt: null };
    await inside(storage, async (tx) => {
      await tx.insertDeliveries([delivery]);
      if (status === 'held') await tx.holdDeliveries([delivery.id]);
      else if (status !== 'pending') assert.ok(await recordAttempt(tx, ended, null));
    });
    deliveries.push(delivery);
  }
  return { webhook, deliveries };
}

async function listsUndelivered(opened: Opened): Promise<void> {
  const { storage } = opened;
  const statuses = ['failed', 'delivered', 'held', 'pending', 'failed', 'held', 'failed'] as const;
  const { webhook, deliveries } = await withDeliveries(opened, statuses);
  const range = { since: at(2), until: at(6) };
  const expected = [2, 4, 5].map((index) => {
    const { id, eventId, eventType, createdAt } = deliveries[index] ?? assert.fail();
    return { place: { id, createdAt }, event: { id: eventId, type: eventType }, isTest: false };
  });
  const list = (after = -1, limit = 9) =>
    storage.listUndelivered(webhook.id, range, expected[after]?.place ?? null, limit);
  assert.deepEqual(await list(), expected);
  assert.deepEqual(await list(-1, 2), expected.slice(0, 2));
  assert.deepEqual(await list(0), expected.slice(1));
  assert.deepEqual(await list(2), []);
}

async function countsDue(opened: Opened): Promise<void> {
  const { storage } = opened;
  const { deliveries } = await withDeliveries(opened, ['failed', 'held', 'delivered', 'failed']);
  for (const [index, { id }] of deliveries.entries()) {
    const replayId = index === 2 ? 'rpl_other' : 'rpl_1';
    await inside(storage, (tx) => tx.restartDelivery(id, at(10 + index), replayId));
  }
  const count = (ms: number, limit = 9) => storage.countReplayed('rpl_1', at(ms), limit);
  assert.deepEqual(await count(9), { due: 0, latestDueAt: null });
  assert.deepEqual(await count(11), { due: 2, latestDueAt: at(11) });
  assert.deepEqual(await count(20), { due: 3, latestDueAt: at(13) });
  assert.deepEqual(await count(20, 2), { due: 2, latestDueAt: at(13) });
}

async function findsByEvent(opened: Opened): Promise<void> {
  const { storage } = opened;
  const { webhook, deliveries } = await withDeliveries(opened, ['pending', 'delivered', 'failed']);
  const { organizationId } = webhook;
  await inside(storage, (tx) => tx.updateWebhook(organizationId, webhook.id, { active: false }));
  const [pending, delivered] = deliveries;
  const eventIds = [pending?.eventId ?? '', delivered?.eventId ?? '', 'evt_unknown'];
  const found = await storage.listDeliveriesOf(webhook.id, eventIds);
  const statuses = new Map(found.map(({ id, eventId, status }) => [id, [eventId, status]]));
  const expected = new Map([
    [pending?.id, [pending?.eventId, 'held']],
    [delivered?.id, [delivered?.eventId, 'delivered']],
  ]);
  assert.deepEqual(statuses, expected);
  assert.deepEqual(await storage.listDeliveriesOf(webhook.id, []), []);
}
