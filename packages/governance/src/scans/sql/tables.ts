/** Tables of scans. */
export interface ScanTables {
  probity_scans: ScanRow;
  probity_scan_marks: MarkRow;
}

/** Times are milliseconds since 1970, JSON is text. */
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
  policies: string;
  /** Null where no policy only monitored. */
  monitored: string | null;
  named_policies: string | null;
  facts: string | null;
  violation: string | null;
  metadata: string;
  ai_system_id: string | null;
  prompt_hash: string | null;
  /** Empty for messages: the column was made when each scan had a response. */
  response_hash: string;
  context_hash: string | null;
  messages_hash: string | null;
  /** Microseconds. */
  duration_us: number;
  created_at: number;
}

/** The index of scans by finding and policy: one row for each stage, type and policy of a scan. */
export interface MarkRow {
  organization_id: string;
  kind: string;
  value: string;
  /** The scan's time, so that the marks are in the order of lists. */
  created_at: number;
  scan_id: string;
}
