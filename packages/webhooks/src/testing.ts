import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createIds, type EventRecord, type EventType, OUTSIDE_REQUEST } from '@probity/core';
import type { WebhookStorage } from './storage.ts';
import type { Delivery, DeliveryAttempt, Webhook } from './types.ts';

/** An empty storage to be tested. */
export interface WebhookStorageSetup {
  readonly storage: WebhookStorage;
  /** Makes an organization in the same database; its id. */
  createOrganization(): Promise<string>;
  /** Closes and removes the storage. */
  dispose(): Promise<void>;
}

/** A storage adapter as the contract suite opens it, anew for each test. */
export interface WebhookStorageTarget {
  readonly name: string;
  open(): Promise<WebhookStorageSetup>;
}

const CREATED_AT = new Date('2026-01-01T00:00:00.000Z');
const LATER = new Date('2026-01-01T00:00:15.000Z');
const ALL = { limit: 50, offset: 0 };
const ids = createIds();

/** The contract of {@link WebhookStorage} as tests for `node:test`, for any adapter to pass. */
export function describeWebhookStorage(target: WebhookStorageTarget): void {
  const promise = (name: string, check: (setup: WebhookStorageSetup) => Promise<void>) =>
    it(name, async () => {
      const setup = await target.open();
      await check(setup).finally(() => setup.dispose());
    });
  describe(`webhook storage: ${target.name}`, () => {
    promise('a webhook is read as it was stored, by its own organization only', readsBack);
    promise('webhooks are listed oldest first, in pages, with the total', listsInPages);
    promise('an update changes what it names and nothing else', updates);
    promise('a webhook is disabled once; turning it on clears why', disables);
    promise('subscribers are the active webhooks that list the type', findsSubscribers);
    promise('a webhook gets one delivery of an event, however often it is inserted', insertsOnce);
    promise('an attempt is kept with every detail', recordsAttempts);
    promise('an ended delivery takes no further attempt', refusesAttempts);
    promise('a held delivery stays held unless the attempt under way succeeds', holds);
    promise('deliveries are listed newest first and by status and type', filtersDeliveries);
    promise('deleting a webhook takes its deliveries along and no others', deletes);
    promise('secrets sealed under another key are listed in steps and replaced once', reseals);
    promise('a transaction that fails leaves nothing behind', rollsBack);
  });
}

async function readsBack({ storage, createOrganization }: WebhookStorageSetup): Promise<void> {
  const [own, other] = [await createOrganization(), await createOrganization()];
  const webhook = await insertWebhook(storage, own, { url: 'https://example.com/ä?b=\'"c' });
  assert.deepEqual(await storage.findWebhook(own, webhook.id), webhook);
  assert.equal(await storage.findWebhook(other, webhook.id), null);
  assert.equal(await storage.findWebhook(own, 'whk_unknown'), null);
  assert.deepEqual([await storage.countWebhooks(own), await storage.countWebhooks(other)], [1, 0]);
}

async function listsInPages({ storage, createOrganization }: WebhookStorageSetup): Promise<void> {
  const [own, other] = [await createOrganization(), await createOrganization()];
  const newer = await insertWebhook(storage, own, { createdAt: LATER });
  const tied = [await insertWebhook(storage, own), await insertWebhook(storage, own)];
  await insertWebhook(storage, other);
  const expected = [...tied.map(({ id }) => id).sort(), newer.id];
  const { items, total } = await storage.listWebhooks(own, { limit: 2, offset: 0 });
  const rest = await storage.listWebhooks(own, { limit: 2, offset: 2 });
  assert.deepEqual(
    [...items, ...rest.items].map(({ id }) => id),
    expected,
  );
  assert.deepEqual([total, rest.total], [3, 3]);
}

async function updates({ storage, createOrganization }: WebhookStorageSetup): Promise<void> {
  const [own, other] = [await createOrganization(), await createOrganization()];
  const webhook = await insertWebhook(storage, own);
  const update = (organizationId: string, changes: Partial<Webhook>) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.updateWebhook(organizationId, webhook.id, changes),
    );
  assert.deepEqual(await update(own, {}), webhook);
  const url = 'https://example.org/new';
  assert.deepEqual(await update(own, { url }), { ...webhook, url });
  const events: EventType[] = ['scan.completed'];
  const expected = { ...webhook, url, events, active: false };
  assert.deepEqual(await update(own, { events, active: false }), expected);
  assert.equal(await update(other, { active: true }), null);
  assert.deepEqual(await storage.findWebhook(own, webhook.id), expected);
}

