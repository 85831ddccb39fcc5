import type { Page, PageOf } from '@probity/core';
import type { Alert, AlertFilter } from './types.ts';

/** Reads of alerts. */
export interface AlertReads {
  /** Null when the organization has no such alert. */
  findAlert(organizationId: string, id: string): Promise<Alert | null>;
  /** The organization's alerts that `filter` accepts, newest first, ties by descending id. */
  listAlerts(organizationId: string, filter: AlertFilter, page: Page): Promise<PageOf<Alert>>;
}

/** Changes of alerts. */
export interface AlertWrites {
  insertAlert(alert: Alert): Promise<void>;
}
