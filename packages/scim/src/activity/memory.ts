import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { defineMemoryTable } from '@probity/core/internal';
import type { ActivityReads, ActivityWrites, ScimActivityStorage } from './storage.ts';
import type { ScimRequest } from './types.ts';

/** The requests of an organization, oldest first. */
interface StoredRequests {
  readonly organizationId: string;
  readonly requests: readonly ScimRequest[];
}

const REQUESTS = defineMemoryTable<StoredRequests>('scim_requests', 'organizationId');

/** The storage of the latest requests in memory. */
export function createMemoryScimActivityStorage(
  database: Database<MemorySession>,
): ScimActivityStorage {
  return bindStorage<MemorySession, ActivityReads, ActivityWrites>(database, (session) => {
    const requestsOf = (organizationId: string) =>
      session.table(REQUESTS).get(organizationId)?.requests ?? [];
    return {
      async listScimRequests(organizationId, limit) {
        return [...requestsOf(organizationId)].reverse().slice(0, limit);
      },
      async appendScimRequests(organizationId, added, keep) {
        const all = [...requestsOf(organizationId), ...added];
        all.sort((left, right) => left.at.getTime() - right.at.getTime());
        const requests = keep > 0 ? all.slice(-keep) : [];
        session.table(REQUESTS).put(organizationId, { organizationId, requests });
      },
    };
  });
}
