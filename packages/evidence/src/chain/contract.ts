import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST, systemClock, systemRandom } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { appendEvidence, CREATED_AT, insertAiSystem, LATER } from '../fixtures.ts';
import { createEvidenceAppender } from '../records/append.ts';
import type { Evidence } from '../records/types.ts';
import type { EvidenceStorage } from '../storage.ts';
import { verifyEvidenceChain } from './verify.ts';

type Opened = OpenedStorage<EvidenceStorage>;

/** Contract checks of a storage for chains, by test title. */
export const chainPromises: Readonly<Record<string, PromiseCheck<EvidenceStorage>>> = {
  'the chain of an organization is read with its records': readsChain,
  'an amendment changes the links of a record and is part of the chain': amends,
  'removed records leave their nodes and keys': removes,
  'chains are listed with their oldest record': listsChains,
  'sealed ends are listed and replaced for key rotation': replacesSealed,
  'the time of the chain never goes back': keepsTime,
};

async function readsChain({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const [one, two] = await appendEvidence(storage, own, {}, {});
  await appendEvidence(storage, other, {});
  assert.ok(one && two);
  const nodes = await storage.readEvidenceChain(own, 0, 10);
  assert.deepEqual(
    nodes.map(({ record }) => record),
    [one, two],
  );
  assert.deepEqual(
    nodes.map(({ id, sequence, hash, previousHash }) => [id, sequence, hash, previousHash]),
    [
      [one.id, 1, one.hash, ''],
      [two.id, 2, two.hash, one.hash],
    ],
  );
  const [second] = await storage.readEvidenceChain(own, 1, 1);
  assert.deepEqual([second?.id, second?.amends, second?.amendment], [two.id, null, null]);
  assert.deepEqual(await storage.findEvidenceHead(own), {
    ...{ organizationId: own, sequence: 2, hash: two.hash, removedThrough: 0 },
    ...{ recordedAt: CREATED_AT, sealed: null },
  });
  assert.equal((await verifyEvidenceChain(storage, own)).fault, null);
}

function amend(
  storage: EvidenceStorage,
  record: Evidence,
  links: Pick<Evidence, 'aiSystemId' | 'labels'>,
): Promise<Evidence> {
  const runtime = { clock: systemClock, random: systemRandom, secretBox: undefined };
  return storage.withTenantLock(OUTSIDE_REQUEST, record.organizationId, (tx) =>
    createEvidenceAppender(runtime).amend(tx, record, links),
  );
}

async function amends({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const { id: aiSystemId } = await insertAiSystem(storage, own);
  const [record, other] = await appendEvidence(storage, own, { labels: { a: '1', b: '2' } }, {});
  assert.ok(record && other);
  const once = await amend(storage, record, { aiSystemId, labels: { b: '3' } });
  assert.deepEqual(once, { ...record, aiSystemId, labels: { b: '3' }, amendment: 3 });
  const twice = await amend(storage, once, { aiSystemId: null, labels: { c: '' } });
  assert.deepEqual(await storage.findEvidence(own, record.id), twice);
  assert.equal(twice.amendment, 4);
  const find = async (name: string, value: string) =>
    (await storage.listEvidence(own, { labels: [[name, value]] }, { limit: 9, offset: 0 })).total;
  assert.deepEqual([await find('a', '1'), await find('b', '3'), await find('c', '')], [0, 0, 1]);
  const nodes = await storage.readEvidenceChain(own, 0, 10);
  const [first, second, third, fourth] = nodes;
  assert.deepEqual(first?.amendment, { amends: record.id, linksHash: fourth?.linksHash });
  assert.deepEqual([first?.record, second?.record], [twice, other]);
  assert.deepEqual(
    [third?.amends, third?.record, third?.amended],
    [record.id, null, { amendment: 4 }],
  );
  assert.equal((await verifyEvidenceChain(storage, own)).fault, null);
}

async function removes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const facts = { idempotencyKey: 'one', labels: { team: 'a' } };
  const [one, two] = await appendEvidence(storage, own, facts, { labels: { team: 'a' } });
  await appendEvidence(storage, other, facts);
  assert.ok(one && two);
  const head = await storage.findEvidenceHead(own);
  assert.ok(head);
  await storage.withTenantLock(OUTSIDE_REQUEST, own, (tx) =>
    tx.removeEvidence({ ...head, removedThrough: 1 }),
  );
  assert.equal(await storage.findEvidence(own, one.id), null);
  const found = await storage.listEvidence(
    own,
    { labels: [['team', 'a']] },
    { limit: 9, offset: 0 },
  );
  assert.deepEqual(found, { items: [two], total: 1 });
  const [node] = await storage.readEvidenceChain(own, 0, 1);
  assert.deepEqual([node?.id, node?.hash, node?.record], [one.id, one.hash, null]);
  assert.equal((await storage.findEvidenceHead(own))?.removedThrough, 1);
  assert.deepEqual(await storage.findEvidenceKeys(own, ['one']), ['one']);
  assert.deepEqual(await appendEvidence(storage, own, facts), []);
  assert.equal((await verifyEvidenceChain(storage, own)).fault, null);
  const all = { after: null, through: null };
  assert.equal(await storage.findStrayEvidence(own, all), null);
  assert.equal(await storage.findStrayEvidence(own, { after: 1, through: 2 }), null);
  const { total } = await storage.listEvidence(other, {}, { limit: 9, offset: 0 });
  assert.equal(total, 1);
}

async function listsChains({ storage, createTenant }: Opened): Promise<void> {
  const tenants = [await createTenant(), await createTenant(), await createTenant()].sort();
  const [first = '', second = '', third = ''] = tenants;
  await appendEvidence(storage, first, { createdAt: LATER });
  await appendEvidence(storage, third, {}, { createdAt: LATER });
  const own = (await storage.listEvidenceChains('', 1_000)).filter(({ organizationId }) =>
    tenants.includes(organizationId),
  );
  assert.deepEqual(own, [
    { organizationId: first, oldestAt: LATER },
    { organizationId: third, oldestAt: CREATED_AT },
  ]);
  const [next] = await storage.listEvidenceChains(second, 1);
  assert.equal(next?.organizationId, third);
  const head = await storage.findEvidenceHead(third);
  assert.ok(head);
  await storage.withTenantLock(OUTSIDE_REQUEST, third, (tx) =>
    tx.removeEvidence({ ...head, removedThrough: 2 }),
  );
  assert.deepEqual(await storage.listEvidenceChains(second, 1), [
    { organizationId: third, oldestAt: null },
  ]);
}

async function replacesSealed({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  await appendEvidence(storage, own, {});
  const head = await storage.findEvidenceHead(own);
  assert.ok(head);
  await storage.withTenantLock(OUTSIDE_REQUEST, own, (tx) =>
    tx.removeEvidence({ ...head, sealed: 'v1.00000000.old' }),
  );
  const listed = async (keyId: string) =>
    (await storage.listSealedEvidenceHeads(keyId, '', 1_000)).filter(({ id }) => id === own);
  assert.deepEqual(await listed('00000001'), [{ id: own, sealed: 'v1.00000000.old' }]);
  assert.deepEqual(await listed('00000000'), []);
  const replace = (from: string, to: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.replaceSealedEvidenceHead({ id: own, from, to }),
    );
  await replace('another', 'v1.00000001.lost');
  await replace('v1.00000000.old', 'v1.00000001.new');
  assert.equal((await storage.findEvidenceHead(own))?.sealed, 'v1.00000001.new');
}

async function keepsTime({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  await appendEvidence(storage, own, { createdAt: LATER });
  const [late] = await appendEvidence(storage, own, { createdAt: CREATED_AT });
  assert.deepEqual(late?.createdAt, LATER);
}
