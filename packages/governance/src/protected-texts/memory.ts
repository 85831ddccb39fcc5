import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { byCreation, defineMemoryTable, listSealed, pageOf } from '@probity/core/internal';
import type { ProtectedTextReads, ProtectedTextStorage, ProtectedTextWrites } from './storage.ts';
import type { ProtectedText, StoredProtectedText } from './types.ts';

interface Generation {
  readonly organizationId: string;
  readonly generation: number;
}

const TEXTS = defineMemoryTable<StoredProtectedText>('protected_texts', 'organizationId');
const GENERATIONS = defineMemoryTable<Generation>('protected_text_generations', 'organizationId');

/** The storage of protected texts in memory. */
export function createMemoryProtectedTextStorage(
  database: Database<MemorySession>,
): ProtectedTextStorage {
  return bindStorage<MemorySession, ProtectedTextReads, ProtectedTextWrites>(
    database,
    createOperations,
  );
}

function createOperations(session: MemorySession): ProtectedTextReads & ProtectedTextWrites {
  const texts = () => session.table(TEXTS);
  const generations = () => session.table(GENERATIONS);
  const changed = (organizationId: string) => {
    const generation = (generations().get(organizationId)?.generation ?? 0) + 1;
    generations().put(organizationId, { organizationId, generation });
  };
  const of = (organizationId: string) =>
    texts().filter((text) => text.organizationId === organizationId);
  const find = (organizationId: string, id: string) => {
    const text = texts().get(id);
    return text?.organizationId === organizationId ? text : null;
  };
  return {
    async protectedTextGeneration(organizationId) {
      return generations().get(organizationId)?.generation ?? 0;
    },
    async readProtectedTexts(organizationId) {
      return of(organizationId).sort(byCreation);
    },
    async listProtectedTexts(organizationId, page) {
      const { items, total } = pageOf(of(organizationId), page, byCreation);
      return { items: items.map(withoutText), total };
    },
    async findProtectedText(organizationId, id) {
      return find(organizationId, id);
    },
    async protectedTextExtent(organizationId) {
      const own = of(organizationId);
      return { count: own.length, length: own.reduce((sum, { length }) => sum + length, 0) };
    },
    async listSealedProtectedTexts(exceptKeyId, after, limit) {
      const rows = texts().filter(() => true);
      const sealed = rows.map(({ id, sealedText }) => ({ id, sealed: sealedText }));
      return listSealed(sealed, exceptKeyId, after, limit);
    },
    async insertProtectedText(text) {
      texts().put(text.id, text);
      changed(text.organizationId);
    },
    async replaceProtectedText(text) {
      texts().put(text.id, text);
      changed(text.organizationId);
    },
    async deleteProtectedText(organizationId, id) {
      if (!find(organizationId, id)) return false;
      texts().delete(id);
      changed(organizationId);
      return true;
    },
    async replaceSealedProtectedText({ id, from, to }) {
      const row = texts().get(id);
      if (row?.sealedText === from) texts().put(id, { ...row, sealedText: to });
    },
  };
}

function withoutText({ sealedText: _, ...text }: StoredProtectedText): ProtectedText {
  return text;
}
