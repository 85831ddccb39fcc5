import type { MemorySession } from '@probity/core';
import { defineMemoryTable, newestFirst, owned, pageOf } from '@probity/core/internal';
import type { CorrectionReads, CorrectionWrites } from './storage.ts';
import type { Correction } from './types.ts';

const CORRECTIONS = defineMemoryTable<Correction>('corrections', 'organizationId');

/** Reads and writes corrections in memory. */
export function createCorrectionOperations(
  session: MemorySession,
): CorrectionReads & CorrectionWrites {
  const corrections = () => session.table(CORRECTIONS);
  return {
    async listCorrections(organizationId, { nuggetId }, page) {
      const matching = corrections().filter(
        (row) =>
          row.organizationId === organizationId &&
          (nuggetId === undefined || row.nuggetId === nuggetId),
      );
      return pageOf(matching, page, newestFirst);
    },
    async findCorrection(organizationId, id) {
      return owned(corrections(), organizationId, id);
    },
    async insertCorrection(correction) {
      corrections().put(correction.id, correction);
    },
  };
}
