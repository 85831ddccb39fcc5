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
import type { WebhookStorage } from '../storage.ts';
import type { Delivery, DeliveryRequest } from './types.ts';

type Opened = OpenedStorage<WebhookStorage>;

/** Contract checks of a storage for deliveries, by test title. */
export const deliveryPromises: Readonly<Record<string, PromiseCheck<WebhookStorage>>> = {
  'a webhook gets one delivery of an event, however often it is inserted': insertsOnce,
  'an attempt is stored with every detail': recordsAttempts,
  'a delivery is read with the request of its last attempt, of its webhook only': readsRequests,
  'a delivery that is not pending is restarted once, with its attempts, also after it was withdrawn':
    restarts,
  'a pending delivery is failed without an attempt, and no other': fails,
  'a delivery that has ended accepts no further attempt': refusesAttempts,
  'a held delivery stays held unless the attempt under way succeeds or is the last': holds,
  'pending deliveries are held once their webhook is turned off, also after it is turned on':
    withdraws,
  'deliveries are listed newest first and by status and type': filtersDeliveries,
  'a page of deliveries ends before its largest size, after at least one delivery': limitsBytes,
  'deleting a webhook hides its deliveries, and no others, until they are deleted': deletes,
  'deliveries of events are deleted in batches': deletesOfEvents,
};

const ALL = { limit: 50, offset: 0 };

async function insertsOnce({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhooks = [
    await insertWebhook(storage, own),
    await insertWebhook(storage, own, { format: 'slack' }),
  ] as const;
  const event = await appendEvent(storage, own);
  const first = deliveryFixture(webhooks[0], event);
  const again = deliveryFixture(webhooks[0], event);
  const second = deliveryFixture(webhooks[1], event);
  const insert = (deliveries: Delivery[]) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries(deliveries));
  assert.deepEqual(await insert([first]), [first]);
  assert.deepEqual(await insert([again, second]), [second]);
  assert.deepEqual(await storage.findDispatches([again.id]), []);
  assert.deepEqual((await storage.findDispatches([second.id]))[0], {
    delivery: second,
    url: webhooks[1].url,
    format: 'slack',
    secrets: { sealedSecret: `sealed ${webhooks[1].id}`, former: [] },
  });
}

async function deletesOfEvents({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhooks = [await insertWebhook(storage, own), await insertWebhook(storage, own)];
  const events = [await appendEvent(storage, own), await appendEvent(storage, own)];
  const kept = await appendEvent(storage, own);
  const added = [...events, kept].flatMap((event) =>
    webhooks.map((webhook) => deliveryFixture(webhook, event)),
  );
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries(added));
  const remove = () =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.deleteDeliveriesOf(
        events.map(({ id }) => id),
        3,
      ),
    );
  assert.deepEqual([await remove(), await remove(), await remove()], [3, 1, 0]);
  const { total } = await storage.listDeliveries(webhooks[0]?.id ?? '', {}, ALL);
  assert.equal(total, 1);
}

async function recordsAttempts(setup: Opened): Promise<void> {
  const { delivery, record, read } = await withDelivery(setup);
  const attempts = [
    attemptOf(1, { responseStatus: 503, responseBody: 'a\u0000b\ufffd\u{1f600}"' }),
    attemptOf(2, { responseStatus: null, responseBody: null, error: 'timeout: too slow' }),
  ];
  const after: Delivery = {
    ...delivery,
    attempts,
    attemptCount: 2,
    firstAttemptAt: CREATED_AT,
    nextAttemptAt: LATER,
  };
  assert.equal(await record(after), true);
  assert.deepEqual(await read(), after);
}

async function readsRequests(setup: Opened): Promise<void> {
  const { delivery, record, readRecord } = await withDelivery(setup);
  const other = await withDelivery(setup);
  assert.deepEqual(await readRecord(), { delivery, lastRequest: null });
  const headers = { 'webhook-id': delivery.eventId };
  const request = { url: 'https://example.com/ä', headers, format: 'slack' } as const;
  const after = { ...delivery, attempts: [attemptOf(1)] };
  assert.equal(await record(after, request), true);
  assert.deepEqual(await readRecord(), { delivery: after, lastRequest: request });
  assert.equal(await record(delivery, null), true);
  assert.deepEqual(await readRecord(), { delivery, lastRequest: request });
  const { findDelivery, transaction } = setup.storage;
  assert.equal(await findDelivery(other.delivery.webhookId, delivery.id), null);
  assert.equal(await findDelivery(delivery.webhookId, 'dlv_unknown'), null);
  const { organizationId, webhookId } = delivery;
  await transaction(OUTSIDE_REQUEST, (tx) => tx.deleteWebhook(organizationId, webhookId));
  assert.equal(await readRecord(), null);
}

