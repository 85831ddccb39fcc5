/** A request that was made with an Idempotency-Key, and its answer. */
export interface IdempotencyRecord {
  /** Hash of the credential, the route and the key. */
  readonly scope: string;
  /** Hash of the request's body. */
  readonly fingerprint: string;
  /** The answer, sealed so that only the caller's token opens it. */
  readonly sealedReply: string;
  readonly createdAt: Date;
}

/** What {@link IdempotencyWrites.claimIdempotencyKey} found. */
export type IdempotencyClaim =
  /** The scope is the transaction's own until it ends. */
  | { readonly kind: 'claimed' }
  /** Another transaction has claimed it and not ended. */
  | { readonly kind: 'busy' }
  /** It was answered. */
  | { readonly kind: 'answered'; readonly record: IdempotencyRecord };

/** Reads of idempotency records. */
export interface IdempotencyReads {
  /** The record of the scope made after `notBefore`, or null. */
  findIdempotencyRecord(scope: string, notBefore: Date): Promise<IdempotencyRecord | null>;
}

/** Changes of idempotency records. */
export interface IdempotencyWrites {
  /**
   * Claims the scope, unless it was answered after `notBefore`. Of several transactions that claim
   * at once one gets it; an adapter may make the others wait instead of telling them `busy`.
   */
  claimIdempotencyKey(scope: string, notBefore: Date): Promise<IdempotencyClaim>;
  /** Stores the answer of a scope that this transaction has claimed. */
  storeIdempotencyRecord(record: IdempotencyRecord): Promise<void>;
  /** Deletes up to `limit` records made before `before`; answers how many. */
  deleteIdempotencyRecords(before: Date, limit: number): Promise<number>;
}
