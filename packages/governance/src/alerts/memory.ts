import type { MemorySession } from '@probity/core';
import { byCreation, defineMemoryTable, newestFirst, owned, pageOf } from '@probity/core/internal';
import { createHourCounts, createOpenCounts, matchesFilter } from './filter.ts';
import type { AlertPart, AlertReads, AlertWrites, TimedAlert } from './storage.ts';
import type { Alert, AlertAction } from './types.ts';

const ALERTS = defineMemoryTable<Alert>('alerts', 'organizationId');
const ACTIONS = defineMemoryTable<AlertAction>('alert_actions', 'organizationId');

/** Reads and writes alerts in memory. */
export function createAlertOperations(session: MemorySession): AlertReads & AlertWrites {
  const alerts = () => session.table(ALERTS);
  const actions = () => session.table(ACTIONS);
  const own = (organizationId: string) =>
    alerts().filter((alert) => alert.organizationId === organizationId);
  const found = (organizationId: string, ids: readonly string[]) =>
    [...new Set(ids)].flatMap((id) => owned(alerts(), organizationId, id) ?? []);
  const changeOpen = (
    organizationId: string,
    ids: readonly string[],
    change: (alert: Alert) => Partial<Alert> | null,
  ) =>
    found(organizationId, ids).flatMap((alert) => {
      const changes = alert.status === 'open' ? change(alert) : null;
      if (!changes) return [];
      const changed = { ...alert, ...changes };
      alerts().put(alert.id, changed);
      return [changed];
    });
  return {
    async findAlert(organizationId, id) {
      return owned(alerts(), organizationId, id);
    },
    findAlerts: async (organizationId, ids) => found(organizationId, ids),
    async listAlerts(organizationId, filter, page) {
      const matching = own(organizationId).filter((alert) => matchesFilter(alert, filter));
      return pageOf(matching, page, newestFirst);
    },
    async countAlertsByHour(organizationId, filter) {
      const counts = createHourCounts();
      for (const alert of own(organizationId)) if (matchesFilter(alert, filter)) counts.add(alert);
      return counts.toList();
    },
    async listAlertActions(organizationId, alertId, action, page) {
      const matching = actions().filter(
        (each) =>
          each.organizationId === organizationId &&
          each.alertId === alertId &&
          (action === undefined || each.action === action),
      );
      return pageOf(matching, page, byCreation);
    },
    readTimedAlerts: async (organizationId, part) => readPart(own(organizationId), part),
    async countOpenAlerts(organizationId, at) {
      const counts = createOpenCounts();
      for (const { createdAt, resolvedAt, aiSystemId } of own(organizationId)) {
        if (createdAt < at && (resolvedAt ?? at) >= at) counts.add(aiSystemId, 1);
      }
      return counts.toList();
    },
    async insertAlert(alert) {
      alerts().put(alert.id, alert);
    },
    async resolveAlerts(organizationId, ids, { memberId, at, resolution }) {
      const resolved = { status: 'resolved', resolvedAt: at, resolvedBy: memberId } as const;
      return changeOpen(organizationId, ids, () => ({ ...resolved, resolution }));
    },
    async acknowledgeAlerts(organizationId, ids, { memberId, at }) {
      return changeOpen(organizationId, ids, ({ acknowledgedAt }) =>
        acknowledgedAt ? null : { acknowledgedAt: at, acknowledgedBy: memberId },
      );
    },
    async assignAlerts(organizationId, ids, assigneeId) {
      return changeOpen(organizationId, ids, (alert) =>
        alert.assigneeId === assigneeId ? null : { assigneeId },
      );
    },
    async insertAlertActions(added) {
      for (const action of added) actions().put(action.id, action);
    },
    async deleteResolvedAlerts(organizationId, before, limit) {
      const range = { since: new Date(0), until: before };
      const old = readPart(own(organizationId), { by: 'resolvedAt', ...range, limit });
      const ids = new Set(old.map(({ id }) => id));
      for (const id of ids) alerts().delete(id);
      actions().deleteWhere(({ alertId }) => ids.has(alertId));
      return ids.size;
    },
  };
}

function readPart(
  own: readonly Alert[],
  { by, since, until, after, limit }: AlertPart,
): TimedAlert[] {
  const timeOf = ({ createdAt, resolvedAt }: TimedAlert) =>
    by === 'resolvedAt' ? resolvedAt : createdAt;
  const placed = own.flatMap((alert) => {
    const at = timeOf(alert);
    return at && at >= since && at < until ? [{ alert, id: alert.id, createdAt: at }] : [];
  });
  const last = after && { id: after.id, createdAt: timeOf(after) ?? after.createdAt };
  return placed
    .filter((each) => last === undefined || byCreation(last, each) < 0)
    .sort(byCreation)
    .slice(0, limit)
    .map(({ alert: { id, createdAt, resolvedAt, resolvedBy, aiSystemId } }) => ({
      ...{ id, createdAt, resolvedAt, resolvedBy, aiSystemId },
    }));
}
