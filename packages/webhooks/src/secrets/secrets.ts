import type { Random, SealedValues } from '@probity/core';
import { createSealedValues } from '@probity/core/internal';
import type { WebhookStorage } from '../storage.ts';

/** The prefix of every secret; base64 of the key's bytes follows. */
export const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64 (contract, section 5). */
export function mintWebhookSecret(random: Random): string {
  return SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');
}

/**
 * The purpose for which a secret is sealed.
 * @param id of the row that holds it: of the webhook, or of the former secret
 */
export function secretPurpose(id: string): string {
  return `webhook:${id}`;
}

/** The sealed secrets of webhooks, former ones included, for key rotation. */
export function sealedWebhookSecrets(storage: WebhookStorage): SealedValues {
  return createSealedValues(storage, {
    name: 'webhook_secrets',
    purposeOf: secretPurpose,
    list: storage.listSealedSecrets,
    replaceOne: (tx, value) => tx.replaceSealedSecret(value),
  });
}
