import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { CallContext } from '../context.ts';
import { validationError } from '../errors.ts';
import type { Database, DatabaseSession } from '../storage/database.ts';
import { removeTenant } from './removal.ts';

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
   * @throws ProbityError `validation_failed` for any other text; `unavailable` while the data of a removed
   *   tenant with this id is deleted
   */
  ensure(id: string, scope?: Pick<CallContext, 'unit'>): Promise<void>;
  /**
   * Removes the tenant: none of its callers is served any more and none of its events delivered. A
   * program that is started deletes its data, in every package, in the background. Until that has ended,
   * `ensure` refuses the id; afterwards it stores the tenant again. Other processes take it to exist for up
   * to 5 seconds; what they store for it is deleted too.
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
        .transaction((session) => removeTenant(database.kernel(session), id, clock.now()))
        .finally(() => forget(id));
    },
  };
}

function requireTenantId(id: unknown): void {
  if (typeof id === 'string' && TENANT_ID.test(id)) return;
  throw validationError({
    field: 'organizationId',
    message: `must be 1 to ${MAX_TENANT_ID_LENGTH} visible characters without spaces`,
  });
}
