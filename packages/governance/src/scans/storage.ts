import type { Scan } from './types.ts';

/** Read operations on scans. */
export interface ScanReads {
  /** Null when the organization has no such scan, or no longer has it. */
  findScan(organizationId: string, id: string): Promise<Scan | null>;
}

/** Write operations on scans. */
export interface ScanWrites {
  /** Stores a scan. Runs once for every scan request: the most frequent write. */
  insertScan(scan: Scan): Promise<void>;
  /**
   * Deletes up to `limit` scans with personal-data findings created before `before`, and returns
   * their number. A record that omits findings counts as having such findings.
   */
  deletePersonalScans(before: Date, limit: number): Promise<number>;
}
