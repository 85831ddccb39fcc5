/** A correction of a claim that was published. */
export interface Correction {
  readonly id: string;
  readonly organizationId: string;
  /** The nugget that states the correction; it may have been changed or deleted since. */
  readonly nuggetId: string;
  /** The statement that was wrong. */
  readonly claim: string;
  /** What is taken for true in its place. */
  readonly correction: string;
  /** The http or https URL of what says so. */
  readonly sourceUrl: string;
  readonly createdAt: Date;
}

/** Input for a new correction. */
export interface NewCorrection {
  /** The nugget that stated the claim; default: that of the claim and the source, if there is one. */
  readonly nuggetId?: string | undefined;
  readonly claim: string;
  readonly correction: string;
  readonly sourceUrl: string;
}

/** Which corrections a list has: those that match every member. */
export interface CorrectionFilter {
  readonly nuggetId?: string | undefined;
}
