/** A value as it is stored: sealed by a `SecretBox`. */
export interface SealedValue {
  /** Of the row that holds it. */
  readonly id: string;
  readonly sealed: string;
}

/** Every sealed value of one kind, as the package that stores it gives it to key rotation. */
export interface SealedValues {
  /** Of the kind, in reports: `webhook_secrets`. */
  readonly name: string;
  /** What the value of a row is sealed for, see `SecretBox.seal`. */
  purposeOf(id: string): string;
  /** Up to `limit` values behind the row `after` that are sealed under another key, by id. */
  list(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
  /**
   * Stores the values in one transaction, each only where its row still holds `from`: a value that
   * was changed or removed meanwhile stays as it is.
   */
  replace(values: readonly ReplacedValue[]): Promise<void>;
}

/** A value sealed anew. */
export interface ReplacedValue {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}
