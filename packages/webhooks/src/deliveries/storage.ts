import type { Page, PageOf } from '@probity/core';
import type { Delivery, DeliveryFilter, Dispatch } from './types.ts';

/** Reads of deliveries. */
export interface DeliveryReads {
  /** The webhook's deliveries that pass the filter, newest first, ties by id downwards. */
  listDeliveries(webhookId: string, filter: DeliveryFilter, page: Page): Promise<PageOf<Delivery>>;
  /** What an attempt of this delivery needs; null when the delivery is gone. */
  findDispatch(deliveryId: string): Promise<Dispatch | null>;
}

/** Changes of deliveries. */
export interface DeliveryWrites {
  /**
   * Stores deliveries and answers those stored: one whose webhook has a delivery of the same event
   * already is left out.
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
}
