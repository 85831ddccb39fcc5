import type { Page, PageOf } from '@probity/core';
import type { KnowledgeExtent, Nugget, NuggetChangeSet, NuggetFilter } from './types.ts';

/** Reads of nuggets. */
export interface NuggetReads {
  /** The organization's nuggets that match the filter, oldest first, ties by id. */
  listNuggets(organizationId: string, filter: NuggetFilter, page: Page): Promise<PageOf<Nugget>>;
  /** Null when the organization has no such nugget. */
  findNugget(organizationId: string, id: string): Promise<Nugget | null>;
  /** Those of at most 1,000 nuggets that the organization has, in no particular order. */
  findNuggets(organizationId: string, ids: readonly string[]): Promise<Nugget[]>;
  /** Nuggets of at most 1,000 content keys (`contentKeyOf`), in no particular order. */
  findNuggetsByKeys(organizationId: string, keys: readonly string[]): Promise<Nugget[]>;
  /** How far the knowledge base reaches; zeros for none. */
  findKnowledgeExtent(organizationId: string): Promise<KnowledgeExtent>;
  /** Organizations that have, or have had, nuggets, by id behind `after`, at most `limit`. */
  listKnowledgeOrganizations(after: string | null, limit: number): Promise<string[]>;
  /** How many nuggets and deletions have a larger sequence than `after`. */
  countNuggetChanges(organizationId: string, after: number): Promise<number>;
  /**
   * Changes with a larger sequence than `after`: of nuggets and of deletions at most `limit` each, smallest
   * first. Where either is full, the caller goes on behind the smaller of the two last places.
   */
  readNuggetChanges(organizationId: string, after: number, limit: number): Promise<NuggetChangeSet>;
}

/**
 * Writes of nuggets, all under the tenant's lock: sequences are in the order of commits, so that a reader
 * who has seen one has seen all smaller ones.
 */
export interface NuggetWrites {
  /**
   * Takes `changes` sequences and adds `nuggets` to their number.
   * @returns the extent behind it: the taken sequences are the last `changes` ones
   */
  advanceKnowledge(
    organizationId: string,
    advance: { readonly changes: number; readonly nuggets: number },
  ): Promise<KnowledgeExtent>;
  /** Their content keys are new in the organization. */
  insertNuggets(nuggets: readonly Nugget[]): Promise<void>;
  /** Replaces nuggets, by their ids, which exist. */
  replaceNuggets(nuggets: readonly Nugget[]): Promise<void>;
  /** Keeps the id with the sequence of the deletion. Returns false when there is no such nugget. */
  deleteNugget(
    organizationId: string,
    id: string,
    removal: { readonly sequence: number; readonly at: Date },
  ): Promise<boolean>;
  /** Forgets deletions before a time, of all organizations; at most `limit`. Returns how many. */
  forgetRemovedNuggets(before: Date, limit: number): Promise<number>;
}
