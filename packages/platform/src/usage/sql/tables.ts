/** Tables of usage counters and of reporting instances. */
export interface UsageTables {
  probity_usage_units: UsageUnitsRow;
  probity_instances: InstanceRow;
  probity_instance_minutes: InstanceMinuteRow;
}

interface UsageUnitsRow {
  organization_id: string;
  quota: string;
  /** `YYYY-MM`. */
  period: string;
  /** Units leased and not returned. */
  taken: number;
  /** Units granted by the last lease statement, which reads them back from here. */
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

export interface InstanceMinuteRow {
  organization_id: string;
  kind: string;
  instance_id: string;
  /** Start of the minute. */
  minute: number;
  scans: number;
}