async function restarts(setup: Opened): Promise<void> {
  const { storage } = setup;
  const { delivery, record, read } = await withDelivery(setup);
  const restart = (id = delivery.id, replayId: string | null = null) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.restartDelivery(id, LATER, replayId));
  assert.deepEqual([await restart(), await restart('dlv_unknown')], [null, null]);
  const attempts = [attemptOf(1)];
  const counted = { attemptCount: 1, firstAttemptAt: CREATED_AT, nextAttemptAt: null };
  for (const status of ['delivered', 'failed', 'held'] as const) {
    if (status === 'held') {
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.holdDeliveries([delivery.id]));
    } else assert.ok(await record({ ...delivery, status, attempts, ...counted }), status);
    const restarted = { ...delivery, attempts, nextAttemptAt: LATER, pendingSince: LATER };
    assert.deepEqual(await restart(), restarted, status);
    assert.deepEqual(await read(), restarted, status);
    assert.equal(await restart(), null, status);
  }
  const { organizationId, webhookId } = delivery;
  await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.updateWebhook(organizationId, webhookId, { active: false }),
  );
  const due = { nextAttemptAt: LATER, pendingSince: LATER };
  const again = { ...delivery, activation: 1, attempts, ...due };
  const restarted = { ...again, replayId: 'rpl_1' };
  assert.deepEqual(await restart(delivery.id, 'rpl_1'), restarted);
  assert.deepEqual(await read(), restarted);
}

async function refusesAttempts(setup: Opened): Promise<void> {
  for (const status of ['delivered', 'failed'] as const) {
    const { delivery, record, read } = await withDelivery(setup);
    const ended: Delivery = { ...delivery, status, attempts: [attemptOf(1)], nextAttemptAt: null };
    assert.equal(await record(ended), true);
    assert.equal(await record({ ...delivery, attempts: [attemptOf(1), attemptOf(2)] }), false);
    assert.deepEqual(await read(), ended);
  }
}

async function holds(setup: Opened): Promise<void> {
  const outcomes = { pending: 'held', failed: 'failed', delivered: 'delivered' } as const;
  for (const [status, expected] of Object.entries(outcomes)) {
    const { delivery, record, read } = await withDelivery(setup);
    const hold = () =>
      setup.storage.transaction(OUTSIDE_REQUEST, (tx) => tx.holdDeliveries([delivery.id]));
    await hold();
    await hold();
    assert.deepEqual(await read(), { ...delivery, status: 'held', nextAttemptAt: null });
    const attempted = {
      ...delivery,
      status: status as Delivery['status'],
      attempts: [attemptOf(1)],
    };
    const nextAttemptAt = status === 'pending' ? LATER : null;
    assert.equal(await record({ ...attempted, nextAttemptAt }), true);
    assert.deepEqual(await read(), { ...attempted, status: expected, nextAttemptAt: null });
  }
}

async function withdraws({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const times = [CREATED_AT, LATER, LATER, LATER];
  const old = await Promise.all(
    times.map(async (at) => deliveryFixture(webhook, await appendEvent(storage, own), at)),
  );
  const setActive = (active: boolean) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.updateWebhook(own, webhook.id, { active }));
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertDeliveries(old);
    await tx.holdDeliveries(old.slice(2, 3).map(({ id }) => id));
    await tx.disableWebhook(webhook.id, webhook.activation, LATER, 'reason');
  });
  await setActive(false);
  const on = await setActive(true);
  assert.equal(on?.activation, 1);
  const current = deliveryFixture(on, await appendEvent(storage, own), LATER);
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries([current]));
  const expected = [...old.slice(1)].sort((left, right) => (right.id < left.id ? -1 : 1));
  const held = [...expected, ...old.slice(0, 1)].map((delivery): Delivery => {
    return { ...delivery, status: 'held', nextAttemptAt: null };
  });
  const check = async () => {
    const list = async (status: Delivery['status'], page = ALL) => {
      const { items, total } = await storage.listDeliveries(webhook.id, { status }, page);
      return [items, total];
    };
    assert.deepEqual(await list('pending'), [[current], 1]);
    assert.deepEqual(await list('held'), [held, 4]);
    assert.deepEqual(await list('held', { limit: 2, offset: 1 }), [held.slice(1, 3), 4]);
    const { items } = await storage.listDeliveries(webhook.id, {}, ALL);
    const byId = (left: Delivery, right: Delivery) => (left.id < right.id ? -1 : 1);
    assert.deepEqual([...items].sort(byId), [...held, current].sort(byId));
    assert.deepEqual((await storage.findDispatches([held[0]?.id ?? '']))[0]?.delivery, held[0]);
  };
  await check();
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    assert.equal((await tx.findWithdrawn(webhook.id, 2)).deliveryIds.length, 2);
    const { isDeleted, deliveryIds } = await tx.findWithdrawn(webhook.id, 9);
    assert.deepEqual([isDeleted, deliveryIds.length], [false, 3]);
    await tx.holdDeliveries(deliveryIds);
    assert.deepEqual(await tx.findWithdrawn(webhook.id, 9), { isDeleted: false, deliveryIds: [] });
  });
  await check();
}

