import type { EventRecord } from '@probity/core';
import type { Alert, GovernanceStorage, Scan, ScanFilter } from '@probity/governance';

/** What has a time and an id. */
type Created = Pick<Alert, 'id' | 'createdAt'>;

interface Records {
  readonly scans: ReadonlyMap<string, Scan>;
  readonly alerts: ReadonlyMap<string, Alert>;
}

/**
 * Scans and alerts in two maps. Transactions run one after another, each on a copy of the maps,
 * which replaces them at the end; a database does the same with BEGIN and COMMIT.
 *
 * @param publish receives the events of a transaction after its commit
 */
export function createOwnStorage(publish: (event: EventRecord) => void): GovernanceStorage {
  let committed: Records = { scans: new Map(), alerts: new Map() };
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...readsOf(() => committed),
    transaction(_scope, work) {
      const result = last.then(async () => {
        const scans = new Map(committed.scans);
        const alerts = new Map(committed.alerts);
        const events: EventRecord[] = [];
        const value = await work({
          ...readsOf(() => ({ scans, alerts })),
          insertScan: async (scan) => void scans.set(scan.id, scan),
          insertAlert: async (alert) => void alerts.set(alert.id, alert),
          deletePersonalScans: async (before, limit) => deletePersonal(scans, before, limit),
          outbox: { append: async (event) => void events.push(event) },
        });
        committed = { scans, alerts };
        for (const event of events) publish(event);
        return value;
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}

function readsOf(
  records: () => Records,
): Pick<
  GovernanceStorage,
  'findScan' | 'listScans' | 'readJudgedScans' | 'findAlert' | 'listAlerts'
> {
  const own = <T extends { organizationId: string }>(record: T | undefined, id: string) =>
    record?.organizationId === id ? record : null;
  return {
    findScan: async (organizationId, id) => own(records().scans.get(id), organizationId),
    async listScans(organizationId, filter, { limit, offset }) {
      const found = [...records().scans.values()]
        .filter((scan) => scan.organizationId === organizationId)
        .filter((scan) => fits(scan, filter))
        .sort(newestFirst);
      return { items: found.slice(offset, offset + limit), total: found.length };
    },
    async readJudgedScans(organizationId, { since, after, limit }) {
      return [...records().scans.values()]
        .filter((scan) => scan.organizationId === organizationId)
        .filter((scan) => since === undefined || scan.createdAt >= since)
        .filter((scan) => after === undefined || newestFirst(after, scan) < 0)
        .sort(newestFirst)
        .slice(0, limit);
    },
    findAlert: async (organizationId, id) => own(records().alerts.get(id), organizationId),
    async listAlerts(organizationId, filter, { limit, offset }) {
      const found = [...records().alerts.values()]
        .filter((alert) => alert.organizationId === organizationId)
        .filter((alert) => filter.status === undefined || alert.status === filter.status)
        .filter((alert) => filter.type === undefined || alert.type === filter.type)
        .filter((alert) => filter.severity === undefined || alert.severity === filter.severity)
        .sort(newestFirst);
      return { items: found.slice(offset, offset + limit), total: found.length };
    },
  };
}

/** Whether a scan fits all conditions; also by findings that are too many to be listed. */
function fits(scan: Scan, filter: ScanFilter): boolean {
  const { stage, type, policyId, since, until } = filter;
  const cut = [...(scan.facts?.cut ?? []), ...(scan.facts?.omitted ?? [])];
  const found = [...scan.findings.map((each) => [each.stage, each.type]), ...cut];
  return (
    (['verdict', 'keyId', 'aiSystemId'] as const).every(
      (name) => filter[name] === undefined || scan[name] === filter[name],
    ) &&
    (stage === undefined || found.some(([name]) => name === stage)) &&
    (type === undefined || found.some(([, name]) => name === type)) &&
    (policyId === undefined || scan.policies.some(({ id }) => id === policyId)) &&
    (since === undefined || scan.createdAt >= since) &&
    (until === undefined || scan.createdAt < until)
  );
}

function newestFirst(left: Created, right: Created): number {
  return right.createdAt.getTime() - left.createdAt.getTime() || (right.id < left.id ? -1 : 1);
}

/** Deletes scans that found, or may have found, personal data. */
function deletePersonal(scans: Map<string, Scan>, before: Date, limit: number): number {
  const expired = [...scans.values()]
    .filter(({ createdAt }) => createdAt < before)
    .filter(
      ({ findings, findingCount }) =>
        findingCount > findings.length || findings.some(({ stage }) => stage === 'pii_scanner'),
    )
    .sort((left, right) => left.createdAt.getTime() - right.createdAt.getTime())
    .slice(0, limit);
  for (const { id } of expired) scans.delete(id);
  return expired.length;
}
