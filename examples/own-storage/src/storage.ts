import type { EventRecord } from '@probity/core';
import type { GovernanceStorage, Scan, ScanFilter } from '@probity/governance';
import { alertReadsOf, alertWritesOf } from './alerts.ts';
import type { Records } from './records.ts';
import { newestFirst, oldestFirst, own, pageOf } from './records.ts';

/**
 * Scans and alerts in maps. Transactions run one after another, each on a copy of the maps,
 * which replaces them at the end; a database does the same with BEGIN and COMMIT.
 *
 * @param publish receives the events of a transaction after its commit
 * @param record receives the entries of the audit log of a transaction after its commit
 */
export function createOwnStorage(
  publish: (event: EventRecord) => void,
  record: (entry: AuditEntry) => void = () => undefined,
): GovernanceStorage {
  let committed: Records = { scans: new Map(), alerts: new Map(), actions: new Map() };
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...scanReadsOf(() => committed),
    ...alertReadsOf(() => committed),
    transaction(_scope, work) {
      const result = last.then(async () => {
        const scans = new Map(committed.scans);
        const alerts = new Map(committed.alerts);
        const actions = new Map(committed.actions);
        const records = { scans, alerts, actions };
        const events: EventRecord[] = [];
        const entries: AuditEntry[] = [];
        const value = await work({
          ...scanReadsOf(() => records),
          ...alertReadsOf(() => records),
          ...alertWritesOf(alerts, actions),
          insertScan: async (scan) => void scans.set(scan.id, scan),
          deletePersonalScans: async (organizationId, before, limit) =>
            deleteOld(scans, organizationId, before, limit, mayBePersonal),
          deleteScans: async (organizationId, before, limit) =>
            deleteOld(scans, organizationId, before, limit, () => true),
          outbox: { append: async (event) => void events.push(event) },
          recordAudit: async (entry) => void entries.push(entry),
        });
        committed = records;
        for (const event of events) publish(event);
        for (const entry of entries) record(entry);
        return value;
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}

/** An entry of the audit log: who did what. */
type AuditEntry = Parameters<Transaction['recordAudit']>[0];

type Transaction = Parameters<Parameters<GovernanceStorage['transaction']>[1]>[0];

function scanReadsOf(
  records: () => Records,
): Pick<
  GovernanceStorage,
  'findScan' | 'listScans' | 'readJudgedScans' | 'readTimedScans' | 'oldestScanAt'
> {
  const scansOf = (organizationId: string) =>
    [...records().scans.values()].filter((scan) => scan.organizationId === organizationId);
  return {
    findScan: async (organizationId, id) => own(records().scans.get(id), organizationId),
    async listScans(organizationId, filter, page) {
      const found = scansOf(organizationId).filter((scan) => fits(scan, filter));
      return pageOf(found, page, newestFirst);
    },
    async readJudgedScans(organizationId, { since, after, limit }) {
      return scansOf(organizationId)
        .filter((scan) => since === undefined || scan.createdAt >= since)
        .filter((scan) => after === undefined || newestFirst(after, scan) < 0)
        .sort(newestFirst)
        .slice(0, limit);
    },
    async readTimedScans(organizationId, { since, until, after, limit }) {
      return scansOf(organizationId)
        .filter((scan) => scan.createdAt >= since && scan.createdAt < until)
        .filter((scan) => after === undefined || oldestFirst(after, scan) < 0)
        .sort(oldestFirst)
        .slice(0, limit)
        .map(({ id, createdAt, aiSystemId, verdict, policies, violation, facts }) => ({
          ...{ id, createdAt, aiSystemId, verdict, policies, violation, facts },
        }));
    },
    async oldestScanAt(organizationId) {
      const [oldest] = scansOf(organizationId).sort(oldestFirst);
      return oldest?.createdAt ?? null;
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

/** Whether a scan found, or may have found, personal data. */
function mayBePersonal({ findings, findingCount }: Scan): boolean {
  return findingCount > findings.length || findings.some(({ stage }) => stage === 'pii_scanner');
}

/** Deletes the oldest scans made before a time that are meant; returns their number. */
function deleteOld(
  scans: Map<string, Scan>,
  organizationId: string,
  before: Date,
  limit: number,
  isMeant: (scan: Scan) => boolean,
): number {
  const expired = [...scans.values()]
    .filter((scan) => scan.organizationId === organizationId && scan.createdAt < before)
    .filter(isMeant)
    .sort(oldestFirst)
    .slice(0, limit);
  for (const { id } of expired) scans.delete(id);
  return expired.length;
}
