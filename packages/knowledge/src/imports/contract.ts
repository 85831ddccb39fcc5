import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { CREATED_AT, LATER } from '../fixtures.ts';
import type { KnowledgeStorage } from '../storage.ts';
import type { ImportRecord } from './types.ts';

type Opened = OpenedStorage<KnowledgeStorage>;

/** Contract checks of a storage for the records of imports, by test title. */
export const importPromises: Readonly<Record<string, PromiseCheck<KnowledgeStorage>>> = {
  'an import is read as it was stored last, by its own organization only': readsBack,
  'imports are listed newest first, in pages, without refused rows': lists,
  'imports are deleted by age, in batches': deletes,
};

function newImport(organizationId: string, facts: Partial<ImportRecord> = {}): ImportRecord {
  return {
    ...{ id: 'imp_1', organizationId, format: 'csv', isStrict: false, status: 'running' },
    ...{ rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0, errors: [], problem: null },
    ...{ createdAt: CREATED_AT, updatedAt: CREATED_AT, endedAt: null },
    ...facts,
  } as ImportRecord;
}

async function insert(storage: KnowledgeStorage, ...records: ImportRecord[]): Promise<void> {
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const record of records) await tx.insertImport(record);
  });
}

async function readsBack({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const record = newImport(own, { format: 'json', isStrict: true });
  await insert(storage, record);
  assert.deepEqual(await storage.findImport(own, 'imp_1'), record);
  const ended: ImportRecord = {
    ...{ ...record, status: 'failed', rows: 9, created: 1, updated: 2, unchanged: 3, failed: 3 },
    errors: [{ line: 2, field: 'claim', message: 'ist „nötig"' }],
    ...{ problem: 'The connection was closed.', updatedAt: LATER, endedAt: LATER },
  };
  const update = (changed: ImportRecord) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.updateImport(changed));
  await update({ ...ended, organizationId: other });
  assert.deepEqual(await storage.findImport(own, 'imp_1'), record);
  await update(ended);
  assert.deepEqual(await (openAnother() ?? storage).findImport(own, 'imp_1'), ended);
  assert.equal(await storage.findImport(other, 'imp_1'), null);
}

async function lists({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const errors = [{ line: 1, field: null, message: 'x' }];
  const newest = newImport(own, { id: 'imp_0', createdAt: LATER, errors });
  const tied = ['imp_1', 'imp_2'].map((id) => newImport(own, { id }));
  await insert(storage, ...tied, newest, newImport(other, { id: 'imp_3' }));
  const first = await storage.listImports(own, { limit: 2, offset: 0 });
  const rest = await storage.listImports(own, { limit: 2, offset: 2 });
  const items = [...first.items, ...rest.items];
  assert.deepEqual(
    items.map(({ id }) => id),
    ['imp_0', 'imp_2', 'imp_1'],
  );
  assert.deepEqual([first.total, items[0]?.errors], [3, []]);
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const old = ['imp_1', 'imp_2'].map((id) => newImport(own, { id }));
  await insert(storage, ...old, newImport(own, { id: 'imp_3', createdAt: LATER }));
  const remove = () => storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteImports(LATER, 1));
  assert.deepEqual([await remove(), await remove(), await remove()], [1, 1, 0]);
  assert.equal((await storage.listImports(own, { limit: 9, offset: 0 })).total, 1);
}
