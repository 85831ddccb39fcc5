import type { CallContext, Runtime } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { requireSecretBox, validate } from '@probity/core/internal';
import type { WebhookStorage } from '../storage.ts';
import type { Webhook } from '../webhooks/types.ts';
import { DEFAULT_OVERLAP_SECONDS, rotationInput } from './input.ts';
import { mintWebhookSecret, secretPurpose } from './secrets.ts';

/** A webhook with its new secret, which is returned by this call only. */
export interface RotatedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
  /** When the last former secret stops signing; null when none signs. */
  readonly overlapEndsAt: Date | null;
}

/** Gives a webhook a new secret; see `Webhooks.rotateSecret`. */
export type RotateSecret = (
  context: CallContext,
  id: string,
  overlapSeconds?: number,
) => Promise<RotatedWebhook>;

/** The largest number of secrets that sign at once. */
export const MAX_SECRETS = 10;

/** Creates the function that rotates secrets. */
export function createRotateSecret(runtime: Runtime, storage: WebhookStorage): RotateSecret {
  const { audit, ids, clock, random } = runtime;
  const secretBox = requireSecretBox(runtime, 'webhooks');
  return async (context, id, seconds) => {
    const { organizationId } = context.principal;
    const given = validate(rotationInput, { overlapSeconds: seconds });
    const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = given;
    return storage.withTenantLock(context, organizationId, async (tx) => {
      const webhook = await tx.findWebhook(organizationId, id);
      const present = webhook && (await tx.findSecrets(id));
      if (!present) throw notFound('webhook');
      const now = clock.now();
      const endsAt = new Date(now.getTime() + overlapSeconds * 1_000);
      await tx.shortenFormerSecrets(id, endsAt);
      if (overlapSeconds > 0) {
        requireRoom(present.former.filter(({ expiresAt }) => expiresAt > now).length);
        const former = secretBox.open(present.sealedSecret, secretPurpose(id));
        const formerId = ids.next('whs');
        await tx.insertFormerSecret({
          id: formerId,
          webhookId: id,
          sealedSecret: secretBox.seal(former, secretPurpose(formerId)),
          expiresAt: endsAt,
        });
      }
      const secret = mintWebhookSecret(random);
      await tx.replaceSecret(id, secretBox.seal(secret, secretPurpose(id)));
      const overlapEndsAt = overlapSeconds > 0 ? endsAt : null;
      const after = { secret, overlapEndsAt };
      const target = { type: 'webhook', id };
      await audit.record(tx, context, 'webhook.secret_rotated', target, { after });
      return { webhook, secret, overlapEndsAt };
    });
  };
}

/** @param former number of former secrets that sign, to which the present one is to be added */
function requireRoom(former: number): void {
  if (former + 1 < MAX_SECRETS) return;
  throw new ProbityError(
    'conflict',
    `${MAX_SECRETS} secrets of the webhook sign already; wait until one expires, or rotate with overlap_seconds 0.`,
  );
}
