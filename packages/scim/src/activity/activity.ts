import type { Runtime, Service } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createRepeating } from '@probity/core/internal';
import type { ScimActivityStorage } from './storage.ts';
import type { ScimRequest } from './types.ts';

/** Number of requests that are kept of an organization. */
export const MAX_SCIM_REQUESTS = 100;

/** Longest text of a path or a detail that is kept, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 500;

/** Milliseconds between writes. */
const FLUSH_MS = 1_000;

/** Records the requests of identity providers, so that administrators see what a provider does. */
export interface ScimActivity extends Service {
  /** Records a request, without a write: requests are stored every second. */
  record(organizationId: string, request: ScimRequest): void;
  /** The organization's last 100 requests, newest first; those of other instances after a second at most. */
  list(organizationId: string): Promise<readonly ScimRequest[]>;
}

/** Options of {@link createScimActivity}. */
export interface ScimActivityOptions {
  readonly storage: ScimActivityStorage;
}

/**
 * Creates the record of requests. It is stored while started, and the rest when it stops; a crash loses what was
 * recorded in the last second: changes are in the audit log.
 */
export function createScimActivity(
  { clock, logger }: Pick<Runtime, 'clock' | 'logger'>,
  { storage }: ScimActivityOptions,
): ScimActivity {
  let pending = new Map<string, ScimRequest[]>();
  let writing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  async function write(): Promise<void> {
    if (pending.size === 0) return;
    const recorded = pending;
    pending = new Map();
    try {
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        // In one order, so that no instances wait for each other.
        for (const organizationId of [...recorded.keys()].sort()) {
          if (!(await tx.hasTenant(organizationId))) continue;
          const requests = (recorded.get(organizationId) ?? []).map(toKept);
          await tx.appendScimRequests(organizationId, requests, MAX_SCIM_REQUESTS);
        }
      });
    } catch (error) {
      logger.error('the latest SCIM requests were not stored', {
        error,
        organizations: recorded.size,
      });
    }
  }

  const repeating = createRepeating({ clock, intervalMs: FLUSH_MS, work: flush });
  return {
    record(organizationId, request) {
      const requests = pending.get(organizationId);
      if (!requests) {
        pending.set(organizationId, [request]);
        return;
      }
      requests.push(request);
      if (requests.length > MAX_SCIM_REQUESTS) requests.shift();
    },
    async list(organizationId) {
      await flush();
      return storage.listScimRequests(organizationId, MAX_SCIM_REQUESTS);
    },
    start: () => repeating.start(),
    async stop() {
      await repeating.stop();
      await flush();
    },
  };
}

function toKept({ path, detail, ...request }: ScimRequest): ScimRequest {
  return { ...request, path: cut(path), detail: detail === null ? null : cut(detail) };
}

/** Without half of a surrogate pair and U+0000, which PostgreSQL does not store. */
function cut(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\0', '\ufffd');
}
