import { createOutboxRelay, OUTBOX_QUEUE, subscriberQueue } from '../events/outbox.ts';
import type { LifecyclePart } from '../lifecycle/lifecycle.ts';
import type { RetentionPreset } from '../retention/presets.ts';
import { withPreset } from '../retention/presets.ts';
import type { Retention } from '../retention/retention.ts';
import { createRetention } from '../retention/retention.ts';
import { coreRetentionRules } from '../retention/rules.ts';
import { createRetentionWorker, RETENTION_QUEUE } from '../retention/worker.ts';
import type { Capability } from '../runtime/capability.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createTenantRemovalWorker, TENANT_REMOVAL_QUEUE } from '../tenants/removal.ts';

/** The retention rules of the kernel and of all capabilities. */
export function createProgramRetention(
  { database, logger, clock, secretBox }: Runtime,
  capabilities: readonly Capability[],
  preset: RetentionPreset = 'standard',
): Retention {
  const eventDependents = capabilities.flatMap((each) => each.eventDependents ?? []);
  const rules = [
    ...coreRetentionRules({ database, logger, secretBox, eventDependents }),
    ...capabilities.flatMap(({ retention = [] }) => retention),
  ];
  return createRetention({ rules: withPreset(rules, preset), clock });
}

/** Background parts of a program, in the order in which they start. */
export function createBackground(
  runtime: Runtime,
  capabilities: readonly Capability[],
  preset?: RetentionPreset,
): LifecyclePart[] {
  const subscribers = capabilities.flatMap((capability) => capability.subscribers ?? []);
  const relay = createOutboxRelay({ ...runtime, subscribers });
  const retention = createProgramRetention(runtime, capabilities, preset);
  const worker = createRetentionWorker({ ...runtime, retention });
  const removal = createTenantRemovalWorker(runtime);
  return [
    ...capabilities.flatMap(({ background = [] }) => background),
    { name: 'outbox relay', start: () => relay.start(), stop: () => relay.stop() },
    { name: 'retention', start: () => worker.start(), stop: () => worker.stop() },
    { name: 'tenant removal', start: () => removal.start(), stop: () => removal.stop() },
  ];
}

/** The names of all queues, the kernel's first. */
export function queuesOf(capabilities: readonly Capability[]): string[] {
  const subscribers = capabilities.flatMap((capability) => capability.subscribers ?? []);
  return [
    OUTBOX_QUEUE,
    ...subscribers.map(({ name }) => subscriberQueue(name)),
    ...capabilities.flatMap(({ queues = [] }) => queues),
    RETENTION_QUEUE,
    TENANT_REMOVAL_QUEUE,
  ];
}
