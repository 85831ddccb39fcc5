import type { MeteredQuota } from '@probity/core';

/** Kinds of programs that report themselves. */
export const INSTANCE_KINDS = ['gateway', 'sentinel'] as const;
export type InstanceKind = (typeof INSTANCE_KINDS)[number];

/** Names a gateway or an agent. */
export interface InstanceKey {
  readonly organizationId: string;
  readonly kind: InstanceKind;
  /** Chosen by the instance; unique within its kind and organization. */
  readonly instanceId: string;
}

/** A gateway or an agent that has reported itself. */
export interface RuntimeInstance extends InstanceKey {
  readonly version: string;
  /** When it first reported, or did so again after it was not seen for long. */
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** How many instances of each kind. */
export type InstanceCounts = Readonly<Record<InstanceKind, number>>;

/** Names an organization's quota in a month. */
export interface QuotaMonth {
  readonly organizationId: string;
  readonly quota: MeteredQuota;
  /** `YYYY-MM` in UTC. */
  readonly period: string;
}

/** Units of a quota's month. */
export interface QuotaUnits extends QuotaMonth {
  readonly units: number;
}

/** What an instance asks for of a quota's month. */
export interface LeaseRequest extends QuotaUnits {
  /** How many of the units calls are waiting for; 1 to `units`. The rest is for later calls. */
  readonly needed: number;
}

/** A lease for calls that may come later holds at most what is left divided by this. */
export const SHARE_DIVISOR = 16;

/**
 * Units to grant: the request, capped at 1/16 of what is left, but never less than `needed` and never
 * more than is left. Of the last fifteen units only those needed now are leased, so that no
 * instance refuses a call while another holds idle units.
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
  /** The first moment of the next month. */
  readonly end: Date;
}

/** The month that holds `now`. */
export function usagePeriodAt(now: Date): UsagePeriod {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return {
    name: now.toISOString().slice(0, 7),
    start: new Date(Date.UTC(year, month, 1)),
    end: new Date(Date.UTC(year, month + 1, 1)),
  };
}