async function disables({ storage, createOrganization }: WebhookStorageSetup): Promise<void> {
  const own = await createOrganization();
  const webhook = await insertWebhook(storage, own);
  const disable = (reason: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.disableWebhook(webhook.id, LATER, reason));
  assert.deepEqual([await disable('first'), await disable('second')], [true, false]);
  const off = { ...webhook, active: false, disabledAt: LATER, disabledReason: 'first' };
  assert.deepEqual(await storage.findWebhook(own, webhook.id), off);
  const on = storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.updateWebhook(own, webhook.id, { active: true }),
  );
  assert.deepEqual(await on, webhook);
}

async function findsSubscribers({
  storage,
  createOrganization,
}: WebhookStorageSetup): Promise<void> {
  const [own, other] = [await createOrganization(), await createOrganization()];
  const wanted = await insertWebhook(storage, own);
  await insertWebhook(storage, own, { active: false });
  await insertWebhook(storage, own, { events: ['scan.completed'] });
  await insertWebhook(storage, other);
  const found = await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.lockSubscribers(own, 'alert.created'),
  );
  assert.deepEqual(found, [wanted]);
}

async function insertsOnce({ storage, createOrganization }: WebhookStorageSetup): Promise<void> {
  const own = await createOrganization();
  const webhooks = [await insertWebhook(storage, own), await insertWebhook(storage, own)] as const;
  const event = await appendEvent(storage, own);
  const first = newDelivery(webhooks[0], event);
  const again = newDelivery(webhooks[0], event);
  const second = newDelivery(webhooks[1], event);
  const insert = (deliveries: Delivery[]) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries(deliveries));
  assert.deepEqual(await insert([first]), [first]);
  assert.deepEqual(await insert([again, second]), [second]);
  assert.equal(await storage.findDispatch(again.id), null);
  assert.deepEqual(await storage.findDispatch(second.id), {
    delivery: second,
    url: webhooks[1].url,
    sealedSecret: `sealed ${webhooks[1].id}`,
  });
}

