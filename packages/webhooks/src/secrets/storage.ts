import type { ReplacedValue, SealedValue } from '@probity/core/internal';
import type { FormerSecret, WebhookSecrets } from './types.ts';

/** Read operations on the secrets of webhooks. */
export interface SecretReads {
  /** Null when there is no such webhook. */
  findSecrets(webhookId: string): Promise<WebhookSecrets | null>;
  /**
   * Up to `limit` secrets of all organizations sealed under another key, present and former ones, after
   * an id, by the id of the webhook or of the former secret.
   */
  listSealedSecrets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Write operations on the secrets of webhooks. */
export interface SecretWrites {
  /** Gives the webhook another present secret. */
  replaceSecret(webhookId: string, sealedSecret: string): Promise<void>;
  insertFormerSecret(secret: FormerSecret): Promise<void>;
  /** Former secrets of the webhook that expire later than `at` expire then. */
  shortenFormerSecrets(webhookId: string, at: Date): Promise<void>;
  /** Deletes up to `limit` former secrets that expired before `before`; returns their number. */
  deleteFormerSecrets(before: Date, limit: number): Promise<number>;
  /** Replaces the sealed form of a secret, unless the row holds another secret meanwhile. */
  replaceSealedSecret(value: ReplacedValue): Promise<void>;
}
