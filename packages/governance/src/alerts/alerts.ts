import type { CallContext, Page, PageOf } from '@probity/core';
import { notFound } from '@probity/core';
import type { GovernanceStorage } from '../storage.ts';
import type { Alert, AlertFilter } from './types.ts';

/** Alerts of an organization. */
export interface Alerts {
  /** Newest first. */
  list(context: CallContext, filter: AlertFilter, page: Page): Promise<PageOf<Alert>>;
  /** @throws ProbityError `not_found` when the organization has no such alert */
  get(context: CallContext, id: string): Promise<Alert>;
}

/** Dependencies of the service. */
export interface AlertOptions {
  readonly storage: GovernanceStorage;
}

/** Creates the alert service. */
export function createAlerts({ storage }: AlertOptions): Alerts {
  return {
    list: ({ principal }, filter, page) =>
      storage.listAlerts(principal.organizationId, filter, page),

    async get({ principal }, id) {
      const alert = await storage.findAlert(principal.organizationId, id);
      if (!alert) throw notFound('alert');
      return alert;
    },
  };
}
