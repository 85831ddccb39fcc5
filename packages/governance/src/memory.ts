import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import type { GovernanceReads, GovernanceStorage, GovernanceWrites } from './storage.ts';
import type { Alert, AlertFilter, Scan } from './types.ts';
import { hasPersonalData } from './types.ts';

/** Scans and alerts in memory. */
export function createMemoryGovernanceStorage(
  database: Database<MemorySession>,
): GovernanceStorage {
  return bindStorage<MemorySession, GovernanceReads, GovernanceWrites>(database, (session) => {
    const scans = () => session.table<Scan>('scans');
    const alerts = () => session.table<Alert>('alerts');
    return {
      async findScan(organizationId, id) {
        return ownedBy(organizationId, scans().get(id));
      },
      async findAlert(organizationId, id) {
        return ownedBy(organizationId, alerts().get(id));
      },
      async listAlerts(organizationId, filter, { limit, offset }) {
        const found = alerts()
          .filter((alert) => alert.organizationId === organizationId && matches(alert, filter))
          .sort(newestFirst);
        return { items: found.slice(offset, offset + limit), total: found.length };
      },
      async insertScan(scan) {
        scans().put(scan.id, scan);
      },
      async deletePersonalScans(before, limit) {
        const old = scans().filter((scan) => scan.createdAt < before && hasPersonalData(scan));
        return old.slice(0, limit).filter(({ id }) => scans().delete(id)).length;
      },
      async insertAlert(alert) {
        alerts().put(alert.id, alert);
      },
    };
  });
}

function ownedBy<Row extends { organizationId: string }>(
  organizationId: string,
  row: Row | undefined,
): Row | null {
  return row?.organizationId === organizationId ? row : null;
}

function matches(alert: Alert, { status, type, severity }: AlertFilter): boolean {
  return (
    (status === undefined || alert.status === status) &&
    (type === undefined || alert.type === type) &&
    (severity === undefined || alert.severity === severity)
  );
}

function newestFirst(left: Alert, right: Alert): number {
  return right.createdAt.getTime() - left.createdAt.getTime() || (left.id < right.id ? 1 : -1);
}
