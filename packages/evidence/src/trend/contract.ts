import assert from 'node:assert/strict';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { appendEvidence, CREATED_AT, insertAiSystem, LATER } from '../fixtures.ts';
import type { EvidenceStorage } from '../storage.ts';

type Opened = OpenedStorage<EvidenceStorage>;

/** Contract checks of a storage for runs, by test title. */
export const trendPromises: Readonly<Record<string, PromiseCheck<EvidenceStorage>>> = {
  'runs are listed by filter, newest first, and summed up by provider': listsRuns,
};

const page = { limit: 10, offset: 0 };

function summary(provider: string, successes: number, failures: number, label?: string) {
  const providerLabels = label === undefined ? [] : [label];
  const metadata = {
    providers: [provider],
    providerLabels,
    stats: { successes, failures, errors: 1 },
  };
  return { evidenceType: 'evaltool_eval', metadata };
}

async function listsRuns({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const { id: aiSystemId } = await insertAiSystem(storage, own);
  const records = await appendEvidence(
    storage,
    own,
    { ...summary('b', 3, 1), occurredAt: LATER, aiSystemId },
    {},
    { ...summary('a', 5, 0), occurredAt: null },
    { ...summary('b', 1, 3), metadata: { ...summary('b', 1, 3).metadata, findingType: 'x' } },
    summary('b', 9, 2),
    { ...summary('c', 1, 0), evidenceType: 'other' },
  );
  await appendEvidence(storage, other, summary('b', 1, 1));
  const sequences = async (filter: object, part = page) => {
    const { items, total } = await storage.listEvidenceRuns(own, filter, part);
    return [items.map(({ sequence }) => sequence), total];
  };
  assert.deepEqual(await sequences({}), [[1, 5, 3], 3]);
  assert.deepEqual(await sequences({}, { limit: 1, offset: 1 }), [[5], 3]);
  assert.deepEqual(await sequences({ provider: 'b' }), [[1, 5], 2]);
  assert.deepEqual(await sequences({ aiSystemId }), [[1], 1]);
  assert.deepEqual(await sequences({ since: LATER }), [[1], 1]);
  assert.deepEqual(await sequences({ until: LATER }), [[5, 3], 2]);
  const { items: runs } = await storage.listEvidenceRuns(own, { aiSystemId }, page);
  assert.deepEqual(runs, [
    {
      ...{ sequence: 1, evidenceId: records[0]?.id, provider: 'b', providerLabel: null },
      ...{ evaluatedAt: LATER, aiSystemId, successes: 3, failures: 1, errors: 1 },
    },
  ]);
  const { items, total } = await storage.listEvidenceProviders(own, {}, page);
  assert.deepEqual(items, [
    {
      ...{ provider: 'a', providerLabel: null, runs: 1, successes: 5, failures: 0, errors: 1 },
      ...{ oldestAt: CREATED_AT, newestAt: CREATED_AT },
    },
    {
      ...{ provider: 'b', providerLabel: null, runs: 2, successes: 12, failures: 3, errors: 2 },
      ...{ oldestAt: CREATED_AT, newestAt: LATER },
    },
  ]);
  assert.equal(total, 2);
  const rest = await storage.listEvidenceProviders(own, {}, { limit: 1, offset: 1 });
  assert.deepEqual([rest.items.map(({ provider }) => provider), rest.total], [['b'], 2]);
  await appendEvidence(storage, own, summary('b', 4, 0, 'two'), summary('b', 0, 7, 'one'));
  const labelled = await storage.listEvidenceProviders(own, { provider: 'b' }, page);
  assert.deepEqual(
    labelled.items.map(({ providerLabel, successes }) => [providerLabel, successes]),
    [
      [null, 12],
      ['one', 0],
      ['two', 4],
    ],
  );
  assert.equal(labelled.total, 3);
}
