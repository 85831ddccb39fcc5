/** A statement that an organization takes for true, with where it comes from (specification, "Knowledge base nugget"). */
export interface Nugget {
  readonly id: string;
  readonly organizationId: string;
  readonly claim: string;
  /** The http or https URL of what says so. */
  readonly sourceUrl: string;
  readonly category: string | null;
  /** How sure the organization is of it, 0 to 1; null where it has not said. */
  readonly confidence: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Its place among the changes of the organization's knowledge base; a later change has a larger one. */
  readonly sequence: number;
}

/** Input for a new nugget. */
export interface NewNugget {
  readonly claim: string;
  readonly sourceUrl: string;
  /** Default null. */
  readonly category?: string | null | undefined;
  /** 0 to 1, or `low` (0.3), `medium` (0.6), `high` (0.9); default null. */
  readonly confidence?: number | string | null | undefined;
  /** Default: now. */
  readonly createdAt?: Date | undefined;
}

/** The changes of an update; absent members stay as they are. */
export interface NuggetChanges {
  readonly claim?: string | undefined;
  readonly sourceUrl?: string | undefined;
  readonly category?: string | null | undefined;
  readonly confidence?: number | string | null | undefined;
}

/** Which nuggets a list has: those that match every member. */
export interface NuggetFilter {
  readonly category?: string | undefined;
  readonly sourceUrl?: string | undefined;
}

/** Changes of a knowledge base behind a place, in their order. */
export interface NuggetChangeSet {
  /** Nuggets that were stored or changed and are still there. */
  readonly nuggets: readonly Nugget[];
  /** Nuggets that were deleted. */
  readonly removed: readonly RemovedNugget[];
}

/** What stays of a deleted nugget. */
export interface RemovedNugget {
  readonly id: string;
  readonly sequence: number;
}

/** The extent of a knowledge base. */
export interface KnowledgeExtent {
  /** Place of the last change; 0 for none. */
  readonly sequence: number;
  /** Number of nuggets. */
  readonly nuggets: number;
}
