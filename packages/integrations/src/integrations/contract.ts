import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { insertIntegration, LATER, newConnection } from '../fixtures.ts';
import type { IntegrationsStorage } from '../storage.ts';
import type { Routing, StoredChanges } from './types.ts';

type Opened = OpenedStorage<IntegrationsStorage>;

/** Contract checks of a storage for integrations, by test title. */
export const integrationPromises: Readonly<Record<string, PromiseCheck<IntegrationsStorage>>> = {
  'an integration is read back unchanged, by its own organization only': readsBack,
  'integrations are listed oldest first, in pages, with the total': listsInPages,
  'an organization has one integration of a type': refusesSecond,
  'an update changes the given members of an integration and nothing else': updates,
  'the integrations with a routing are found': findsRouted,
  'sealed secrets are listed by id and replaced while they are as they were': reseals,
  'an integration is deleted by its own organization, once': deletes,
  'a failed transaction stores no integration': rollsBack,
};

const ROUTING: Routing = { severities: ['high', 'critical'], category: 'Sécurité \'ä"' };

async function readsBack({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const connection = newConnection(own, {
    type: 'chatops',
    target: 'acme.example',
    routing: { severities: ['low'], teamId: 'team', channelId: '19:ä@thread.tacv2' },
    status: 'failing',
    lastError: 'The token endpoint\nanswered 401',
    lastErrorAt: LATER,
  });
  const { sealedSecret: _, ...integration } = connection;
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertIntegration(connection));
  const { id } = connection;
  const reader = openAnother() ?? storage;
  assert.deepEqual(await reader.findIntegration(own, id), integration);
  assert.deepEqual(await reader.findConnection(own, id), connection);
  assert.deepEqual(await storage.findConnectionOf(own, 'chatops'), connection);
  assert.equal(await storage.findConnectionOf(own, 'itsm'), null);
  assert.equal(await storage.findConnectionOf(other, 'chatops'), null);
  assert.equal(await storage.findIntegration(other, id), null);
  assert.equal(await storage.findConnection(other, id), null);
  assert.equal(await storage.findIntegration(own, 'itg_unknown'), null);
}

async function listsInPages({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const newer = await insertIntegration(storage, own, { createdAt: LATER });
  const older = await insertIntegration(storage, own, { type: 'chatops' });
  await insertIntegration(storage, other);
  const first = await storage.listIntegrations(own, { limit: 1, offset: 0 });
  const rest = await storage.listIntegrations(own, { limit: 5, offset: 1 });
  assert.deepEqual([...first.items, ...rest.items], [older, newer]);
  assert.deepEqual([first.total, rest.total], [2, 2]);
}

async function refusesSecond({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  await insertIntegration(storage, own);
  await assert.rejects(insertIntegration(storage, own));
  assert.equal((await storage.listIntegrations(own, { limit: 5, offset: 0 })).total, 1);
}

async function updates({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const integration = await insertIntegration(storage, own);
  const { id } = integration;
  const update = (organizationId: string, changes: StoredChanges) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.updateIntegration(organizationId, id, changes));
  assert.deepEqual(await update(own, {}), integration);
  assert.deepEqual(await update(own, { routing: ROUTING }), { ...integration, routing: ROUTING });
  const failing = { status: 'failing', lastError: 'Refused', lastErrorAt: LATER } as const;
  const failed = { ...integration, routing: ROUTING, ...failing };
  assert.deepEqual(await update(own, failing), failed);
  const changes = { clientId: 'other', sealedSecret: `sealed ${id} anew`, updatedAt: LATER };
  const updated = { ...failed, clientId: 'other', updatedAt: LATER };
  assert.deepEqual(await update(own, changes), updated);
  assert.equal((await storage.findConnection(own, id))?.sealedSecret, changes.sealedSecret);
  const cleared = {
    routing: null,
    status: 'connected',
    lastError: null,
    lastErrorAt: null,
  } as const;
  assert.equal(await update(other, cleared), null);
  assert.deepEqual(await update(own, cleared), { ...updated, ...cleared });
}

async function findsRouted({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  await insertIntegration(storage, own);
  const routed = await insertIntegration(storage, own, { type: 'chatops', routing: ROUTING });
  await insertIntegration(storage, other, { routing: ROUTING });
  assert.deepEqual(await storage.listRouted(own), [routed]);
}

async function reseals({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const first = await insertIntegration(storage, own);
  const second = await insertIntegration(storage, own, { type: 'chatops' });
  const [before, after] = [first.id, second.id].sort();
  assert.ok(before && after);
  const listed = await storage.listSealedClientSecrets('another', '', 1);
  assert.deepEqual(listed, [{ id: before, sealed: `sealed ${before}` }]);
  const rest = await storage.listSealedClientSecrets('another', before, 5);
  assert.deepEqual(rest, [{ id: after, sealed: `sealed ${after}` }]);
  const replace = (from: string, to: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.replaceSealedClientSecret({ id: before, from, to }),
    );
  await replace('another', 'lost');
  await replace(`sealed ${before}`, 'anew');
  assert.equal((await storage.findConnection(own, before))?.sealedSecret, 'anew');
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const { id } = await insertIntegration(storage, own);
  const kept = await insertIntegration(storage, own, { type: 'chatops' });
  const remove = (organizationId: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteIntegration(organizationId, id));
  assert.deepEqual(
    [await remove(other), await remove(own), await remove(own)],
    [false, true, false],
  );
  assert.equal(await storage.findIntegration(own, id), null);
  assert.deepEqual(await storage.findIntegration(own, kept.id), kept);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertIntegration(newConnection(own));
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal((await storage.listIntegrations(own, { limit: 5, offset: 0 })).total, 0);
}
