import type { Storage } from '@probity/core';
import type { ThingReads, ThingWrites } from './things/storage.ts';

/** Reads of all resources; for a second resource, intersect its reads here. */
export type StorageReads = ThingReads;
/** Writes of all resources. */
export type StorageWrites = ThingWrites;

/** Storage of ~things~; deleting an organization deletes its ~things~. */
export type SampleStorage = Storage<StorageReads, StorageWrites>;
