import assert from 'node:assert/strict';
import { createIds, OUTSIDE_REQUEST } from '@probity/core';
import { byId } from '@probity/core/internal';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { appendEvent, CREATED_AT, deliveryFixture, insertWebhook, LATER } from '../fixtures.ts';
import type { WebhookStorage, WebhookTransaction } from '../storage.ts';
import type { FormerSecret } from './types.ts';

type Opened = OpenedStorage<WebhookStorage>;

/** Contract checks of a storage for the secrets of webhooks, by test title. */
export const secretPromises: Readonly<Record<string, PromiseCheck<WebhookStorage>>> = {
  'a replaced secret is read as a former one, also for an attempt': readsFormer,
  'former secrets are shortened, and deleted in batches when they have expired': expires,
  'webhook secrets sealed under another key, former ones too, are listed in batches and replaced once':
    reseals,
  'deleting a webhook deletes its former secrets': deletes,
};

const ids = createIds();

function formerOf(webhookId: string, facts: Partial<FormerSecret> = {}): FormerSecret {
  const id = ids.next('whs');
  return { id, webhookId, sealedSecret: `sealed ${id}`, expiresAt: LATER, ...facts };
}

function write(
  { storage }: Opened,
  work: (tx: WebhookTransaction) => Promise<unknown>,
): Promise<unknown> {
  return storage.transaction(OUTSIDE_REQUEST, work);
}

async function readsFormer(setup: Opened): Promise<void> {
  const { storage, createTenant } = setup;
  const own = await createTenant();
  const [webhook, other] = [await insertWebhook(storage, own), await insertWebhook(storage, own)];
  const [first, second] = [formerOf(webhook.id), formerOf(webhook.id, { expiresAt: CREATED_AT })];
  await write(setup, async (tx) => {
    await tx.insertFormerSecret(first);
    await tx.insertFormerSecret(second);
    await tx.insertFormerSecret(formerOf(other.id));
    await tx.replaceSecret(webhook.id, 'sealed anew');
  });
  const expected = { sealedSecret: 'sealed anew', former: [first, second].sort(byId) };
  assert.deepEqual(await storage.findSecrets(webhook.id), expected);
  assert.equal(await storage.findSecrets('whk_unknown'), null);
  const delivery = deliveryFixture(webhook, await appendEvent(storage, own));
  await write(setup, (tx) => tx.insertDeliveries([delivery]));
  const [dispatch] = await storage.findDispatches([delivery.id]);
  assert.deepEqual(dispatch, { delivery, url: webhook.url, format: 'standard', secrets: expected });
}

async function expires(setup: Opened): Promise<void> {
  const { storage, createTenant } = setup;
  const own = await createTenant();
  const [webhook, other] = [await insertWebhook(storage, own), await insertWebhook(storage, own)];
  const early = formerOf(webhook.id, { expiresAt: CREATED_AT });
  const [late, foreign] = [formerOf(webhook.id), formerOf(other.id)];
  await write(setup, async (tx) => {
    for (const each of [early, late, foreign]) await tx.insertFormerSecret(each);
    await tx.shortenFormerSecrets(webhook.id, new Date(CREATED_AT.getTime() + 5));
  });
  const shortened = { ...late, expiresAt: new Date(CREATED_AT.getTime() + 5) };
  assert.deepEqual((await storage.findSecrets(webhook.id))?.former, [shortened, early].sort(byId));
  assert.deepEqual((await storage.findSecrets(other.id))?.former, [foreign]);
  const remove = () => write(setup, (tx) => tx.deleteFormerSecrets(LATER, 1));
  assert.deepEqual([await remove(), await remove(), await remove()], [1, 1, 0]);
  assert.deepEqual((await storage.findSecrets(webhook.id))?.former, []);
  assert.deepEqual((await storage.findSecrets(other.id))?.former, [foreign]);
}

async function reseals(setup: Opened): Promise<void> {
  const { storage, createTenant } = setup;
  const own = await createTenant();
  const [keyId, oldKeyId] = ['11111111', '22222222'];
  const webhooks = [];
  for (const key of [oldKeyId, keyId, oldKeyId]) {
    const webhook = await insertWebhook(storage, own);
    const sealed = `v1.${key}.${webhook.id}`;
    await write(setup, (tx) => tx.replaceSecret(webhook.id, sealed));
    webhooks.push({ id: webhook.id, sealed });
  }
  const old = webhooks.filter(({ sealed }) => sealed.startsWith(`v1.${oldKeyId}.`));
  const [first, second] = old.sort(byId);
  assert.ok(first && second);
  const former = formerOf(first.id, { sealedSecret: `v1.${oldKeyId}.former` });
  await write(setup, async (tx) => {
    await tx.insertFormerSecret(former);
    await tx.insertFormerSecret(formerOf(first.id, { sealedSecret: `v1.${keyId}.former` }));
  });
  const third = { id: former.id, sealed: former.sealedSecret };
  const list = (after: string, limit: number) => storage.listSealedSecrets(keyId, after, limit);
  assert.deepEqual(await list('', 2), [first, second]);
  assert.deepEqual(await list(second.id, 2), [third]);
  assert.deepEqual(await list(first.id, 2), [second, third]);
  assert.deepEqual(await list(third.id, 2), []);
  const replace = (id: string, from: string, to: string) =>
    write(setup, (tx) => tx.replaceSealedSecret({ id, from, to }));
  for (const { id, sealed } of [first, third]) {
    await replace(id, sealed, `v1.${keyId}.new`);
    await replace(id, sealed, `v1.${keyId}.late`);
  }
  assert.deepEqual(await list('', 9), [second]);
  const secrets = await storage.findSecrets(first.id);
  assert.equal(secrets?.sealedSecret, `v1.${keyId}.new`);
  const replaced = secrets.former.find(({ id }) => id === former.id);
  assert.equal(replaced?.sealedSecret, `v1.${keyId}.new`);
}

async function deletes(setup: Opened): Promise<void> {
  const { storage, createTenant } = setup;
  const own = await createTenant();
  const webhook = await insertWebhook(storage, own);
  await write(setup, async (tx) => {
    await tx.insertFormerSecret(formerOf(webhook.id));
    await tx.deleteWebhook(own, webhook.id);
    await tx.purgeWebhook(webhook.id);
  });
  assert.deepEqual(await storage.listSealedSecrets('11111111', '', 9), []);
}
