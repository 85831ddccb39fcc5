import type { Page, PageOf, ReplacedValue, SealedValue } from '@probity/core';
import type { Webhook, WebhookChanges } from './types.ts';

/** Reads of webhooks. */
export interface WebhookReads {
  /** The organization's webhooks, oldest first, ties by id. */
  listWebhooks(organizationId: string, page: Page): Promise<PageOf<Webhook>>;
  /** Null when the organization has no such webhook. */
  findWebhook(organizationId: string, id: string): Promise<Webhook | null>;
  /** How many webhooks the organization has, active or not. */
  countWebhooks(organizationId: string): Promise<number>;
  /** Up to `limit` secrets of any organization that another key seals, behind an id, by id. */
  listSealedSecrets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Changes of webhooks. */
export interface WebhookWrites {
  insertWebhook(webhook: Webhook, sealedSecret: string): Promise<void>;
  /** The webhook as it is afterwards; null when the organization has no such webhook. */
  updateWebhook(
    organizationId: string,
    id: string,
    changes: WebhookChanges,
  ): Promise<Webhook | null>;
  /** Turns an active webhook off. False, and no change, when it is off already or gone. */
  disableWebhook(id: string, at: Date, reason: string): Promise<boolean>;
  /**
   * Removes a webhook together with its deliveries. False when the organization has no such
   * webhook.
   */
  deleteWebhook(organizationId: string, id: string): Promise<boolean>;
  /**
   * The organization's active webhooks that list the type, by id. Until this transaction ends no
   * other transaction turns one of them off, changes or removes it, so that a transaction that does
   * so later sees the deliveries inserted for it.
   */
  lockSubscribers(organizationId: string, type: string): Promise<Webhook[]>;
  /** Stores the same secret sealed anew, unless the webhook has another by now. */
  replaceSealedSecret(value: ReplacedValue): Promise<void>;
}
