import type { Page, PageOf, Storage } from '@probity/core';
import type { Alert, AlertFilter, Scan } from './types.ts';

/** Reads of scans and alerts. Nothing of another organization is ever found. */
export interface GovernanceReads {
  /** Null when the organization has no such scan (any more). */
  findScan(organizationId: string, id: string): Promise<Scan | null>;
  /** Null when the organization has no such alert. */
  findAlert(organizationId: string, id: string): Promise<Alert | null>;
  /** The organization's alerts that `filter` accepts, newest first, ties by descending id. */
  listAlerts(organizationId: string, filter: AlertFilter, page: Page): Promise<PageOf<Alert>>;
}

/** Changes of scans and alerts. */
export interface GovernanceWrites {
  /** Stores a scan; one is written for every request, so this is the hottest write there is. */
  insertScan(scan: Scan): Promise<void>;
  insertAlert(alert: Alert): Promise<void>;
  /**
   * Deletes up to `limit` scans with personal-data findings made before `before`, and answers how
   * many. Where findings were left out of the record, it counts as one that had some.
   */
  deletePersonalScans(before: Date, limit: number): Promise<number>;
}

/** Storage of scans and alerts. */
export type GovernanceStorage = Storage<GovernanceReads, GovernanceWrites>;
