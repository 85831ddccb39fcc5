import type { AuditLog } from '../audit/audit-log.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { Random } from '../random.ts';
import { systemRandom } from '../random.ts';
import type { Database } from '../storage.ts';
import type { ApiKeys } from './api-keys.ts';
import { createApiKeys } from './api-keys.ts';
import type { Organizations } from './organizations.ts';
import { createOrganizations } from './organizations.ts';
import type { PlatformStorage } from './storage.ts';

/** The services of the platform interface. */
export interface Platform {
  readonly organizations: Organizations;
  readonly apiKeys: ApiKeys;
  readonly auditLog: AuditLog;
}

/** What the platform needs. */
export interface PlatformDependencies {
  readonly storage: PlatformStorage;
  /** The database that `storage` is bound to. */
  readonly database: Database;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly random?: Random;
}

/** Creates the services of the platform interface. */
export function createPlatform({
  storage,
  database,
  clock = systemClock,
  random = systemRandom,
  ids = createIds(clock, random),
}: PlatformDependencies): Platform {
  return {
    organizations: createOrganizations(storage),
    apiKeys: createApiKeys({ storage, ids, clock, random }),
    auditLog: createAuditLog(database),
  };
}
