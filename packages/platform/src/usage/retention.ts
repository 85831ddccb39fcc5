import type { RetentionRule } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { INSTANCE_RETENTION_MS } from './instances.ts';
import type { UsageStorage } from './storage.ts';

/** How long gateways and agents that report themselves no more are kept. */
export function usageRetentionRules(storage: UsageStorage): RetentionRule[] {
  return [
    {
      name: 'instances',
      olderThanMs: INSTANCE_RETENTION_MS,
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetInstances(before, limit)),
    },
  ];
}
