import type { ReplacedValue, SealedValue } from '@probity/core/internal';
import type { PublicKey, SigningKey } from './types.ts';

/** Reads of signing keys. */
export interface SigningKeyReads {
  /** The key that signs; null before the first certificate. */
  findSigningKey(): Promise<SigningKey | null>;
  /** The key that signs, and former ones under which a certificate is valid at `now`; newest first. */
  listPublicKeys(now: Date): Promise<PublicKey[]>;
  /** See `SealedValues.list`. */
  listSealedSigningKeys(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Writes of signing keys. */
export interface SigningKeyWrites {
  /** Makes a key the one that signs. Returns false when there is one: of several callers one stores its key. */
  insertSigningKey(key: SigningKey): Promise<boolean>;
  /** Ends signing with a key and removes its private part; the public one stays. Returns false when it does not sign. */
  retireSigningKey(id: string, at: Date): Promise<boolean>;
  /** Stores the value if its row still holds `from`. */
  replaceSealedSigningKey(value: ReplacedValue): Promise<void>;
}
