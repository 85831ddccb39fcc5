import type { Page, PageOf } from '@probity/core';
import type { Alert, AlertFilter } from './types.ts';

/** Read operations on alerts. */
export interface AlertReads {
  /** Null when the organization has no such alert. */
  findAlert(organizationId: string, id: string): Promise<Alert | null>;
  /** The organization's alerts that match `filter`, newest first, ties by descending id. */
  listAlerts(organizationId: string, filter: AlertFilter, page: Page): Promise<PageOf<Alert>>;
}

/** Write operations on alerts. */
export interface AlertWrites {
  insertAlert(alert: Alert): Promise<void>;
}
