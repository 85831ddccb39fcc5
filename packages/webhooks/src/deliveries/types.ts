import type { WebhookSecrets } from '../secrets/types.ts';
import type { WebhookFormat } from '../webhooks/types.ts';

/**
 * Status of a delivery:
 * - `pending`: an attempt is due or under way;
 * - `delivered`: the endpoint answered 2xx;
 * - `failed`: no further attempt is made;
 * - `held`: the webhook was turned off before the delivery ended. A stored delivery may still be
 *   `pending` then; it is read as held, and set to it in the background.
 */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const;

/** One of {@link DELIVERY_STATUSES}. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One request to an endpoint and its result (contract, section 5). */
export interface DeliveryAttempt {
  /** Counts all attempts of the delivery, from 1. */
  readonly number: number;
  /** When the request began. */
  readonly at: Date;
  readonly durationMs: number;
  /** Null when there was no complete response. */
  readonly responseStatus: number | null;
  /** The first 4 KB of the body as well-formed text; null when there was no complete response. */
  readonly responseBody: string | null;
  /** Why there was no response, such as `timeout: …`; null when there was one. */
  readonly error: string | null;
}

/** The delivery of one event to one webhook. */
export interface Delivery {
  /** `dlv_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly webhookId: string;
  /** The webhook's `activation` when the delivery was made. */
  readonly activation: number;
  readonly eventId: string;
  readonly eventType: string;
  /** The replay that made it pending last; null when it was none. */
  readonly replayId: string | null;
  /** Whether the event is a test: its failures do not disable the webhook. */
  readonly isTest: boolean;
  readonly status: DeliveryStatus;
  /** The latest 36 attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Attempts that count toward the retry rule. */
  readonly attemptCount: number;
  /** Start of the first attempt that counts toward the retry rule. */
  readonly firstAttemptAt: Date | null;
  /** Null when no further attempt is planned. */
  readonly nextAttemptAt: Date | null;
  /** When it became pending last: at its creation, or when it was sent again. */
  readonly pendingSince: Date;
  readonly createdAt: Date;
}

/** The request of an attempt; its body follows from the event and the format. */
export interface DeliveryRequest {
  readonly url: string;
  /** Without those that belong to the connection, such as `host` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly format: WebhookFormat;
}

/** A delivery with the request of its last attempt. */
export interface DeliveryRecord {
  readonly delivery: Delivery;
  /** Null before the first attempt. */
  readonly lastRequest: DeliveryRequest | null;
}

/** The data for an attempt. */
export interface Dispatch {
  readonly delivery: Delivery;
  /** The current URL of the webhook. */
  readonly url: string;
  /** The current format of the webhook. */
  readonly format: WebhookFormat;
  readonly secrets: WebhookSecrets;
}

/** Filter of a list of deliveries; absent members match every delivery. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
}
