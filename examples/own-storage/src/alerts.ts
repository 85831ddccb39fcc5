import type { Alert, AlertAction, AlertFilter, GovernanceStorage } from '@probity/governance';
import type { Records } from './records.ts';
import { newestFirst, oldestFirst, own, pageOf } from './records.ts';

type AlertReads = Pick<
  GovernanceStorage,
  | 'findAlert'
  | 'findAlerts'
  | 'listAlerts'
  | 'countAlertsByHour'
  | 'listAlertActions'
  | 'readTimedAlerts'
  | 'countOpenAlerts'
>;

/** The operations within a transaction. */
type Transaction = Parameters<Parameters<GovernanceStorage['transaction']>[1]>[0];

type AlertWrites = Pick<
  Transaction,
  | 'insertAlert'
  | 'resolveAlerts'
  | 'acknowledgeAlerts'
  | 'assignAlerts'
  | 'insertAlertActions'
  | 'deleteResolvedAlerts'
>;

const HOUR_MS = 3_600_000;

/** Reads of alerts. */
export function alertReadsOf(records: () => Records): AlertReads {
  const matching = (organizationId: string, filter: AlertFilter) =>
    [...records().alerts.values()]
      .filter((alert) => alert.organizationId === organizationId)
      .filter((alert) => fits(alert, filter));
  return {
    findAlert: async (organizationId, id) => own(records().alerts.get(id), organizationId),
    findAlerts: async (organizationId, ids) =>
      [...new Set(ids)].flatMap((id) => own(records().alerts.get(id), organizationId) ?? []),
    listAlerts: async (organizationId, filter, page) =>
      pageOf(matching(organizationId, filter), page, newestFirst),
    async countAlertsByHour(organizationId, filter) {
      const counts = new Map<string, { type: Alert['type']; hour: Date; count: number }>();
      for (const { type, createdAt } of matching(organizationId, filter)) {
        const hour = new Date(Math.floor(createdAt.getTime() / HOUR_MS) * HOUR_MS);
        const key = `${hour.getTime()} ${type}`;
        counts.set(key, { type, hour, count: (counts.get(key)?.count ?? 0) + 1 });
      }
      return [...counts.values()].sort(
        (left, right) =>
          right.hour.getTime() - left.hour.getTime() || (left.type < right.type ? -1 : 1),
      );
    },
    async listAlertActions(organizationId, alertId, action, page) {
      const found = [...records().actions.values()]
        .filter((each) => each.organizationId === organizationId && each.alertId === alertId)
        .filter((each) => action === undefined || each.action === action);
      return pageOf(found, page, oldestFirst);
    },
    async readTimedAlerts(organizationId, { by, since, until, after, limit }) {
      const timeOf = (alert: Pick<Alert, 'createdAt' | 'resolvedAt'>) =>
        by === 'resolvedAt' ? alert.resolvedAt : alert.createdAt;
      const placed = matching(organizationId, {})
        .flatMap((alert) => {
          const at = timeOf(alert);
          return at && at >= since && at < until ? [{ alert, id: alert.id, createdAt: at }] : [];
        })
        .sort(oldestFirst);
      const last = after && { id: after.id, createdAt: timeOf(after) ?? after.createdAt };
      return placed
        .filter((each) => last === undefined || oldestFirst(last, each) < 0)
        .slice(0, limit)
        .map(({ alert: { id, createdAt, resolvedAt, resolvedBy, aiSystemId } }) => ({
          ...{ id, createdAt, resolvedAt, resolvedBy, aiSystemId },
        }));
    },
    async countOpenAlerts(organizationId, at) {
      const counts = new Map<string | null, number>();
      for (const { createdAt, resolvedAt, aiSystemId } of matching(organizationId, {})) {
        if (createdAt >= at || (resolvedAt && resolvedAt < at)) continue;
        counts.set(aiSystemId, (counts.get(aiSystemId) ?? 0) + 1);
      }
      return [...counts].map(([aiSystemId, count]) => ({ aiSystemId, count }));
    },
  };
}

/** Writes of alerts, on the copies of a transaction. */
export function alertWritesOf(
  alerts: Map<string, Alert>,
  actions: Map<string, AlertAction>,
): AlertWrites {
  // As transactions run one after another, an alert that is open here is resolved once.
  const changeOpen = (
    organizationId: string,
    ids: readonly string[],
    change: (alert: Alert) => Partial<Alert> | null,
  ) =>
    [...new Set(ids)].flatMap((id) => {
      const alert = own(alerts.get(id), organizationId);
      const changes = alert?.status === 'open' ? change(alert) : null;
      if (!alert || !changes) return [];
      const changed = { ...alert, ...changes };
      alerts.set(id, changed);
      return [changed];
    });
  return {
    insertAlert: async (alert) => void alerts.set(alert.id, alert),
    async resolveAlerts(organizationId, ids, { memberId, at, resolution }) {
      const resolved = { status: 'resolved', resolvedAt: at, resolvedBy: memberId } as const;
      return changeOpen(organizationId, ids, () => ({ ...resolved, resolution }));
    },
    acknowledgeAlerts: async (organizationId, ids, { memberId, at }) =>
      changeOpen(organizationId, ids, ({ acknowledgedAt }) =>
        acknowledgedAt ? null : { acknowledgedAt: at, acknowledgedBy: memberId },
      ),
    assignAlerts: async (organizationId, ids, assigneeId) =>
      changeOpen(organizationId, ids, (alert) =>
        alert.assigneeId === assigneeId ? null : { assigneeId },
      ),
    async insertAlertActions(added) {
      for (const action of added) actions.set(action.id, action);
    },
    async deleteResolvedAlerts(organizationId, before, limit) {
      const old = [...alerts.values()]
        .filter((alert) => alert.organizationId === organizationId)
        .flatMap(({ id, resolvedAt }) => (resolvedAt ? [{ id, createdAt: resolvedAt }] : []))
        .filter(({ createdAt }) => createdAt < before)
        .sort(oldestFirst)
        .slice(0, limit);
      for (const { id } of old) {
        alerts.delete(id);
        for (const [key, { alertId }] of actions) if (alertId === id) actions.delete(key);
      }
      return old.length;
    },
  };
}

/** Whether an alert fits all conditions. */
function fits(alert: Alert, filter: AlertFilter): boolean {
  const { since, until, text } = filter;
  const searched = `${alert.message}\n${alert.resolution ?? ''}`.toLowerCase();
  return (
    (['status', 'type', 'severity', 'scanId', 'assigneeId'] as const).every(
      (name) => filter[name] === undefined || alert[name] === filter[name],
    ) &&
    (since === undefined || alert.createdAt >= since) &&
    (until === undefined || alert.createdAt < until) &&
    (text === undefined || searched.includes(text.toLowerCase()))
  );
}
