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

/** What summaries need to know of a scan. */
export interface TimedScan
  extends Pick<
    Scan,
    'id' | 'createdAt' | 'aiSystemId' | 'verdict' | 'policies' | 'violation' | 'facts'
  > {}

/** A part of an organization's scans in a time, oldest first, ties by ascending id. */
export interface TimedScanPart {
  /** From this time on. */
  readonly since: Date;
  /** Before this time. */
  readonly until: Date;
  /** The last scan of the part before; default the first part. */
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
  /** Up to `limit` of the organization's scans. */
  readTimedScans(organizationId: string, part: TimedScanPart): Promise<readonly TimedScan[]>;
  /** When the organization's oldest scan was made that is still stored; null when none is. */
  oldestScanAt(organizationId: string): Promise<Date | null>;
}

/** Write operations on scans. */
export interface ScanWrites {
  /** Stores a scan. Runs once for every scan request: the most frequent write. */
  insertScan(scan: Scan): Promise<void>;
  /**
   * Deletes up to `limit` of the organization's scans with personal-data findings that were created before `before`,
   * oldest first, and returns their number. A record that omits findings counts as having such findings.
   */
  deletePersonalScans(organizationId: string, before: Date, limit: number): Promise<number>;
  /**
   * Deletes up to `limit` of the organization's scans that were created before `before`, oldest first, and returns
   * their number.
   */
  deleteScans(organizationId: string, before: Date, limit: number): Promise<number>;
}
