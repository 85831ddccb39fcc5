import type { Storage } from '@probity/core';
import type { ThingReads, ThingWrites } from './things/storage.ts';

/** What the storage reads; with a second resource the intersection of both. */
export type StorageReads = ThingReads;
/** What the storage changes. */
export type StorageWrites = ThingWrites;

/** The storage of ~things~, which go with their organization. */
export type SampleStorage = Storage<StorageReads, StorageWrites>;
