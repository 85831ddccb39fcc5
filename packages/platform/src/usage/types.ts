import type { MeteredQuota } from '@probity/core/internal';

/** Kinds of programs that report to the service. */
export const INSTANCE_KINDS = ['gateway', 'sentinel'] as const;
export type InstanceKind = (typeof INSTANCE_KINDS)[number];

/** Identifies a gateway or an agent. */
export interface InstanceKey {
  readonly organizationId: string;
  readonly kind: InstanceKind;
  /** Chosen by the instance; unique within its kind and organization. */
  readonly instanceId: string;
}

/** A gateway or an agent that has reported. */
export interface RuntimeInstance extends InstanceKey {
  readonly version: string;
  /** The first report, or the first after a long absence. */
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** What an instance did in a minute. */
export interface InstanceMinute extends InstanceKey {
  /** Start of the minute. */
  readonly minute: Date;
  /** Scans that began within it. */
  readonly scans: number;
}

/** Number of instances of each kind. */
export type InstanceCounts = Readonly<Record<InstanceKind, number>>;

/** Reported minutes of one instance, or of all instances of a kind. */
export interface InstanceMinuteRange extends Pick<InstanceKey, 'organizationId' | 'kind'> {
  /** Null for all instances of the kind. */
  readonly instanceId: string | null;
  /** The first minute. */
  readonly since: Date;
  /** The end, which is not part of the range. */
  readonly until: Date;
}

/** Identifies a monthly quota of an organization. */
export interface QuotaMonth {
  readonly organizationId: string;
  readonly quota: MeteredQuota;
  /** `YYYY-MM` in UTC. */
  readonly period: string;
}

/** Units of a monthly quota. */
export interface QuotaUnits extends QuotaMonth {
  readonly units: number;
}

/** A request of an instance to lease units of a monthly quota. */
export interface LeaseRequest extends QuotaUnits {
  /** How many of the units calls are waiting for; 1 to `units`. The rest is for later calls. */
  readonly needed: number;
}

/** Units leased for later calls are capped at the units left divided by this. */
export const SHARE_DIVISOR = 16;

/**
 * Returns the units to grant: the requested units, at most 1/16 of the remaining ones, at least
 * `needed`, and never more than remain. Of the last fifteen units only those needed now are leased,
 * so that no instance refuses a call while another holds idle units.
 */
export function grantedUnits({ units, needed }: LeaseRequest, left: number): number {
  const share = Math.floor(left / SHARE_DIVISOR);
  return Math.min(left, Math.max(needed, Math.min(units, share)));
}

/** A calendar month in UTC. */
export interface UsagePeriod {
  /** `YYYY-MM`. */
  readonly name: string;
  readonly start: Date;
  /** Start of the next month. */
  readonly end: Date;
}

/** The UTC month that contains `now`. */
export function usagePeriodAt(now: Date): UsagePeriod {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return {
    name: now.toISOString().slice(0, 7),
    start: new Date(Date.UTC(year, month, 1)),
    end: new Date(Date.UTC(year, month + 1, 1)),
  };
}
