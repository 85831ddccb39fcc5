import type { RetentionRule } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { GovernanceStorage } from '../storage.ts';

/** How long records of scans with personal-data findings are kept: 30 days (contract, section 2). */
export function governanceRetentionRules(storage: GovernanceStorage): RetentionRule[] {
  return [
    {
      name: 'scans_with_personal_data',
      olderThanMs: 30 * DAY_MS,
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deletePersonalScans(before, limit)),
    },
  ];
}