async function recordsAttempts(setup: WebhookStorageSetup): Promise<void> {
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

async function refusesAttempts(setup: WebhookStorageSetup): Promise<void> {
  for (const status of ['delivered', 'failed'] as const) {
    const { delivery, record, read } = await withDelivery(setup);
    const ended: Delivery = { ...delivery, status, attempts: [attemptOf(1)], nextAttemptAt: null };
    assert.equal(await record(ended), true);
    assert.equal(await record({ ...delivery, attempts: [attemptOf(1), attemptOf(2)] }), false);
    assert.deepEqual(await read(), ended);
  }
}

async function holds(setup: WebhookStorageSetup): Promise<void> {
  const outcomes = { pending: 'held', failed: 'held', delivered: 'delivered' } as const;
  for (const [status, expected] of Object.entries(outcomes)) {
    const { delivery, record, read } = await withDelivery(setup);
    const hold = () =>
      setup.storage.transaction(OUTSIDE_REQUEST, (tx) => tx.holdDeliveries(delivery.webhookId));
    assert.deepEqual([await hold(), await hold()], [1, 0]);
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

async function filtersDeliveries({
  storage,
  createOrganization,
}: WebhookStorageSetup): Promise<void> {
  const own = await createOrganization();
  const webhook = await insertWebhook(storage, own);
  const old = newDelivery(webhook, await appendEvent(storage, own));
  const scan = newDelivery(webhook, await appendEvent(storage, own, 'scan.completed'), LATER);
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries([old, scan]));
  await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.recordAttempt({ ...old, status: 'failed' }),
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

async function deletes(setup: WebhookStorageSetup): Promise<void> {
  const { storage } = setup;
  const kept = await withDelivery(setup);
  const gone = await withDelivery(setup);
  const { webhookId, organizationId } = gone.delivery;
  const remove = (organization: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteWebhook(organization, webhookId));
  assert.equal(await remove(kept.delivery.organizationId), false);
  assert.deepEqual([await remove(organizationId), await remove(organizationId)], [true, false]);
  assert.equal(await storage.findWebhook(organizationId, webhookId), null);
  assert.equal(await gone.read(), undefined);
  assert.equal(await gone.record({ ...gone.delivery, status: 'delivered' }), false);
  assert.deepEqual(await kept.read(), kept.delivery);
}

async function reseals({ storage, createOrganization }: WebhookStorageSetup): Promise<void> {
  const own = await createOrganization();
  const [keyId, oldKeyId] = ['11111111', '22222222'];
  const rows = await Promise.all(
    [oldKeyId, keyId, oldKeyId, oldKeyId].map(async (key) => {
      const webhook = newWebhook(own);
      const sealed = `v1.${key}.${webhook.id}`;
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertWebhook(webhook, sealed));
      return { id: webhook.id, sealed };
    }),
  );
  const old = rows.filter(({ sealed }) => sealed.startsWith(`v1.${oldKeyId}.`));
  const [first, second, third] = old.sort((left, right) => (left.id < right.id ? -1 : 1));
  assert.ok(first && second && third);
  assert.deepEqual(await storage.listSealedSecrets(keyId, '', 2), [first, second]);
  assert.deepEqual(await storage.listSealedSecrets(keyId, second.id, 2), [third]);
  const replace = (from: string, to: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.replaceSealedSecret({ id: first.id, from, to }),
    );
  await replace(first.sealed, `v1.${keyId}.new`);
  await replace(first.sealed, `v1.${keyId}.late`);
  assert.deepEqual(await storage.listSealedSecrets(keyId, '', 9), [second, third]);
  const changed = { id: first.id, sealed: `v1.${keyId}.new` };
  const all = await storage.listSealedSecrets('33333333', '', 9);
  assert.deepEqual(
    all.find(({ id }) => id === first.id),
    changed,
  );
}

async function rollsBack({ storage, createOrganization }: WebhookStorageSetup): Promise<void> {
  const own = await createOrganization();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertWebhook(newWebhook(own), 'sealed');
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(await storage.countWebhooks(own), 0);
}

/** A pending delivery in an organization of its own. */
async function withDelivery({ storage, createOrganization }: WebhookStorageSetup) {
  const own = await createOrganization();
  const webhook = await insertWebhook(storage, own);
  const delivery = newDelivery(webhook, await appendEvent(storage, own));
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertDeliveries([delivery]));
  return {
    delivery,
    record: (after: Delivery) =>
      storage.transaction(OUTSIDE_REQUEST, (tx) => tx.recordAttempt(after)),
    read: async () => (await storage.findDispatch(delivery.id))?.delivery,
  };
}

function newWebhook(organizationId: string, facts: Partial<Webhook> = {}): Webhook {
  return {
    id: ids.next('whk'),
    organizationId,
    url: 'https://example.com/hook',
    events: ['alert.created', 'alert.resolved'],
    active: true,
    createdAt: CREATED_AT,
    disabledAt: null,
    disabledReason: null,
    ...facts,
  };
}

async function insertWebhook(
  storage: WebhookStorage,
  organizationId: string,
  facts?: Partial<Webhook>,
): Promise<Webhook> {
  const webhook = newWebhook(organizationId, facts);
  await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.insertWebhook(webhook, `sealed ${webhook.id}`),
  );
  return webhook;
}

async function appendEvent(
  storage: WebhookStorage,
  organizationId: string,
  type: EventType = 'alert.created',
): Promise<EventRecord> {
  const data = { alertId: 'alr_1', severity: 'high', type: 'pii', message: 'A message' } as const;
  const id = ids.next('evt');
  const event = { id, organizationId, type, data, requestId: null, createdAt: CREATED_AT };
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.outbox.append(event));
  return event;
}

function newDelivery(webhook: Webhook, event: EventRecord, createdAt = CREATED_AT): Delivery {
  return {
    id: ids.next('dlv'),
    organizationId: webhook.organizationId,
    webhookId: webhook.id,
    eventId: event.id,
    eventType: event.type,
    status: 'pending',
    attempts: [],
    attemptCount: 0,
    firstAttemptAt: null,
    nextAttemptAt: createdAt,
    createdAt,
  };
}

function attemptOf(number: number, facts: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  const base = { durationMs: 12, responseStatus: 200, responseBody: '', error: null };
  return { number, at: CREATED_AT, ...base, ...facts };
}
