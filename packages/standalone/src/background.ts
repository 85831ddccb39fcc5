import type { Capability, LifecyclePart, Retention, Runtime } from '@probity/core';
import { createOutboxRelay, createRetention } from '@probity/core';
import {
  coreRetentionRules,
  createRetentionWorker,
  OUTBOX_QUEUE,
  RETENTION_QUEUE,
} from '@probity/core/internal';

/** The retention rules of the kernel and of all capabilities. */
export function createServerRetention(
  { database, logger, clock }: Runtime,
  capabilities: readonly Capability[],
): Retention {
  const rules = [
    ...coreRetentionRules({ database, logger }),
    ...capabilities.flatMap(({ retention = [] }) => retention),
  ];
  return createRetention({ rules, clock });
}

/** What works in the background, in the order in which it starts. */
export function createBackground(
  runtime: Runtime,
  capabilities: readonly Capability[],
): LifecyclePart[] {
  const subscribers = capabilities.flatMap((capability) => capability.subscribers ?? []);
  const relay = createOutboxRelay({ ...runtime, subscribers });
  const retention = createServerRetention(runtime, capabilities);
  const worker = createRetentionWorker({ ...runtime, retention });
  return [
    ...capabilities.flatMap(({ background = [] }) => background),
    { name: 'outbox relay', start: () => relay.start(), stop: () => relay.stop() },
    { name: 'retention', start: () => worker.start(), stop: () => worker.stop() },
  ];
}

/** The names of all queues, the kernel's first. */
export function queuesOf(capabilities: readonly Capability[]): string[] {
  return [OUTBOX_QUEUE, ...capabilities.flatMap(({ queues = [] }) => queues), RETENTION_QUEUE];
}
