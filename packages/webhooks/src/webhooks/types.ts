/**
 * The format of the body of a delivery: `standard` is the envelope of the event, `slack` a message for Slack, and for chats
 * that accept messages of Slack.
 */
export const WEBHOOK_FORMATS = ['standard', 'slack'] as const;

/** One of {@link WEBHOOK_FORMATS}. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** A customer's endpoint and the events it wants (specification, "Webhook"). */
export interface Webhook {
  /** `whk_…` */
  readonly id: string;
  readonly organizationId: string;
  /** As the customer sent it. */
  readonly url: string;
  /** Event types of the catalog, without repetitions, in the order given. */
  readonly events: readonly string[];
  readonly format: WebhookFormat;
  /** Whether events are delivered. */
  readonly active: boolean;
  /** Number of times it was turned off. Pending deliveries made before the last time are held. */
  readonly activation: number;
  /** The most deliveries that begin within any second, 1 to 1,000; null for no limit. */
  readonly rateLimit: number | null;
  /** Whether its deliveries are sent one at a time in the order of their events. */
  readonly ordered: boolean;
  readonly createdAt: Date;
  /** When failing deliveries turned it off; null otherwise, also if a person turned it off. */
  readonly disabledAt: Date | null;
  /** Human-readable reason; set together with `disabledAt`. */
  readonly disabledReason: string | null;
}

/** Input for a new webhook. */
export interface NewWebhook {
  readonly url: string;
  readonly events: readonly string[];
  /** Default `standard`. */
  readonly format?: WebhookFormat | undefined;
  /** Default true. */
  readonly active?: boolean | undefined;
  /** Deliveries per second; default null, no limit. */
  readonly rateLimit?: number | null | undefined;
  /** At creation default false. */
  readonly ordered?: boolean | undefined;
}

/** The changes of an update; absent members stay as they are. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly format?: WebhookFormat | undefined;
  /** True also clears `disabledAt` and `disabledReason`. */
  readonly active?: boolean | undefined;
  /** Null removes the limit. */
  readonly rateLimit?: number | null | undefined;
  /** At creation default false. */
  readonly ordered?: boolean | undefined;
}

/** A webhook with its secret, which is returned at creation only. */
export interface IssuedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}
