import type { Scan } from './types.ts';

/** Reads of scans. */
export interface ScanReads {
  /** Null when the organization has no such scan (any more). */
  findScan(organizationId: string, id: string): Promise<Scan | null>;
}

/** Changes of scans. */
export interface ScanWrites {
  /** Stores a scan; one is written for every request, so this is the hottest write there is. */
  insertScan(scan: Scan): Promise<void>;
  /**
   * Deletes up to `limit` scans with personal-data findings made before `before`, and answers how
   * many. Where findings were left out of the record, it counts as one that had some.
   */
  deletePersonalScans(before: Date, limit: number): Promise<number>;
}
