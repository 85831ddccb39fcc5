import type { CallContext, Runtime, Storage } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { PLAN_TERMS } from '../billing/plans.ts';
import type { OrganizationReads } from '../organizations/storage.ts';
import type { InstanceReads, InstanceWrites } from './storage.ts';
import type { InstanceCounts, InstanceKind, RuntimeInstance } from './types.ts';

/** An instance not seen for this long does not count as alive (contract, section 3). */
export const INSTANCE_WINDOW_MS = 5 * 60_000;
/** An instance not seen for this long is deleted by retention. */
export const INSTANCE_RETENTION_MS = 30 * DAY_MS;

/** The time since which an instance must have been seen to count as alive at `now`. */
export function seenSince(now: Date): Date {
  return new Date(now.getTime() - INSTANCE_WINDOW_MS);
}

/** The report of an instance. */
export type Heartbeat = Pick<RuntimeInstance, 'kind' | 'instanceId' | 'version'>;

/** Gateways and agents that report to the service. */
export interface Instances {
  /**
   * Records that an instance is alive. One that is new, or was not seen for five minutes, needs a
   * free place in the plan.
   *
   * @throws ProbityError `conflict` when as many of its kind as the plan allows are alive
   */
  report(context: CallContext, heartbeat: Heartbeat): Promise<RuntimeInstance>;
  /** Counts the instances seen within five minutes. */
  count(organizationId: string): Promise<InstanceCounts>;
}

/** Dependencies of the instance service. */
export interface InstanceOptions {
  readonly storage: Storage<OrganizationReads & InstanceReads, InstanceWrites>;
}

/** Creates the instance service. */
export function createInstances(
  { clock, audit }: Runtime,
  { storage }: InstanceOptions,
): Instances {
  return {
    count: (organizationId) => storage.countInstances(organizationId, seenSince(clock.now())),

    report(context, heartbeat) {
      const { organizationId } = context.principal;
      // Under the lock, so that concurrent instances cannot share the last place.
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const now = clock.now();
        const before = await tx.findInstance({ organizationId, ...heartbeat });
        const isAlive = before !== null && before.lastSeen > seenSince(now);
        const firstSeen = isAlive ? before.firstSeen : now;
        const instance = { ...heartbeat, organizationId, firstSeen, lastSeen: now };
        await tx.putInstance(instance);
        if (isAlive) return instance;
        await requireFreePlace(tx, instance, now);
        const { kind, instanceId, version } = heartbeat;
        const target = { type: `${kind}_instance`, id: instanceId };
        const change = { after: { kind, version } };
        await audit.record(tx, context, 'instance.registered', target, change);
        return instance;
      });
    },
  };
}

/** @throws ProbityError `conflict` when more of the instance's kind are alive than the plan allows */
async function requireFreePlace(
  reads: OrganizationReads & InstanceReads,
  { organizationId, kind }: RuntimeInstance,
  now: Date,
): Promise<void> {
  const organization = await reads.findOrganization(organizationId);
  if (!organization) throw notFound('organization');
  const { limits } = PLAN_TERMS[organization.plan];
  const counts = await reads.countInstances(organizationId, seenSince(now));
  const limit = kind === 'gateway' ? limits.gatewayInstances : limits.sentinelAgents;
  if (counts[kind] > limit) throw noPlaceLeft(kind, limit);
}

function noPlaceLeft(kind: InstanceKind, limit: number): ProbityError {
  const name = kind === 'gateway' ? 'gateway_instances' : 'sentinel_agents';
  return new ProbityError(
    'conflict',
    `The plan's limit of ${limit} ${name} is reached; stop one, or choose a larger plan.`,
  );
}
