/** A request with an Idempotency-Key, and its response. */
export interface IdempotencyRecord {
  /** Hash of the organization, the credential, the route and the key. */
  readonly scope: string;
  /** Hash of the request's body. */
  readonly fingerprint: string;
  /** The response, sealed so that only the caller's token opens it. */
  readonly sealedReply: string;
  /** The tenant with which the record is deleted; null when it was deleted meanwhile. */
  readonly organizationId: string | null;
  readonly createdAt: Date;
}

/** Result of {@link IdempotencyWrites.claimIdempotencyKey}. */
export type IdempotencyClaim =
  /** The transaction holds the scope until it ends. */
  | { readonly kind: 'claimed' }
  /** Another open transaction has claimed the scope. */
  | { readonly kind: 'busy' }
  /** The scope has a stored response. */
  | { readonly kind: 'answered'; readonly record: IdempotencyRecord };

/** Reads of idempotency records. */
export interface IdempotencyReads {
  /** The record of the scope if made after `notBefore`, else null. */
  findIdempotencyRecord(scope: string, notBefore: Date): Promise<IdempotencyRecord | null>;
}

/** Writes of idempotency records. */
export interface IdempotencyWrites {
  /**
   * Claims the scope, unless it was answered after `notBefore`. Of several transactions that claim
   * it concurrently, one succeeds; an adapter may block the others instead of returning `busy`.
   */
  claimIdempotencyKey(scope: string, notBefore: Date): Promise<IdempotencyClaim>;
  /** Stores the response of a scope that this transaction has claimed. */
  storeIdempotencyRecord(record: IdempotencyRecord): Promise<void>;
  /** Deletes up to `limit` records made before `before`; returns their number. */
  deleteIdempotencyRecords(before: Date, limit: number): Promise<number>;
}
