/**
 * Where a delivery stands:
 * - `pending`: an attempt is due or under way;
 * - `delivered`: the endpoint answered 2xx;
 * - `failed`: no further attempt is made;
 * - `held`: the webhook was turned off before the delivery came to an end.
 */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const;

/** One of {@link DELIVERY_STATUSES}. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One request to an endpoint and what came of it (contract, section 5). */
export interface DeliveryAttempt {
  /** From 1, over all attempts of the delivery. */
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

/** One event on its way to one webhook. */
export interface Delivery {
  /** `dlv_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  /** Every attempt ever made, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Attempts that count towards the retry rule. */
  readonly attemptCount: number;
  /** The beginning of the first attempt that counts towards the retry rule. */
  readonly firstAttemptAt: Date | null;
  /** Null when no further attempt is planned. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

/** All that an attempt needs to know. */
export interface Dispatch {
  readonly delivery: Delivery;
  /** Where the webhook points now. */
  readonly url: string;
  /** The webhook's secret, sealed for the purpose that `secretPurpose` gives. */
  readonly sealedSecret: string;
}

/** What a list of deliveries is narrowed to; absent members narrow nothing. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
}
