import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { CREATED_AT, insertWebhook } from '../fixtures.ts';
import type { WebhookStorage } from '../storage.ts';
import type { Webhook } from '../webhooks/types.ts';
import { HOUR_MS, mergeCounts } from './counts.ts';
import type { AttemptCount } from './types.ts';

type Opened = OpenedStorage<WebhookStorage>;

/** Contract checks of a storage for the counts of attempts, by test title. */
export const statPromises: Readonly<Record<string, PromiseCheck<WebhookStorage>>> = {
  'counts of attempts are added up by webhook, hour and bucket': addsUp,
  'concurrent transactions that count attempts of the same webhooks lose none': addsConcurrently,
  'counts of attempts are deleted by hour in batches, and with their webhook': deletes,
};

function countOf({ id: webhookId }: Webhook, facts: Partial<AttemptCount> = {}): AttemptCount {
  const base = { webhookId, hour: CREATED_AT, bucket: 7 };
  return { ...base, attempts: 2, succeeded: 1, ...facts };
}

const NEXT_HOUR = new Date(CREATED_AT.getTime() + HOUR_MS);

function add({ transaction }: WebhookStorage, ...counts: AttemptCount[]): Promise<void> {
  return transaction(OUTSIDE_REQUEST, (tx) => tx.addAttemptCounts(mergeCounts(counts)));
}

async function addsUp({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const [webhook, other] = [await insertWebhook(storage, own), await insertWebhook(storage, own)];
  await add(storage);
  const [first, slow] = [countOf(webhook), countOf(webhook, { bucket: 9, attempts: 1 })];
  const later = countOf(webhook, { hour: NEXT_HOUR });
  await add(storage, first, slow, later, countOf(other));
  await add(storage, first, later, later);
  const list = async (since: Date) =>
    mergeCounts(await storage.listAttemptCounts(webhook.id, since));
  const sum = { attempts: 6, succeeded: 3 };
  assert.deepEqual(await list(CREATED_AT), [
    { ...first, attempts: 4, succeeded: 2 },
    slow,
    { ...later, ...sum },
  ]);
  assert.deepEqual(await list(NEXT_HOUR), [{ ...later, ...sum }]);
  assert.deepEqual(await storage.listAttemptCounts('whk_unknown', CREATED_AT), []);
}

async function addsConcurrently({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const own = await createTenant();
  const webhooks = [await insertWebhook(storage, own), await insertWebhook(storage, own)];
  const storages = [storage, openAnother() ?? storage];
  const counts = webhooks.map((webhook) => countOf(webhook));
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const order = index % 2 === 0 ? counts : [...counts].reverse();
      return add(storages[index % 2] ?? storage, ...order);
    }),
  );
  for (const { id } of webhooks) {
    const [count] = await storage.listAttemptCounts(id, CREATED_AT);
    assert.deepEqual([count?.attempts, count?.succeeded], [40, 20]);
  }
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  const kept = countOf(webhook, { hour: NEXT_HOUR });
  await add(storage, countOf(webhook), countOf(webhook, { bucket: 0 }), kept);
  const remove = () =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteAttemptCounts(NEXT_HOUR, 1));
  assert.deepEqual([await remove(), await remove(), await remove()], [1, 1, 0]);
  assert.deepEqual(await storage.listAttemptCounts(webhook.id, CREATED_AT), [kept]);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.deleteWebhook(own, webhook.id);
    await tx.purgeWebhook(webhook.id);
  });
  assert.deepEqual(await storage.listAttemptCounts(webhook.id, CREATED_AT), []);
}
