import type { Page, PageOf } from '@probity/core';
import type { Webhook, WebhookChanges } from './types.ts';

/** Read operations on webhooks. */
export interface WebhookReads {
  /** The organization's webhooks, oldest first, ties by id. */
  listWebhooks(organizationId: string, page: Page): Promise<PageOf<Webhook>>;
  /** Null when the organization has no such webhook. */
  findWebhook(organizationId: string, id: string): Promise<Webhook | null>;
  /** Number of webhooks of the organization, active or not. */
  countWebhooks(organizationId: string): Promise<number>;
}

/** The webhooks with ids after `after`, of which '' is before every id. */
interface SubscriberPage {
  readonly after: string;
  readonly limit: number;
}

/** Webhooks that get an event. */
export interface FoundSubscribers {
  readonly webhooks: readonly Webhook[];
  /** The id after which there are more; null when there are none. */
  readonly next: string | null;
}

/** Write operations on webhooks. */
export interface WebhookWrites {
  insertWebhook(webhook: Webhook, sealedSecret: string): Promise<void>;
  /**
   * Returns the updated webhook; null when the organization has no such webhook. Turning an active
   * one off counts in `activation`.
   */
  updateWebhook(
    organizationId: string,
    id: string,
    changes: WebhookChanges,
  ): Promise<Webhook | null>;
  /** Removes a webhook that was deleted, once its deliveries are. */
  purgeWebhook(id: string): Promise<void>;
  /**
   * Turns an active webhook off and counts it in `activation`. Returns the webhook; null, without a
   * change, when it is missing, or not active in this activation.
   */
  disableWebhook(id: string, activation: number, at: Date, reason: string): Promise<Webhook | null>;
  /**
   * Marks an active webhook as one whose owners were warned. Returns the webhook; null, without a change, when it
   * is marked already since it was last turned on, or is not active in this activation.
   */
  markWarned(id: string, activation: number): Promise<Webhook | null>;
  /**
   * Marks a webhook as deleted: no read finds it or its deliveries from now on. Returns false when the
   * organization has no such webhook.
   */
  deleteWebhook(organizationId: string, id: string): Promise<boolean>;
  /**
   * Up to `limit` of the organization's active webhooks that list one of the types, by id. Until this transaction ends no
   * other transaction turns one of them off, changes or removes it, so that a transaction that does
   * so later sees the deliveries inserted for it.
   */
  lockSubscribers(
    organizationId: string,
    types: readonly string[],
    page: SubscriberPage,
  ): Promise<FoundSubscribers>;
}
