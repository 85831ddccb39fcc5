import { REGISTER } from '../audit/memory.ts';
import { FAILED_JOBS, JOBS } from '../jobs/memory.ts';
import type { MemorySession } from '../storage/memory.ts';
import type { MemoryTableDefinition } from '../storage/memory-table.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import { removalInProgress } from './removal-in-progress.ts';
import type { TenantReads, TenantWrites } from './storage.ts';

interface TenantRow {
  readonly id: string;
  /** Null unless the tenant was removed and its rows are being deleted. */
  readonly removedAt: Date | null;
}

/** The table of tenants. */
export const TENANTS = defineMemoryTable<TenantRow>('tenants', 'id');

/** Tenants in memory. */
export function createMemoryTenants(session: MemorySession): TenantReads & TenantWrites {
  const tenants = () => session.table(TENANTS);
  return {
    async hasTenant(id) {
      return isPresent(session, id);
    },
    async listTenants(after, limit) {
      const ids = tenants()
        .filter(({ id, removedAt }) => id > after && removedAt === null)
        .map(({ id }) => id);
      return ids.sort().slice(0, limit);
    },
    async ensureTenant(id) {
      const found = tenants().get(id);
      if (found?.removedAt) throw removalInProgress(id);
      if (!found) tenants().put(id, { id, removedAt: null });
    },
    async listTenantTables() {
      return tablesOfTenants(session).map(({ name }) => name);
    },
    async markTenantRemoved(id, removedAt) {
      if (!isPresent(session, id)) return false;
      tenants().put(id, { id, removedAt });
      return true;
    },
    async lockRemovedTenant(id) {
      return Boolean(tenants().get(id)?.removedAt);
    },
    async deleteTenantRows(table, id, limit) {
      let deleted = 0;
      for (const definition of tablesOfTenants(session).filter(({ name }) => name === table)) {
        session.table(definition).deleteWhere((row) => {
          const isDeleted = deleted < limit && definition.tenantOf(row) === id;
          if (isDeleted) deleted += 1;
          return isDeleted;
        });
      }
      return deleted;
    },
    async deleteTenantJobs(id, limit) {
      let deleted = 0;
      for (const table of [session.table(JOBS), session.table(FAILED_JOBS)]) {
        const jobs = table.filter(({ tenantId }) => tenantId === id).slice(0, limit - deleted);
        for (const job of jobs) table.delete(job.id);
        deleted += jobs.length;
      }
      return deleted;
    },
    async deleteTenant(id) {
      if (!tenants().get(id)) return false;
      deleteRowsOf(session, id);
      tenants().delete(id);
      const register = session.table(REGISTER);
      for (const row of register.filter(({ tenantId }) => tenantId === id)) {
        register.put(row.id, { ...row, tenantId: null });
      }
      return true;
    },
  };
}

/** Whether the tenant exists and was not removed. */
export function isPresent(session: MemorySession, id: string): boolean {
  return session.table(TENANTS).get(id)?.removedAt === null;
}

/** Deletes the rows of a tenant in the tables of all packages. */
export function deleteRowsOf(session: MemorySession, id: string): void {
  for (const definition of tablesOfTenants(session)) {
    session.table(definition).deleteWhere((row) => definition.tenantOf(row) === id);
  }
}

function tablesOfTenants(session: MemorySession): MemoryTableDefinition[] {
  return session
    .tables()
    .filter(({ name, tenantKey }) => tenantKey !== null && name !== TENANTS.name);
}
