import type { MemorySession } from '@probity/core';
import { defineMemoryTable, newestFirst, owned, pageOf } from '@probity/core/internal';
import type { AlertReads, AlertWrites } from './storage.ts';
import type { Alert } from './types.ts';

const ALERTS = defineMemoryTable<Alert>('alerts', 'organizationId');

/** Reads and writes alerts in memory. */
export function createAlertOperations(session: MemorySession): AlertReads & AlertWrites {
  const alerts = () => session.table(ALERTS);
  return {
    async findAlert(organizationId, id) {
      return owned(alerts(), organizationId, id);
    },
    async listAlerts(organizationId, { status, type, severity }, page) {
      const matching = alerts().filter(
        (alert) =>
          alert.organizationId === organizationId &&
          (status === undefined || alert.status === status) &&
          (type === undefined || alert.type === type) &&
          (severity === undefined || alert.severity === severity),
      );
      return pageOf(matching, page, newestFirst);
    },
    async insertAlert(alert) {
      alerts().put(alert.id, alert);
    },
  };
}
