import type { MeteredQuota } from '@probity/core';

/** Kinds of programs that report themselves. */
export const INSTANCE_KINDS = ['gateway', 'sentinel'] as const;
export type InstanceKind = (typeof INSTANCE_KINDS)[number];

/** A gateway or an agent that has reported itself. */
export interface RuntimeInstance {
  readonly organizationId: string;
  readonly kind: InstanceKind;
  /** Chosen by the instance; unique within its kind and organization. */
  readonly instanceId: string;
  readonly version: string;
  /** When it first reported, or did so again after it was not seen for long. */
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** How many instances of each kind. */
export type InstanceCounts = Readonly<Record<InstanceKind, number>>;

/** Units that belong to a quota's month. */
export interface QuotaUnits {
  readonly organizationId: string;
  readonly quota: MeteredQuota;
  /** `YYYY-MM` in UTC. */
  readonly period: string;
  readonly units: number;
}

/** What an instance asks for of a quota's month. */
export interface UnitsWish extends QuotaUnits {
  /** How many of the units calls are waiting for; 1 to `units`. The rest is for later calls. */
  readonly needed: number;
}

/** Of a quota nobody takes more than this part of what is left for calls that may come later. */
export const LARGEST_PART = 16;

/**
 * How many units a wish is given where `left` are left: all of it while that is little of the rest,
 * then a sixteenth of the rest, and what is needed in any case. So the fewer are left the fewer lie
 * with one instance while another is refused; of the last fifteen nobody holds any.
 */
export function grantedUnits({ units, needed }: UnitsWish, left: number): number {
  const part = Math.floor(left / LARGEST_PART);
  return Math.min(left, Math.max(needed, Math.min(units, part)));
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
