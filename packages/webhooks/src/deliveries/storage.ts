import type { Page, PageOf } from '@probity/core';
import type { Delivery, DeliveryFilter, Dispatch } from './types.ts';

/** A page of deliveries, limited by their number and by the size of their attempts. */
interface DeliveryPage extends Page {
  /** Largest size of all attempts of the page as JSON; default none. */
  readonly maxBytes?: number;
}

/** Read operations on deliveries. */
export interface DeliveryReads {
  /**
   * The webhook's deliveries that match the filter, newest first, ties by descending id. The page
   * ends before the delivery that would exceed `maxBytes`, and has at least one delivery.
   */
  listDeliveries(
    webhookId: string,
    filter: DeliveryFilter,
    page: DeliveryPage,
  ): Promise<PageOf<Delivery>>;
  /** The data for an attempt of this delivery; null when the delivery no longer exists. */
  findDispatch(deliveryId: string): Promise<Dispatch | null>;
}

/** Write operations on deliveries. */
export interface DeliveryWrites {
  /**
   * Stores deliveries and returns those stored: one whose webhook already has a delivery of the
   * same event is skipped.
   */
  insertDeliveries(deliveries: readonly Delivery[]): Promise<Delivery[]>;
  /**
   * Stores the state of a delivery after an attempt. A delivery that was held meanwhile records the
   * attempt and stays held, unless the attempt succeeded. Returns false, without a change, when the
   * delivery has ended or no longer exists.
   */
  recordAttempt(delivery: Delivery): Promise<boolean>;
  /** Sets the webhook's pending deliveries to `held` and returns their number. */
  holdDeliveries(webhookId: string): Promise<number>;
  /** Deletes up to `limit` deliveries of these events and returns their number. */
  deleteDeliveriesOf(eventIds: readonly string[], limit: number): Promise<number>;
}
