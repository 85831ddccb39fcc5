import type { CallContext, Page, PageOf } from '@probity/core';
import { notFound } from '@probity/core';
import type { GovernanceStorage } from '../storage.ts';
import type { AlertActions } from './actions.ts';
import type { Alert, AlertAction, AlertCount, AlertFilter } from './types.ts';

/** Alerts of an organization. */
export interface Alerts extends AlertActions {
  /** Newest first. */
  list(context: CallContext, filter: AlertFilter, page: Page): Promise<PageOf<Alert>>;
  /** How many alerts match, by hour and type; newest hour first, ties by type. */
  countByHour(context: CallContext, filter: AlertFilter, page: Page): Promise<PageOf<AlertCount>>;
  /** @throws ProbityError `not_found` when the organization has no such alert */
  get(context: CallContext, id: string): Promise<Alert>;
  /** What members did with an alert, oldest first. @throws ProbityError `not_found` */
  history(context: CallContext, id: string, page: Page): Promise<PageOf<AlertAction>>;
  /** The comments on an alert, oldest first. @throws ProbityError `not_found` */
  comments(context: CallContext, id: string, page: Page): Promise<PageOf<AlertAction>>;
}

/** Dependencies of the service. */
export interface AlertOptions {
  readonly storage: GovernanceStorage;
  readonly actions: AlertActions;
}

/** Creates the alert service. */
export function createAlerts({ storage, actions }: AlertOptions): Alerts {
  const get: Alerts['get'] = async ({ principal }, id) => {
    const alert = await storage.findAlert(principal.organizationId, id);
    if (!alert) throw notFound('alert');
    return alert;
  };
  const actionsOf = async (
    context: CallContext,
    id: string,
    page: Page,
    action?: AlertAction['action'],
  ) => {
    const { organizationId } = context.principal;
    const found = await storage.listAlertActions(organizationId, id, action, page);
    if (found.total === 0) await get(context, id);
    return found;
  };
  return {
    ...actions,
    get,
    list: ({ principal }, filter, page) =>
      storage.listAlerts(principal.organizationId, filter, page),
    async countByHour({ principal }, filter, { limit, offset }) {
      const all = await storage.countAlertsByHour(principal.organizationId, filter);
      return { items: all.slice(offset, offset + limit), total: all.length };
    },
    history: (context, id, page) => actionsOf(context, id, page),
    comments: (context, id, page) => actionsOf(context, id, page, 'commented'),
  };
}
