/** What a replay sends again: every event of its types, or the deliveries that are failed or held. */
export const REPLAY_KINDS = ['all', 'failed'] as const;

/** One of {@link REPLAY_KINDS}. */
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/**
 * Status of a replay:
 * - `running`: events remain, or one is due for its first attempt;
 * - `completed`: every event was attempted; retries may follow;
 * - `canceled`: by a call;
 * - `stopped`: the webhook was turned off meanwhile;
 * - `failed`: its job was given up after errors of the server.
 */
export const REPLAY_STATUSES = ['running', 'completed', 'canceled', 'stopped', 'failed'] as const;

/** One of {@link REPLAY_STATUSES}. */
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

/** A place in the order in which a replay takes its items: by time, then id. */
export interface ReplayPlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** An event that a replay may send, at its place. */
export interface ReplayItem {
  readonly place: ReplayPlace;
  readonly event: { readonly id: string; readonly type: string };
  readonly isTest: boolean;
}

/** Events of a webhook that are sent again (contract, section 5). */
export interface Replay {
  /** `rpl_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly webhookId: string;
  readonly kind: ReplayKind;
  readonly status: ReplayStatus;
  /** The webhook's `activation` when the replay began; it stops when that has changed. */
  readonly activation: number;
  /** Inclusive; the time of an event, for `failed` that of the delivery. */
  readonly since: Date;
  /** Exclusive. */
  readonly until: Date;
  /** The event types that are sent; null for all. */
  readonly types: readonly string[] | null;
  /** The number of events, as far as they have been counted. */
  readonly total: number;
  /** Whether `total` is complete. */
  readonly isCounted: boolean;
  /** Events that were sent, or were pending already. */
  readonly done: number;
  /** The place of the last item that was counted, then of the last one that was taken. */
  readonly cursor: ReplayPlace | null;
  readonly createdAt: Date;
  /** Null while it is running. */
  readonly endedAt: Date | null;
}

/** Which events to send again. */
export interface ReplayRequest {
  /** Inclusive. */
  readonly since: Date;
  /** Exclusive; default and latest: now. */
  readonly until?: Date | undefined;
}
