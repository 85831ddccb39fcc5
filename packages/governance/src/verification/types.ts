import type { CallContext } from '@probity/core';

/** What a knowledge base says of a claim: `unknown` where it says neither. */
export const CLAIM_STATUSES = ['supported', 'contradicted', 'unknown'] as const;
type ClaimStatus = (typeof CLAIM_STATUSES)[number];

/** What a knowledge base says of a text. */
export const VERDICTS = ['verified', 'contradicted', 'unverified'] as const;

/** A statement of a knowledge base, as a claim names it. */
export interface SupportingNugget {
  readonly id: string;
  readonly claim: string;
  readonly sourceUrl: string;
  /** Its version: another change of the nugget has a larger one. */
  readonly sequence: number;
}

/** A claim of a text; offsets are UTF-16 code units, half-open. */
export interface VerifiedClaim {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly status: ClaimStatus;
  /** How far claim and nearest nugget are about the same, 0 to 1. */
  readonly similarity: number;
  /** Whether the claim repeats the nugget in its words, or in ones that mean the same. */
  readonly isRepetition: boolean;
  /** The nugget that decided, or for an unknown claim the nearest ones. */
  readonly nuggets: ReadonlyArray<{
    readonly nugget: SupportingNugget;
    readonly similarity: number;
  }>;
}

/** What a knowledge base says of a text: `verified` when it supports every claim and there is one. */
export interface Verification {
  readonly verdict: (typeof VERDICTS)[number];
  readonly claims: readonly VerifiedClaim[];
}

/** What governance needs of a knowledge base; `@probity/knowledge` fits it. */
export interface KnowledgeBase {
  /**
   * Holds the claims of a text against the knowledge base of the caller's organization. Stores nothing.
   * @throws ProbityError `validation_failed` naming `content` for a text that it does not take
   */
  verify(context: CallContext, content: string, signal?: AbortSignal): Promise<Verification>;
  /** Versions of those of the nuggets that the organization has, by id. */
  versions(context: CallContext, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
