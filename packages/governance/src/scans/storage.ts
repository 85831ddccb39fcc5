import type { Page, PageOf } from '@probity/core';
import type { JudgedScan } from './facts.ts';
import type { Scan, ScanFilter } from './types.ts';

/** What policies need to judge a stored scan again. */
export interface StoredJudgedScan extends JudgedScan {
  readonly id: string;
  readonly keyId: string;
  readonly namedPolicyIds: readonly string[] | null;
  readonly createdAt: Date;
}

/** A part of an organization's scans, newest first. */
export interface JudgedScanPart {
  /** Scans made at this time or later; default all. */
  readonly since?: Date | undefined;
  /** The last scan of the part before; default the newest part. */
  readonly after?: Pick<Scan, 'id' | 'createdAt'> | undefined;
  readonly limit: number;
}

/** Read operations on scans. */
export interface ScanReads {
  /** Null when the organization has no such scan, or no longer has it. */
  findScan(organizationId: string, id: string): Promise<Scan | null>;
  /** The organization's scans that match `filter`, newest first, ties by descending id. */
  listScans(organizationId: string, filter: ScanFilter, page: Page): Promise<PageOf<Scan>>;
  /** Up to `limit` of the organization's scans, newest first, ties by descending id. */
  readJudgedScans(
    organizationId: string,
    part: JudgedScanPart,
  ): Promise<readonly StoredJudgedScan[]>;
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
