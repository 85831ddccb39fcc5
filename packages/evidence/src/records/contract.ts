import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import {
  appendEvidence,
  CREATED_AT,
  insertAiSystem,
  LATER,
  newEvidence,
  newUuid,
} from '../fixtures.ts';
import type { EvidenceStorage } from '../storage.ts';
import { createEvidenceAppender } from './append.ts';
import type { EvidenceFilter } from './types.ts';

type Opened = OpenedStorage<EvidenceStorage>;

/** Contract checks of a storage for records, by test title. */
export const evidencePromises: Readonly<Record<string, PromiseCheck<EvidenceStorage>>> = {
  'a record is read back unchanged, by its own organization only': readsBack,
  'records are listed newest first, in pages, with the total': listsInPages,
  'a list is narrowed by each filter, and by all together': narrows,
  'a list is narrowed by labels of any text': narrowsByLabels,
  'text is looked for literally, in any case': findsText,
  'records are read in the order of the chain': readsInOrder,
  'records are grouped by AI system and obligations': groups,
  'a record with a known key is left out, also when another call is appending it': leavesOut,
  'an AI system of a record is found': findsUse,
  'a failed transaction stores no record and no node': rollsBack,
};

const PAGE = { limit: 200, offset: 0 };

async function idsOf(storage: EvidenceStorage, own: string, filter: EvidenceFilter) {
  const { items, total } = await storage.listEvidence(own, filter, PAGE);
  assert.equal(total, items.length);
  return items.map(({ id }) => id);
}

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const { id: aiSystemId } = await insertAiSystem(storage, own);
  const [full, bare] = await appendEvidence(
    storage,
    own,
    {
      title: 'Zeile "1"',
      content: "ä\n'b' \\",
      metadata: { 'a"b': { c: [0.1, 1e21, '\u2028'] }, constructor: 'x' },
      aiSystemId,
      labels: { team: 'ü,:=', '': '' },
      occurredAt: LATER,
    },
    { occurredAt: null, obligationIds: [], metadata: {} },
  );
  assert.ok(full && bare);
  assert.deepEqual([full.sequence, bare.sequence], [1, 2]);
  assert.deepEqual(await storage.findEvidence(own, full.id), full);
  assert.deepEqual(await storage.findEvidence(own, bare.id), bare);
  assert.equal(await storage.findEvidence(other, full.id), null);
  assert.deepEqual(await storage.findEvidenceAt(own, [2, 3]), [bare]);
  assert.deepEqual(await storage.findEvidenceAt(other, [1, 2]), []);
  assert.deepEqual(await storage.findEvidenceAt(own, []), []);
}

