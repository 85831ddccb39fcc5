import { REGISTER } from '../audit/memory.ts';
import { FAILED_JOBS, JOBS } from '../jobs/memory.ts';
import type { MemorySession } from '../storage/memory.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import type { TenantReads, TenantWrites } from './storage.ts';

interface NewJobFacts {
  readonly tenantId: string | null;
}

interface TenantRow {
  readonly id: string;
}

/** The table of tenants. */
export const TENANTS = defineMemoryTable<TenantRow>('tenants', 'id');

/** Tenants in memory. */
export function createMemoryTenants(session: MemorySession): TenantReads & TenantWrites {
  const tenants = () => session.table(TENANTS);
  return {
    async hasTenant(id) {
      return tenants().get(id) !== undefined;
    },
    async listTenants(after, limit) {
      const ids = tenants()
        .filter(({ id }) => id > after)
        .map(({ id }) => id);
      return ids.sort().slice(0, limit);
    },
    async ensureTenant(id) {
      if (!tenants().get(id)) tenants().put(id, { id });
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
      for (const definition of session.tables()) {
        session.table(definition).deleteWhere((row) => definition.tenantOf(row) === id);
      }
      const register = session.table(REGISTER);
      for (const row of register.filter(({ tenantId }) => tenantId === id)) {
        register.put(row.id, { ...row, tenantId: null });
      }
      for (const jobs of [JOBS, FAILED_JOBS]) {
        session.table<NewJobFacts>(jobs).deleteWhere(({ tenantId }) => tenantId === id);
      }
      return true;
    },
  };
}
