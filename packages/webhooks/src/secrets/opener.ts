import type { SecretBox } from '@probity/core';
import { LRUCache } from 'lru-cache';
import { secretPurpose } from './secrets.ts';

/**
 * Opens a sealed secret.
 * @param id of the row that holds it: of the webhook, or of the former secret
 * @throws Error when its key is unknown, or it belongs to another row
 */
export type OpenSecret = (sealed: string, id: string) => string;

/** Opened secrets in memory, each of a webhook that sends at this time. */
const KEPT_SECRETS = 1_000;
const KEPT_MS = 10_000;

/** Opens secrets of webhooks, which takes longer than signing: those of a burst of deliveries once. */
export function createSecretOpener(secretBox: SecretBox): OpenSecret {
  const opened = new LRUCache<string, string>({ max: KEPT_SECRETS, ttl: KEPT_MS });
  return (sealed, id) => {
    // By the sealed text: a secret that was rotated, or moved to another row, is another one.
    const key = `${id} ${sealed}`;
    const secret = opened.get(key) ?? secretBox.open(sealed, secretPurpose(id));
    opened.set(key, secret);
    return secret;
  };
}
