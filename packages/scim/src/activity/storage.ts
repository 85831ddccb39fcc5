import type { Storage } from '@probity/core';
import type { ScimRequest } from './types.ts';

/** Read operations on the requests of identity providers. */
export interface ActivityReads {
  /** The organization's requests, newest first; of one time, those appended last come first. */
  listScimRequests(organizationId: string, limit: number): Promise<readonly ScimRequest[]>;
}

/** Write operations on the requests of identity providers. */
export interface ActivityWrites {
  /** Appends requests, oldest first, and deletes the organization's oldest ones beyond `keep`. */
  appendScimRequests(
    organizationId: string,
    requests: readonly ScimRequest[],
    keep: number,
  ): Promise<void>;
}

/** Storage of the latest requests of identity providers. */
export type ScimActivityStorage = Storage<ActivityReads, ActivityWrites>;
