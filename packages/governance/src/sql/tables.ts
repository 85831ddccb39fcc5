/** Tables of scans and alerts; times are milliseconds since 1970, JSON is text. */
export interface GovernanceTables {
  scans: ScanRow;
  alerts: AlertRow;
}

export interface ScanRow {
  id: string;
  organization_id: string;
  member_id: string;
  key_id: string;
  verdict: string;
  scores: string;
  findings: string;
  finding_count: number;
  personal_data: number;
  policy_ids: string;
  violation: string | null;
  metadata: string;
  prompt_hash: string | null;
  response_hash: string;
  context_hash: string | null;
  /** Microseconds. */
  duration_us: number;
  created_at: number;
}

export interface AlertRow {
  id: string;
  organization_id: string;
  type: string;
  severity: string;
  status: string;
  message: string;
  /** Without a foreign key: alerts outlive the records of their scans. */
  scan_id: string;
  created_at: number;
  resolved_at: number | null;
  resolution: string | null;
}
