import type { Nugget } from '../nuggets/types.ts';

/** What the knowledge base says of a claim: `unknown` where it says neither. */
export type ClaimStatus = 'supported' | 'contradicted' | 'unknown';

/** A claim of a text; offsets are UTF-16 code units, half-open. */
export interface VerifiedClaim {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly status: ClaimStatus;
  /** How far the claim and the nugget nearest to it are about the same, 0 to 1. */
  readonly similarity: number;
  /**
   * Whether the claim is supported in the words of the nugget, or with ones that mean the same, and adds, changes and moves
   * nothing: what certificates ask for.
   */
  readonly isRepetition: boolean;
  /** The nugget that decided, or for an unknown claim the nearest ones. */
  readonly nuggets: ReadonlyArray<{ readonly nugget: Nugget; readonly similarity: number }>;
}

/**
 * What the knowledge base says of a text: `contradicted` when it contradicts a claim, `verified` when it supports every
 * claim and there is one, else `unverified`.
 */
export interface Verification {
  readonly verdict: 'verified' | 'contradicted' | 'unverified';
  readonly claims: readonly VerifiedClaim[];
}
