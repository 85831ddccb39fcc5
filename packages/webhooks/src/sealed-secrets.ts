import type { SealedValues } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { secretPurpose } from './signing.ts';
import type { WebhookStorage } from './storage.ts';

/** The sealed secrets of webhooks, for key rotation. */
export function sealedWebhookSecrets(storage: WebhookStorage): SealedValues {
  return {
    name: 'webhook_secrets',
    purposeOf: secretPurpose,
    list: storage.listSealedSecrets,
    replace: (values) =>
      storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (const value of values) await tx.replaceSealedSecret(value);
      }),
  };
}
