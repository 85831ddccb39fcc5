import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { defineMemoryTable } from '@probity/core/internal';
import type { UpkeepReads, UpkeepStorage, UpkeepWrites } from './storage.ts';
import type { StoredSettings } from './types.ts';

interface SummaryRow {
  readonly organizationId: string;
  readonly summarizedUntil: Date;
}

const SETTINGS = defineMemoryTable<StoredSettings>('governance_settings', 'organizationId');
const SUMMARIES = defineMemoryTable<SummaryRow>('runtime_summaries', 'organizationId');

/** The storage of settings and summaries in memory. */
export function createMemoryUpkeepStorage(database: Database<MemorySession>): UpkeepStorage {
  return bindStorage<MemorySession, UpkeepReads, UpkeepWrites>(database, (session) => {
    const settings = () => session.table(SETTINGS);
    const summaries = () => session.table(SUMMARIES);
    return {
      async findSettings(organizationId) {
        return settings().get(organizationId) ?? null;
      },
      async findSummarizedUntil(organizationId) {
        return summaries().get(organizationId)?.summarizedUntil ?? null;
      },
      async putSettings(stored) {
        settings().put(stored.organizationId, stored);
      },
      async beginSummaries(organizationId, from) {
        if (summaries().get(organizationId)) return;
        summaries().put(organizationId, { organizationId, summarizedUntil: from });
      },
      async advanceSummaries(organizationId, from, until) {
        const row = summaries().get(organizationId);
        if (row?.summarizedUntil.getTime() !== from.getTime()) return false;
        summaries().put(organizationId, { organizationId, summarizedUntil: until });
        return true;
      },
    };
  });
}
