import type { MemorySession } from '@probity/core';
import { defineMemoryTable, newestFirst, owned, pageOf } from '@probity/core/internal';
import type { ImportReads, ImportWrites } from './record-storage.ts';
import type { ImportRecord } from './types.ts';

const IMPORTS = defineMemoryTable<ImportRecord>('knowledge_imports', 'organizationId');

/** Reads and writes the records of imports in memory. */
export function createImportOperations(session: MemorySession): ImportReads & ImportWrites {
  const imports = () => session.table(IMPORTS);
  return {
    async listImports(organizationId, page) {
      const own = imports().filter((row) => row.organizationId === organizationId);
      const { items, total } = pageOf(own, page, newestFirst);
      return { items: items.map((row) => ({ ...row, errors: [] })), total };
    },
    async findImport(organizationId, id) {
      return owned(imports(), organizationId, id);
    },
    async insertImport(record) {
      imports().put(record.id, record);
    },
    async updateImport(record) {
      if (owned(imports(), record.organizationId, record.id)) imports().put(record.id, record);
    },
    async deleteImports(before, limit) {
      const old = imports().filter(({ createdAt }) => createdAt < before);
      return old.slice(0, limit).filter(({ id }) => imports().delete(id)).length;
    },
  };
}