async function listsInPages({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const records = await appendEvidence(storage, own, {}, {}, { createdAt: LATER });
  await appendEvidence(storage, other, {});
  const newest = records.map(({ id }) => id).reverse();
  const { items, total } = await storage.listEvidence(own, {}, { limit: 2, offset: 0 });
  const rest = await storage.listEvidence(own, {}, { limit: 2, offset: 2 });
  const behind = await storage.listEvidence(own, {}, { limit: 2, offset: 9 });
  assert.deepEqual(
    [...items, ...rest.items].map(({ id }) => id),
    newest,
  );
  assert.deepEqual([total, rest.total, behind.total, behind.items.length], [3, 3, 3, 0]);
  const none = await storage.listEvidence('org_none', {}, PAGE);
  assert.deepEqual(none, { items: [], total: 0 });
}

async function narrows({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const { id: aiSystemId } = await insertAiSystem(storage, own);
  const [one, two, three] = await appendEvidence(
    storage,
    own,
    { aiSystemId, evidenceType: 'runtime', obligationIds: ['soc2-cc8-1'] },
    { labels: { team: 'a' }, obligationIds: ['soc2-cc8-1', 'iso42001-8-2'] },
    { aiSystemId, createdAt: LATER, obligationIds: [], content: 'A summary' },
  );
  assert.ok(one && two && three);
  const find = (filter: EvidenceFilter) => idsOf(storage, own, filter);
  assert.deepEqual(await find({ aiSystemId }), [three.id, one.id]);
  assert.deepEqual(await find({ aiSystemId: newUuid() }), []);
  assert.deepEqual(await find({ evidenceType: 'runtime' }), [one.id]);
  assert.deepEqual(await find({ obligationIds: ['soc2-cc8-1'] }), [two.id, one.id]);
  assert.deepEqual(await find({ obligationIds: ['iso42001-8-2', 'soc2-cc7-1'] }), [two.id]);
  assert.deepEqual(await find({ obligationIds: ['soc2-cc7-1'] }), []);
  assert.deepEqual(await find({ obligationIds: [] }), []);
  assert.deepEqual(await find({ labels: [['team', 'a']] }), [two.id]);
  assert.deepEqual(await find({ since: LATER }), [three.id]);
  assert.deepEqual(await find({ since: new Date(LATER.getTime() + 1) }), []);
  assert.deepEqual(await find({ until: LATER }), [two.id, one.id]);
  assert.deepEqual(await find({ until: CREATED_AT }), []);
  assert.deepEqual(await find({ q: 'summary' }), [three.id]);
  const all = { aiSystemId, since: CREATED_AT, until: LATER, obligationIds: ['soc2-cc8-1'] };
  assert.deepEqual(await find({ ...all, evidenceType: 'runtime', q: 'FAILED' }), [one.id]);
  assert.deepEqual(await find({ ...all, labels: [['team', 'a']] }), []);
}

async function narrowsByLabels({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const [one, two] = await appendEvidence(
    storage,
    own,
    { labels: { team: 'a', 'run:1': 'x,y' } },
    { labels: { team: 'a', env: "it's" } },
  );
  assert.ok(one && two);
  const find = (...labels: Array<[string, string]>) => idsOf(storage, own, { labels });
  assert.deepEqual(await find(['team', 'a']), [two.id, one.id]);
  assert.deepEqual(await find(['team', 'a'], ['env', "it's"]), [two.id]);
  assert.deepEqual(await find(['run:1', 'x,y']), [one.id]);
  assert.deepEqual(await find(['team', 'A']), []);
  assert.deepEqual(await find(['constructor', 'a']), []);
}

async function findsText({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const [one, two] = await appendEvidence(
    storage,
    own,
    { title: '100% of tests_a', content: 'Nothing \\ else' },
    { title: '100 of testsXa', content: 'Provider GPT' },
  );
  assert.ok(one && two);
  const find = (q: string) => idsOf(storage, own, { q });
  assert.deepEqual(await find('100%'), [one.id]);
  assert.deepEqual(await find('TESTS_'), [one.id]);
  assert.deepEqual(await find('\\'), [one.id]);
  assert.deepEqual(await find('gpt'), [two.id]);
  assert.deepEqual(await find('of tests'), [two.id, one.id]);
}

async function readsInOrder({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const records = await appendEvidence(storage, own, {}, {}, {});
  await appendEvidence(storage, other, {});
  assert.deepEqual(await storage.readEvidence(own, {}, 0, 2), records.slice(0, 2));
  assert.deepEqual(await storage.readEvidence(own, {}, 2, 2), records.slice(2));
  assert.deepEqual(await storage.readEvidence(own, {}, 3, 2), []);
  const [labelled] = await appendEvidence(storage, own, { labels: { a: 'b' }, createdAt: LATER });
  const labels: Array<[string, string]> = [['a', 'b']];
  assert.deepEqual(await storage.readEvidence(own, { labels, since: LATER }, 1, 9), [labelled]);
  assert.deepEqual(await storage.readEvidence(own, { until: LATER }, 1, 1), records.slice(1, 2));
  assert.deepEqual(await storage.readEvidence(own, { obligationIds: [] }, 0, 9), []);
}

async function groups({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const { id: aiSystemId } = await insertAiSystem(storage, own);
  const obligationIds = ['iso42001-8-2', 'soc2-cc8-1'];
  await appendEvidence(
    storage,
    own,
    { obligationIds },
    { obligationIds: [...obligationIds].reverse() },
    { obligationIds, aiSystemId },
    { obligationIds: [] },
    { obligationIds, metadata: { nested: 1, findingType: 'test_failure' } },
    { obligationIds, metadata: { findingCategories: ['security', 'general testing'], x: [1] } },
    { obligationIds, metadata: { findingCategories: ['general testing'] } },
  );
  await appendEvidence(storage, other, {});
  const ofSystem = [{ aiSystemId, obligationIds, adverseIds: [], count: 1, newest: 3 }];
  assert.deepEqual(await storage.groupEvidence(own, aiSystemId), ofSystem);
  assert.deepEqual(await storage.groupEvidence(other, aiSystemId), []);
  const found = await storage.groupEvidence(own);
  assert.deepEqual(
    found.sort((left, right) => left.newest - right.newest),
    [
      ...ofSystem,
      { aiSystemId: null, obligationIds: [], adverseIds: [], count: 1, newest: 4 },
      { aiSystemId: null, obligationIds, adverseIds: obligationIds, count: 1, newest: 5 },
      { aiSystemId: null, obligationIds, adverseIds: ['iso42001-8-2'], count: 1, newest: 6 },
      { aiSystemId: null, obligationIds, adverseIds: [], count: 3, newest: 7 },
    ],
  );
}

async function leavesOut({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const second = (await openAnother()) ?? storage;
  const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
  const facts = keys.map((idempotencyKey) => ({ idempotencyKey }));
  const results = await Promise.all(
    [storage, second, storage, second].map((each) => appendEvidence(each, own, ...facts)),
  );
  assert.deepEqual(results.map(({ length }) => length).sort(), [0, 0, 0, 20]);
  const more = await appendEvidence(storage, own, ...facts, {}, {});
  assert.deepEqual(
    more.map(({ sequence }) => sequence),
    [21, 22],
  );
  const [again] = await appendEvidence(storage, other, { idempotencyKey: 'key-1' });
  assert.equal(again?.sequence, 1);
  const twice = await appendEvidence(
    storage,
    other,
    { idempotencyKey: 'b' },
    { idempotencyKey: 'b' },
  );
  assert.equal(twice.length, 1);
  const known = await storage.findEvidenceKeys(own, ['key-3', 'key-x']);
  assert.deepEqual([known, await storage.findEvidenceKeys(own, [])], [['key-3'], []]);
  const [third] = await storage.findEvidenceByKeys(own, ['key-3', 'key-x']);
  assert.deepEqual(third, await storage.findEvidence(own, third?.id ?? ''));
  assert.deepEqual(await storage.findEvidenceByKeys(other, ['key-3']), []);
  assert.deepEqual(await storage.findEvidenceByKeys(own, []), []);
}

async function findsUse({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const { id } = await insertAiSystem(storage, own);
  assert.equal(await storage.hasEvidenceOf(own, id), false);
  await appendEvidence(storage, own, { aiSystemId: id });
  assert.deepEqual(
    [await storage.hasEvidenceOf(own, id), await storage.hasEvidenceOf(other, id)],
    [true, false],
  );
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const appender = createEvidenceAppender({
    clock: { now: () => CREATED_AT } as never,
    random: (size) => new Uint8Array(size),
    secretBox: undefined,
  });
  const failing = storage.withTenantLock(OUTSIDE_REQUEST, own, async (tx) => {
    await appender.append(tx, own, [newEvidence(own)]);
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  const { total } = await storage.listEvidence(own, {}, PAGE);
  assert.deepEqual([total, await storage.findEvidenceHead(own)], [0, null]);
  assert.deepEqual(await storage.readEvidenceChain(own, 0, 10), []);
}
