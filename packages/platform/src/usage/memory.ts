import type { MemorySession } from '@probity/core';
import { defineMemoryTable } from '@probity/core/internal';
import type { InstanceReads, InstanceWrites, UsageReads, UsageWrites } from './storage.ts';
import type {
  InstanceKey,
  InstanceMinute,
  QuotaMonth,
  QuotaUnits,
  RuntimeInstance,
} from './types.ts';
import { grantedUnits } from './types.ts';

const UNITS = defineMemoryTable<QuotaUnits>('usage_units', 'organizationId');
const INSTANCES = defineMemoryTable<RuntimeInstance>('instances', 'organizationId');
const MINUTES = defineMemoryTable<InstanceMinute>('instance_minutes', 'organizationId');

const unitsOf = (session: MemorySession) => session.table(UNITS);
const instancesOf = (session: MemorySession) => session.table(INSTANCES);
const minutesOf = (session: MemorySession) => session.table(MINUTES);

function unitsKey({ organizationId, quota, period }: QuotaMonth): string {
  return JSON.stringify([organizationId, quota, period]);
}

function instanceKey({ organizationId, kind, instanceId }: InstanceKey): string {
  return JSON.stringify([organizationId, kind, instanceId]);
}

function minuteKey({ organizationId, kind, instanceId, minute }: InstanceMinute): string {
  return JSON.stringify([organizationId, kind, instanceId, minute.getTime()]);
}

/** Creates the in-memory storage for usage. */
export function createMemoryUsage(session: MemorySession): UsageReads & UsageWrites {
  return {
    async findTakenUnits(organizationId, period) {
      const taken = (quota: QuotaUnits['quota']) =>
        unitsOf(session).get(unitsKey({ organizationId, quota, period }))?.units ?? 0;
      return { api_requests: taken('api_requests'), gateway_scans: taken('gateway_scans') };
    },
    async estimateStoredBytes(organizationId) {
      const rows = session
        .tables()
        .flatMap((table) =>
          session.table(table).filter((row) => table.tenantOf(row) === organizationId),
        );
      const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0);
      return { bytes, rows: rows.length };
    },
    async takeUnits(request, limit) {
      const { organizationId, quota, period } = request;
      const key = unitsKey(request);
      const before = unitsOf(session).get(key)?.units ?? 0;
      const taken = grantedUnits(request, Math.max(0, limit - before));
      const units = before + taken;
      if (taken > 0) unitsOf(session).put(key, { organizationId, quota, period, units });
      return taken;
    },
    async giveBackUnits(unspent) {
      const key = unitsKey(unspent);
      const row = unitsOf(session).get(key);
      if (row) unitsOf(session).put(key, { ...row, units: row.units - unspent.units });
    },
    async addUnits(used) {
      const key = unitsKey(used);
      const before = unitsOf(session).get(key)?.units ?? 0;
      unitsOf(session).put(key, { ...used, units: before + used.units });
    },
  };
}

/** Creates the in-memory storage for instances. */
export function createMemoryInstances(session: MemorySession): InstanceReads & InstanceWrites {
  return {
    async findInstance(key) {
      return instancesOf(session).get(instanceKey(key)) ?? null;
    },
    async countInstances(organizationId, since) {
      const seen = instancesOf(session).filter(
        (row) => row.organizationId === organizationId && row.lastSeen > since,
      );
      const count = (kind: RuntimeInstance['kind']) =>
        seen.filter((row) => row.kind === kind).length;
      return { gateway: count('gateway'), sentinel: count('sentinel') };
    },
    async putInstance(instance) {
      instancesOf(session).put(instanceKey(instance), instance);
    },
    async forgetInstances(before, limit) {
      const old = instancesOf(session)
        .filter((row) => row.lastSeen < before)
        .slice(0, limit);
      for (const instance of old) instancesOf(session).delete(instanceKey(instance));
      return old.length;
    },
    async insertInstanceMinutes(minutes) {
      const added: InstanceMinute[] = [];
      for (const minute of minutes) {
        const key = minuteKey(minute);
        if (minutesOf(session).get(key)) continue;
        minutesOf(session).put(key, minute);
        added.push(minute);
      }
      return added;
    },
    async deleteInstanceMinutes({ organizationId, kind, instanceId, since, until }, limit) {
      const deleted = minutesOf(session)
        .filter(
          (each) =>
            each.organizationId === organizationId &&
            each.kind === kind &&
            (instanceId === null || each.instanceId === instanceId) &&
            each.minute >= since &&
            each.minute < until,
        )
        .slice(0, limit);
      for (const minute of deleted) minutesOf(session).delete(minuteKey(minute));
      return deleted;
    },
    async forgetInstanceMinutes(before, limit) {
      const old = minutesOf(session)
        .filter(({ minute }) => minute < before)
        .slice(0, limit);
      for (const minute of old) minutesOf(session).delete(minuteKey(minute));
      return old.length;
    },
  };
}
