/** Quotas that are spent call by call, and begin anew every month (contract, section 3). */
export const METERED_QUOTAS = ['api_requests', 'gateway_scans'] as const;
export type MeteredQuota = (typeof METERED_QUOTAS)[number];

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
