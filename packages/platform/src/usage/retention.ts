import type { RetentionRule, Storage } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { INSTANCE_RETENTION_MS } from './instances.ts';
import type { InstanceReads, InstanceWrites } from './storage.ts';

/** Retention rules that delete instances that have stopped reporting. */
export function usageRetentionRules(
  storage: Storage<InstanceReads, InstanceWrites>,
): RetentionRule[] {
  return [
    {
      name: 'instances',
      olderThanMs: INSTANCE_RETENTION_MS,
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetInstances(before, limit)),
    },
  ];
}
