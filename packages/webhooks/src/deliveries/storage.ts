import type { Page, PageOf } from '@probity/core';
import type {
  Delivery,
  DeliveryFilter,
  DeliveryRecord,
  DeliveryRequest,
  Dispatch,
} from './types.ts';

/** A page of deliveries, limited by their number and by the size of their attempts. */
interface DeliveryPage extends Page {
  /** Largest size of all attempts of the page as JSON; default none. */
  readonly maxBytes?: number;
}

/** Deliveries of a webhook that was turned off or deleted. */
export interface WithdrawnDeliveries {
  /** Whether the webhook was deleted. */
  readonly isDeleted: boolean;
  readonly deliveryIds: readonly string[];
}

/** Read operations on deliveries. */
export interface DeliveryReads {
  /**
   * The webhook's deliveries that match the filter, newest first, ties by descending id. Pending ones
   * of an earlier activation of the webhook are read, found and counted as held. The page ends before the delivery that would exceed `maxBytes`, and has at least one delivery.
   */
  listDeliveries(
    webhookId: string,
    filter: DeliveryFilter,
    page: DeliveryPage,
  ): Promise<PageOf<Delivery>>;
  /** Null when the webhook has no such delivery, or is deleted. It is read as held in the same cases. */
  findDelivery(webhookId: string, deliveryId: string): Promise<DeliveryRecord | null>;
  /**
   * The data for attempts of these deliveries, in any order, which are read as held in the same cases; without
   * those that no longer exist, or whose webhook no longer does.
   */
  findDispatches(deliveryIds: readonly string[]): Promise<Dispatch[]>;
}

/** The state of a delivery after an attempt. */
export interface AttemptRecord {
  readonly delivery: Delivery;
  /** What the attempt sent; null keeps that of the attempt before. */
  readonly request: DeliveryRequest | null;
}

/** Write operations on deliveries. */
export interface DeliveryWrites {
  /**
   * Stores deliveries and returns those stored: one whose webhook already has a delivery of the
   * same event is skipped.
   */
  insertDeliveries(deliveries: readonly Delivery[]): Promise<Delivery[]>;
  /**
   * Stores the states of different deliveries after an attempt of each. A delivery that was held meanwhile records the
   * attempt and stays held, unless the attempt was the last or succeeded. One that has ended or no longer exists
   * stays as it is. Returns the ids of those stored.
   */
  recordAttempts(records: readonly AttemptRecord[]): Promise<string[]>;
  /** Sets a delivery that is stored as pending to `failed`, without a further attempt. */
  failDelivery(deliveryId: string): Promise<void>;
  /**
   * Makes a delivery pending that is not, under the webhook's present activation, due at `at` and with no
   * attempt that counts toward the retry rule. Returns it, or null, without a change, when it is read as pending or
   * no longer exists.
   * @param replayId the replay that sends it
   */
  restartDelivery(deliveryId: string, at: Date, replayId: string | null): Promise<Delivery | null>;
  /**
   * Up to `limit` deliveries that are to be held, or to be deleted as the webhook was: pending ones of
   * an earlier activation, or all of a deleted webhook.
   */
  findWithdrawn(webhookId: string, limit: number): Promise<WithdrawnDeliveries>;
  /**
   * Sets those that are stored as pending to `held`, except ones that a concurrent transaction is
   * changing: mostly it stores the result of an attempt, and {@link findWithdrawn} finds them again.
   */
  holdDeliveries(ids: readonly string[]): Promise<void>;
  /** Deletes them, with the same exception. */
  deleteDeliveries(ids: readonly string[]): Promise<void>;
  /** Deletes up to `limit` deliveries of these events and returns their number. */
  deleteDeliveriesOf(eventIds: readonly string[], limit: number): Promise<number>;
}
