import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { insertWebhook, LATER, newWebhook } from '../fixtures.ts';
import type { WebhookStorage } from '../storage.ts';
import type { Webhook } from './types.ts';

type Opened = OpenedStorage<WebhookStorage>;

/** Contract checks of a storage for webhooks, by test title. */
export const webhookPromises: Readonly<Record<string, PromiseCheck<WebhookStorage>>> = {
  'a webhook is read back unchanged, by its own organization only': readsBack,
  'webhooks are listed oldest first, in pages, with the total': listsInPages,
  'an update changes the given members of a webhook and nothing else': updates,
  'a webhook is disabled once; turning it on clears the reason': disables,
  'the owners of a webhook are warned once each time that it is on': warnsOnce,
  'subscribers are the active webhooks that list the type': findsSubscribers,
  'a failed transaction stores no webhook': rollsBack,
};

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const webhook = await insertWebhook(storage, own, {
    url: 'https://example.com/ä?b=\'"c',
    format: 'slack',
    rateLimit: 1_000,
    ordered: true,
  });
  assert.deepEqual(await storage.findWebhook(own, webhook.id), webhook);
  assert.equal(await storage.findWebhook(other, webhook.id), null);
  assert.equal(await storage.findWebhook(own, 'whk_unknown'), null);
  assert.deepEqual([await storage.countWebhooks(own), await storage.countWebhooks(other)], [1, 0]);
}

async function listsInPages({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
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

async function updates({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const webhook = await insertWebhook(storage, own);
  const update = (organizationId: string, changes: Partial<Webhook>) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.updateWebhook(organizationId, webhook.id, changes),
    );
  assert.deepEqual(await update(own, {}), webhook);
  const url = 'https://example.org/new';
  assert.deepEqual(await update(own, { url }), { ...webhook, url });
  assert.deepEqual(await update(own, { format: 'slack' }), { ...webhook, url, format: 'slack' });
  assert.deepEqual(await update(own, { format: 'standard' }), { ...webhook, url });
  assert.deepEqual(await update(own, { rateLimit: 5 }), { ...webhook, url, rateLimit: 5 });
  assert.deepEqual(await update(own, { rateLimit: null }), { ...webhook, url });
  assert.deepEqual(await update(own, { ordered: true }), { ...webhook, url, ordered: true });
  assert.deepEqual(await update(own, { ordered: false }), { ...webhook, url });
  const events = ['scan.completed'];
  const expected = { ...webhook, url, events, active: false, activation: 1 };
  assert.deepEqual(await update(own, { events, active: false }), expected);
  assert.equal(await update(other, { active: true }), null);
  assert.deepEqual(await storage.findWebhook(own, webhook.id), expected);
}

async function disables({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const disable = (activation: number, reason: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.disableWebhook(webhook.id, activation, LATER, reason),
    );
  assert.equal(await disable(1, 'another activation'), null);
  const disabled = await disable(0, 'first');
  assert.equal(await disable(0, 'second'), null);
  assert.equal(await disable(1, 'off'), null);
  const off = {
    ...webhook,
    active: false,
    activation: 1,
    disabledAt: LATER,
    disabledReason: 'first',
  };
  assert.deepEqual(disabled, off);
  assert.deepEqual(await storage.findWebhook(own, webhook.id), off);
  const on = storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.updateWebhook(own, webhook.id, { active: true }),
  );
  assert.deepEqual(await on, { ...webhook, activation: 1 });
}

async function warnsOnce({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const other = await insertWebhook(storage, own);
  const warn = (activation: number, { id } = webhook) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.markWarned(id, activation));
  const turn = (active: boolean) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.updateWebhook(own, webhook.id, { active }));
  assert.equal(await warn(1), null, 'another activation');
  assert.deepEqual(await warn(0), webhook);
  assert.equal(await warn(0), null, 'twice');
  assert.deepEqual(await warn(0, other), other);
  await turn(false);
  assert.equal(await warn(1), null, 'turned off');
  assert.equal(await warn(0), null, 'of before');
  const on = await turn(true);
  assert.deepEqual([await warn(1), await warn(1)], [on, null]);
}

async function findsSubscribers({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const wanted = await insertWebhook(storage, own);
  await insertWebhook(storage, own, { active: false });
  await insertWebhook(storage, own, { events: ['scan.completed'] });
  await insertWebhook(storage, other);
  await insertWebhook(storage, own, { events: ['alert.created_twice'] });
  const second = await insertWebhook(storage, own, { events: ['scan.completed', 'alert.created'] });
  const [before, after] = [wanted, second].sort((left, right) => (left.id < right.id ? -1 : 1));
  assert.ok(before && after);
  const find = (cursor: string, limit: number) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.lockSubscribers(own, ['alert.created'], { after: cursor, limit }),
    );
  assert.deepEqual(await find('', 2), { webhooks: [before, after], next: null });
  assert.deepEqual(await find('', 1), { webhooks: [before], next: before.id });
  assert.deepEqual(await find(before.id, 1), { webhooks: [after], next: null });
  assert.deepEqual(await find(after.id, 1), { webhooks: [], next: null });
  const both = await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.lockSubscribers(own, ['alert.created', 'alert.created_twice'], { after: '', limit: 3 }),
  );
  assert.equal(both.webhooks.length, 3);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertWebhook(newWebhook(own), 'sealed');
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(await storage.countWebhooks(own), 0);
}