async function fails(setup: Opened): Promise<void> {
  const { delivery, record, read } = await withDelivery(setup);
  const other = await withDelivery(setup);
  const fail = () =>
    setup.storage.transaction(OUTSIDE_REQUEST, (tx) => tx.failDelivery(delivery.id));
  await fail();
  const failed = { ...delivery, status: 'failed', nextAttemptAt: null };
  assert.deepEqual([await read(), await other.read()], [failed, other.delivery]);
  assert.equal(await record({ ...delivery, status: 'delivered' }), false);
  await setup.storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.restartDelivery(delivery.id, LATER, null),
  );
  const ended = { nextAttemptAt: null, pendingSince: LATER };
  const delivered = { ...delivery, status: 'delivered' as const, ...ended };
  assert.equal(await record(delivered), true);
  await fail();
  assert.deepEqual(await read(), delivered);
}

async function filtersDeliveries({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const old = deliveryFixture(webhook, await appendEvent(storage, own));
  const scan = deliveryFixture(webhook, await appendEvent(storage, own, 'scan.completed'), LATER);
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries([old, scan]));
  await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    recordAttempt(tx, { ...old, status: 'failed' }, null),
  );
  const list = async (filter: Parameters<typeof storage.listDeliveries>[1], page = ALL) => {
    const { items, total } = await storage.listDeliveries(webhook.id, filter, page);
    return [items.map(({ id }) => id), total];
  };
  assert.deepEqual(await list({}), [[scan.id, old.id], 2]);
  assert.deepEqual(await list({}, { limit: 1, offset: 1 }), [[old.id], 2]);
  assert.deepEqual(await list({ status: 'failed' }), [[old.id], 1]);
  assert.deepEqual(await list({ eventType: 'scan.completed' }), [[scan.id], 1]);
  assert.deepEqual(await list({ status: 'failed', eventType: 'scan.completed' }), [[], 0]);
}

async function limitsBytes({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const attempts = [attemptOf(1, { responseBody: '\u{1f600}'.repeat(100) })];
  const bytes = Buffer.byteLength(JSON.stringify(attempts));
  const deliveries: Delivery[] = [];
  for (let index = 0; index < 4; index += 1) {
    const event = await appendEvent(storage, own);
    const createdAt = new Date(CREATED_AT.getTime() - index);
    deliveries.push({ ...deliveryFixture(webhook, event, createdAt), attempts });
  }
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries(deliveries));
  const list = async (maxBytes: number, page = ALL) => {
    const found = await storage.listDeliveries(webhook.id, {}, { ...page, maxBytes });
    assert.equal(found.total, 4);
    return found.items;
  };
  assert.deepEqual(await list(4 * bytes), deliveries);
  assert.deepEqual(await list(4 * bytes - 1), deliveries.slice(0, 3));
  assert.deepEqual(await list(1), deliveries.slice(0, 1));
  assert.deepEqual(await list(2 * bytes, { limit: 3, offset: 1 }), deliveries.slice(1, 3));
  assert.deepEqual(await list(2 * bytes, { limit: 3, offset: 4 }), []);
}

async function deletes(setup: Opened): Promise<void> {
  const { storage } = setup;
  const kept = await withDelivery(setup);
  const gone = await withDelivery(setup);
  const { webhookId, organizationId } = gone.delivery;
  const remove = (organization: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteWebhook(organization, webhookId));
  assert.equal(await remove(kept.delivery.organizationId), false);
  assert.deepEqual([await remove(organizationId), await remove(organizationId)], [true, false]);
  const isGone = async () => {
    assert.equal(await storage.findWebhook(organizationId, webhookId), null);
    const { items, total } = await storage.listWebhooks(organizationId, ALL);
    assert.deepEqual([items, total, await storage.countWebhooks(organizationId)], [[], 0, 0]);
    assert.deepEqual(await storage.listDeliveries(webhookId, {}, ALL), { items: [], total: 0 });
    assert.equal(await gone.read(), undefined);
  };
  await isGone();
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    assert.equal(await tx.updateWebhook(organizationId, webhookId, { active: true }), null);
    const subscribers = await tx.lockSubscribers(organizationId, ['alert.created'], {
      after: '',
      limit: 9,
    });
    assert.deepEqual(subscribers, { webhooks: [], next: null });
    const found = await tx.findWithdrawn(webhookId, 9);
    assert.deepEqual(found, { isDeleted: true, deliveryIds: [gone.delivery.id] });
    await tx.deleteDeliveries(found.deliveryIds);
    await tx.purgeWebhook(webhookId);
    await tx.purgeWebhook(kept.delivery.webhookId);
  });
  await isGone();
  assert.equal(await gone.record({ ...gone.delivery, status: 'delivered' }), false);
  assert.deepEqual(await kept.read(), kept.delivery);
}

/** A pending delivery in a separate organization. */
async function withDelivery({ storage, createTenant }: Opened) {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const delivery = deliveryFixture(webhook, await appendEvent(storage, own));
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries([delivery]));
  return {
    delivery,
    record: (after: Delivery, request: DeliveryRequest | null = null) =>
      storage.transaction(OUTSIDE_REQUEST, (tx) => recordAttempt(tx, after, request)),
    readRecord: () => storage.findDelivery(webhook.id, delivery.id),
    read: async () => (await storage.findDispatches([delivery.id]))[0]?.delivery,
  };
}
