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
   * Registers the first of the keys that a program starts with, like `register`, unless a key in use is
   * not among them. Both at once: otherwise a rotation that ends in between would be undone.
   *
   * @param keyIds at least one
   * @returns the missing keys; when there are any, nothing was changed
   */
  registerComplete(keyIds: readonly string[], at: Date): Promise<string[]>;
  /**
   * From this commit on, no value sealed under the key is stored, not even by a transaction that is
   * already open: it either commits first or is rejected.
   */
  retire(keyId: string, at: Date): Promise<void>;
}
