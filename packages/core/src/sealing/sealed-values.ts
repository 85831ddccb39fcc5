import type { Transactions } from '../storage/database.ts';
import { OUTSIDE_REQUEST } from '../storage/database.ts';

/** A stored value that a `SecretBox` sealed. */
export interface SealedValue {
  /** Id of the row that holds it. */
  readonly id: string;
  readonly sealed: string;
}

/** All sealed values of one kind, as a package exposes them to key rotation. */
export interface SealedValues {
  /** Name of the kind in reports: `webhook_secrets`. */
  readonly name: string;
  /** The purpose that the value of a row is sealed for, see `SecretBox.seal`. */
  purposeOf(id: string): string;
  /** Up to `limit` values after the row `after` that are sealed under another key, by id. */
  list(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
  /**
   * Stores the values in one transaction, each only if its row still holds `from`: a value that was
   * changed or removed meanwhile is left unchanged.
   */
  replace(values: readonly ReplacedValue[]): Promise<void>;
}

/** How the sealed values of one kind are stored. */
export interface SealedKind<Tx> extends Omit<SealedValues, 'replace'> {
  /** Stores the value if its row still holds `from`. */
  replaceOne(tx: Tx, value: ReplacedValue): Promise<void>;
}

/** The sealed values of one kind in a storage. */
export function createSealedValues<Tx>(
  storage: Transactions<Tx>,
  { replaceOne, ...kind }: SealedKind<Tx>,
): SealedValues {
  return {
    ...kind,
    replace: (values) =>
      storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (const value of values) await replaceOne(tx, value);
      }),
  };
}

/** A resealed value. */
export interface ReplacedValue {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}
