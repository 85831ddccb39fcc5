import type { EventStorage } from '@probity/core';
import type { GroupReads, GroupWrites } from './groups/storage.ts';
import type { UserReads, UserWrites } from './users/storage.ts';

/** Read operations of the storage. */
export type StorageReads = UserReads & GroupReads;
/** Write operations of the storage. */
export type StorageWrites = UserWrites & GroupWrites;

/**
 * Storage of users and groups. A host's own adapter implements it over its tables: every operation names the
 * organization, and none returns resources of another. `transaction` runs its work atomically; a transaction that
 * joins another (`scope.session`) commits with it.
 */
export type ScimStorage = EventStorage<StorageReads, StorageWrites>;
