import type { CallContext } from '@probity/core';
import { notFound } from '@probity/core';
import type { WebhookReads } from './storage.ts';
import type { Webhook } from './types.ts';

/**
 * Reads a webhook of the caller's organization.
 * @throws ProbityError `not_found` when the organization has no such webhook
 */
export async function requireWebhookOf(
  { principal }: CallContext,
  webhookId: string,
  reads: WebhookReads,
): Promise<Webhook> {
  const webhook = await reads.findWebhook(principal.organizationId, webhookId);
  if (!webhook) throw notFound('webhook');
  return webhook;
}
