import type { RetentionRule } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { BatchStorage } from './storage.ts';

/** How long batches are kept after their end: 90 days. The records of their scans have terms of their own. */
export function batchRetentionRules(storage: BatchStorage): RetentionRule[] {
  return [
    {
      name: 'scan_batches',
      olderThanMs: 90 * DAY_MS,
      deleteDependents: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteItemsOfEnded(before, limit)),
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteEndedBatches(before, limit)),
    },
  ];
}
