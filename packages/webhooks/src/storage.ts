import type { EventType, Page, PageOf, ReplacedValue, SealedValue, Storage } from '@probity/core';
import type { Delivery, DeliveryStatus, Dispatch, Webhook } from './types.ts';

/** What a list of deliveries is narrowed to; absent members narrow nothing. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: EventType | undefined;
}

/** What an update of a webhook changes; absent members stay as they are. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly EventType[] | undefined;
  /** True also clears `disabledAt` and `disabledReason`. */
  readonly active?: boolean | undefined;
}

/** Reads of webhooks and deliveries. */
export interface WebhookReads {
  /** The organization's webhooks, oldest first, ties by id. */
  listWebhooks(organizationId: string, page: Page): Promise<PageOf<Webhook>>;
  /** Null when the organization has no such webhook. */
  findWebhook(organizationId: string, id: string): Promise<Webhook | null>;
  /** How many webhooks the organization has, active or not. */
  countWebhooks(organizationId: string): Promise<number>;
  /** The webhook's deliveries that pass the filter, newest first, ties by id downwards. */
  listDeliveries(webhookId: string, filter: DeliveryFilter, page: Page): Promise<PageOf<Delivery>>;
  /** What an attempt of this delivery needs; null when the delivery is gone. */
  findDispatch(deliveryId: string): Promise<Dispatch | null>;
  /** Up to `limit` secrets of any organization that another key seals, behind an id, by id. */
  listSealedSecrets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Changes of webhooks and deliveries. */
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
   * The organization's active webhooks that list the type, by id. Until this transaction ends none
   * of them is turned off, changed or removed by another, so what is inserted for them is seen by
   * whoever turns one off.
   */
  lockSubscribers(organizationId: string, type: EventType): Promise<Webhook[]>;
  /**
   * Stores deliveries and answers those stored: one whose webhook has a delivery of the same event
   * already is passed over.
   */
  insertDeliveries(deliveries: readonly Delivery[]): Promise<Delivery[]>;
  /**
   * Stores the state of a delivery after an attempt. A delivery that was held meanwhile keeps the
   * attempt and stays held, unless the attempt succeeded. False, and no change, when the delivery
   * has ended or is gone.
   */
  recordAttempt(delivery: Delivery): Promise<boolean>;
  /** Makes the webhook's pending deliveries `held` and answers how many. */
  holdDeliveries(webhookId: string): Promise<number>;
  /** Stores the same secret sealed anew, unless the webhook has another by now. */
  replaceSealedSecret(value: ReplacedValue): Promise<void>;
}

/**
 * Storage of webhooks and deliveries. A webhook goes with its organization, a delivery with its
 * webhook and with its event.
 */
export type WebhookStorage = Storage<WebhookReads, WebhookWrites>;
