/**
 * The keys that secrets in the database are sealed under, by their ids (see `SecretBox.keyId`). A
 * program that starts without one of them could not open some, and one that seals under a key of
 * its own would store secrets that the rest of its instances cannot open.
 */
export interface SealingKeys {
  /** The keys in use, the first used first; without those retired. */
  list(): Promise<string[]>;
  /** Notes that secrets are sealed under the key from now on; does nothing when that is known. */
  register(keyId: string, at: Date): Promise<void>;
  /**
   * From this commit on nothing sealed under the key is stored any more, not even by a transaction
   * that is open already: it either commits first or is refused.
   */
  retire(keyId: string, at: Date): Promise<void>;
}
