import type { FoundSubscribers } from './storage.ts';
import type { Webhook } from './types.ts';

/** The first `limit` of the webhooks found, of which one more at least is given when there are more. */
export function toSubscriberPage(found: readonly Webhook[], limit: number): FoundSubscribers {
  const webhooks = found.slice(0, limit);
  return { webhooks, next: found.length > limit ? (webhooks.at(-1)?.id ?? null) : null };
}
