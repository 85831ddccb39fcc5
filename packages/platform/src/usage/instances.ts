import type { CallContext, Clock, Ids } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { auditOf } from '@probity/core/internal';
import { PLAN_TERMS } from '../billing/plans.ts';
import type { PlatformStorage } from '../organizations/storage.ts';
import type { UsageStorage } from './storage.ts';
import type { InstanceCounts, InstanceKind, RuntimeInstance } from './types.ts';

/** An instance that was not seen for longer does not count (contract, section 3). */
export const INSTANCE_WINDOW_MS = 5 * 60_000;
/** An instance that was not seen for longer is forgotten by retention. */
export const INSTANCE_RETENTION_MS = 30 * 86_400_000;

/** The moment after which an instance must have been seen to count at `now`. */
export function seenSince(now: Date): Date {
  return new Date(now.getTime() - INSTANCE_WINDOW_MS);
}

/** What an instance says of itself. */
export type Heartbeat = Pick<RuntimeInstance, 'kind' | 'instanceId' | 'version'>;

/** Gateways and agents that report themselves. */
export interface Instances {
  /**
   * Notes that an instance is alive. One that is new, or was not seen for five minutes, needs a
   * free place in the plan.
   *
   * @throws ProbityError `conflict` when as many of its kind as the plan allows are alive
   */
  report(context: CallContext, heartbeat: Heartbeat): Promise<RuntimeInstance>;
  /** Instances that were seen within five minutes. */
  count(organizationId: string): Promise<InstanceCounts>;
}

/** What the service needs. */
export interface InstanceDependencies {
  readonly storage: UsageStorage;
  readonly platform: PlatformStorage;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Creates the service over instances. */
export function createInstances(dependencies: InstanceDependencies): Instances {
  const { storage, platform, ids, clock } = dependencies;

  return {
    count: (organizationId) => storage.countInstances(organizationId, seenSince(clock.now())),

    report(context, heartbeat) {
      const { organizationId } = context.principal;
      // Under the lock, so that instances that come at once cannot share the last place.
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const now = clock.now();
        const known = await tx.findInstance({ organizationId, ...heartbeat });
        const isAlive = known !== null && known.lastSeen > seenSince(now);
        const firstSeen = isAlive ? known.firstSeen : now;
        const instance = { ...heartbeat, organizationId, firstSeen, lastSeen: now };
        await tx.putInstance(instance);
        if (isAlive) return instance;
        const organization = await platform.transaction({ session: tx.session }, (joined) =>
          joined.findOrganization(organizationId),
        );
        if (!organization) throw notFound('organization');
        const { limits } = PLAN_TERMS[organization.plan];
        const counts = await tx.countInstances(organizationId, seenSince(now));
        const limit =
          heartbeat.kind === 'gateway' ? limits.gatewayInstances : limits.sentinelAgents;
        if (counts[heartbeat.kind] > limit) throw noPlaceLeft(heartbeat.kind, limit);
        await tx.recordAudit(
          auditOf(context, {
            id: ids.next('aud'),
            action: 'instance.registered',
            target: { type: `${heartbeat.kind}_instance`, id: heartbeat.instanceId },
            after: { kind: heartbeat.kind, version: heartbeat.version },
            createdAt: now,
          }),
        );
        return instance;
      });
    },
  };
}

function noPlaceLeft(kind: InstanceKind, limit: number): ProbityError {
  const name = kind === 'gateway' ? 'gateway_instances' : 'sentinel_agents';
  return new ProbityError(
    'conflict',
    `The plan's limit of ${limit} ${name} is reached; stop one, or choose a larger plan.`,
  );
}
