/** A customer's endpoint and the events it wants (specification, "Webhook"). */
export interface Webhook {
  /** `whk_…` */
  readonly id: string;
  readonly organizationId: string;
  /** As the customer gave it. */
  readonly url: string;
  /** Event types of the catalogue, without repetitions, in the order given. */
  readonly events: readonly string[];
  /** Whether events are delivered. */
  readonly active: boolean;
  readonly createdAt: Date;
  /** When failing deliveries turned it off; null otherwise, also when a person did. */
  readonly disabledAt: Date | null;
  /** A sentence for people; set together with `disabledAt`. */
  readonly disabledReason: string | null;
}

/** A new webhook, before it is one. */
export interface NewWebhook {
  readonly url: string;
  readonly events: readonly string[];
  /** Default true. */
  readonly active?: boolean | undefined;
}

/** The changes of an update; absent members stay as they are. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  /** True also clears `disabledAt` and `disabledReason`. */
  readonly active?: boolean | undefined;
}

/** A webhook and its secret, which is shown at this moment only. */
export interface IssuedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}
