import type { Page, PageOf } from '@probity/core';
import type { Thing, ThingChanges } from './types.ts';

/** Reads of ~things~. */
export interface ThingReads {
  /** The ~things~ of the organization, oldest first, ties by id. */
  listThings(organizationId: string, page: Page): Promise<PageOf<Thing>>;
  /** Null when the organization has no ~thing~ of this id. */
  findThing(organizationId: string, id: string): Promise<Thing | null>;
}

/** Changes of ~things~. */
export interface ThingWrites {
  insertThing(thing: Thing): Promise<void>;
  /** The ~thing~ as it is afterwards; null when the organization has none of this id. */
  updateThing(organizationId: string, id: string, changes: ThingChanges): Promise<Thing | null>;
  /** False when the organization has no ~thing~ of this id. */
  deleteThing(organizationId: string, id: string): Promise<boolean>;
}
