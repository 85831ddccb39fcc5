import type { Page, PageOf } from '@probity/core';
import type { Thing, ThingChanges } from './types.ts';

/** Reads of ~things~. */
export interface ThingReads {
  /** Returns one page of the organization's ~things~, ordered by creation time, then id. */
  listThings(organizationId: string, page: Page): Promise<PageOf<Thing>>;
  /** Returns null when the organization has no ~thing~ with this id. */
  findThing(organizationId: string, id: string): Promise<Thing | null>;
}

/** Writes of ~things~; each runs inside a transaction. */
export interface ThingWrites {
  /** Stores a new ~thing~; the id must be unused. */
  insertThing(thing: Thing): Promise<void>;
  /** Returns the updated ~thing~, or null when the organization has no ~thing~ with this id. */
  updateThing(organizationId: string, id: string, changes: ThingChanges): Promise<Thing | null>;
  /** Returns false when the organization has no ~thing~ with this id. */
  deleteThing(organizationId: string, id: string): Promise<boolean>;
}
