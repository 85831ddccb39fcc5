/** Tables of usage counters and of instances that report themselves. */
export interface UsageTables {
  usage_units: UsageUnitsRow;
  instances: InstanceRow;
}

interface UsageUnitsRow {
  organization_id: string;
  quota: string;
  /** `YYYY-MM`. */
  period: string;
  /** Units taken and not given back. */
  taken: number;
  /** What the last statement that took some was given; how it learns that. */
  last_taken: number;
}

export interface InstanceRow {
  organization_id: string;
  kind: string;
  instance_id: string;
  version: string;
  first_seen: number;
  last_seen: number;
}
