import type { MemorySession } from '../storage/memory.ts';
import type { TenantReads, TenantWrites } from './storage.ts';

/** Name of the table of tenants. */
export const TENANTS = 'tenants';

/** Tables whose keys are tenants; the rows of every other table name theirs as `organizationId`. */
const KEYED_BY_TENANT: ReadonlySet<string> = new Set([
  'audit_heads',
  'audit_checkpoints',
  'organizations',
]);

interface TenantRow {
  readonly id: string;
}

/** Tenants in memory. */
export function createMemoryTenants(session: MemorySession): TenantReads & TenantWrites {
  const tenants = () => session.table<TenantRow>(TENANTS);
  return {
    async hasTenant(id) {
      return tenants().get(id) !== undefined;
    },
    async ensureTenant(id) {
      if (!tenants().get(id)) tenants().put(id, { id });
    },
    async deleteTenant(id) {
      if (!tenants().delete(id)) return false;
      for (const name of session.tableNames()) {
        const rows = session.table<{ organizationId?: string }>(name);
        if (KEYED_BY_TENANT.has(name)) rows.delete(id);
        else rows.deleteWhere((row) => row.organizationId === id);
      }
      return true;
    },
  };
}
