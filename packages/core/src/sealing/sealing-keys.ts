/**
 * Ids of the keys that secrets in the database are sealed under (see `SecretBox.keyId`). A program
 * without one of them could not open some secrets, and one that seals under a different key would
 * store secrets that the other instances cannot open.
 */
export interface SealingKeys {
  /** The keys in use, first used first; excludes retired ones. */
  list(): Promise<string[]>;
  /**
   * Registers that secrets are sealed under the key from now on; no effect when already registered.
   */
  register(keyId: string, at: Date): Promise<void>;
  /**
   * From this commit on, no value sealed under the key is stored, not even by a transaction that is
   * already open: it either commits first or is rejected.
   */
  retire(keyId: string, at: Date): Promise<void>;
}
