import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { CallContext } from '../context.ts';
import { validationError } from '../errors.ts';
import type { Database, DatabaseSession } from '../storage/database.ts';
import { JOBS_PER_BATCH } from './storage.ts';

/**
 * The tenants that own all stored data. A host with its own organizations registers each of them
 * here once; in the service of `@probity/platform` every organization is a tenant.
 */
export interface Tenants {
  /**
   * Stores the tenant unless it exists. Safe to call before every request: known tenants are cached
   * for 5 seconds and cost no query. A tenant removed by another process is therefore taken to exist
   * for up to 5 seconds here.
   *
   * @param id the host's own identifier, 1 to 200 visible characters
   * @param scope a call with a unit of work, in whose transaction the tenant is stored
   * @throws ProbityError `validation_failed` for any other text
   */
  ensure(id: string, scope?: Pick<CallContext, 'unit'>): Promise<void>;
  /**
   * Deletes the tenant with all its data, in every package. Later calls of `ensure` on this object
   * store it again; those of other processes within 5 seconds.
   * @returns false when there is no such tenant
   */
  remove(id: string): Promise<boolean>;
}

/** Maximum length of a tenant's id. */
const MAX_TENANT_ID_LENGTH = 200;

const REMEMBERED_TENANTS = 10_000;
const REMEMBERED_MS = 5_000;
const TENANT_ID = /^[^\s\p{C}]{1,200}$/u;

/** Creates the tenants of a database. */
export function createTenants<S extends DatabaseSession>(
  database: Database<S>,
  clock: Clock = systemClock,
): Tenants {
  const known = new LRUCache<string, number>({ max: REMEMBERED_TENANTS });
  let removals = 0;
  const forget = (id: string) => {
    removals += 1;
    known.delete(id);
  };
  return {
    async ensure(id, { unit } = {}) {
      const seenAtMs = known.get(id);
      if (seenAtMs !== undefined && clock.monotonicMs() - seenAtMs < REMEMBERED_MS) return;
      requireTenantId(id);
      if (unit) {
        // Not remembered: the transaction may roll back.
        const session = (await unit.open()) as S;
        return database.kernel(session).ensureTenant(id);
      }
      const removalsBefore = removals;
      if (!(await database.kernel(database.reader).hasTenant(id))) {
        await database.transaction((session) => database.kernel(session).ensureTenant(id));
      }
      // A removal since may have deleted what was read or stored above.
      if (removals === removalsBefore) known.set(id, clock.monotonicMs());
    },
    async remove(id) {
      forget(id);
      return database
        .transaction((session) => database.kernel(session).deleteTenant(id))
        .finally(() => forget(id))
        .then(async (removed) => {
          await removeTenantJobs(database, id);
          return removed;
        });
    },
  };
}

/** Removes the jobs of a tenant that was deleted, in short transactions. */
export async function removeTenantJobs(database: Database, id: string): Promise<void> {
  const remove = () =>
    database.transaction((session) =>
      database.kernel(session).deleteTenantJobs(id, JOBS_PER_BATCH),
    );
  while ((await remove()) > 0) await nextTurn();
}

function requireTenantId(id: unknown): void {
  if (typeof id === 'string' && TENANT_ID.test(id)) return;
  throw validationError({
    field: 'organizationId',
    message: `must be 1 to ${MAX_TENANT_ID_LENGTH} visible characters without spaces`,
  });
}
