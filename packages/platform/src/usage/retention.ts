import type { RetentionRule, Storage } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { MINUTE_RETENTION_MS } from './instance-usage.ts';
import { INSTANCE_RETENTION_MS } from './instances.ts';
import type { InstanceReads, InstanceWrites } from './storage.ts';

/** Retention rules that delete instances that have stopped reporting, and old reports. */
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
    {
      name: 'instance_minutes',
      olderThanMs: MINUTE_RETENTION_MS,
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetInstanceMinutes(before, limit)),
    },
  ];
}
