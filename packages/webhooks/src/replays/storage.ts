import type { Page, PageOf } from '@probity/core';
import type { DeliveryStatus } from '../deliveries/types.ts';
import type { Replay, ReplayItem, ReplayPlace } from './types.ts';

/** Deliveries of a webhook that were made from `since` on and before `until`. */
export interface DeliveryRange {
  readonly since: Date;
  readonly until: Date;
}

/** The delivery of an event, without its attempts. */
export interface DeliveryOfEvent {
  readonly id: string;
  readonly eventId: string;
  readonly status: DeliveryStatus;
}

/** The deliveries of a replay whose attempt is due or in progress. */
export interface ReplayBacklog {
  readonly due: number;
  /** When the last of them became due; null when there is none. */
  readonly latestDueAt: Date | null;
}

/** Read operations on replays, and on the deliveries that they send. */
export interface ReplayReads {
  /** The webhook's replays, newest first, ties by descending id. */
  listReplays(webhookId: string, page: Page): Promise<PageOf<Replay>>;
  /** Null when the webhook has no such replay. */
  findReplay(webhookId: string, replayId: string): Promise<Replay | null>;
  /** Whether a replay of the webhook is running. */
  hasRunningReplay(webhookId: string): Promise<boolean>;
  /** The webhook's deliveries of these events, a batch, with the status as read. */
  listDeliveriesOf(webhookId: string, eventIds: readonly string[]): Promise<DeliveryOfEvent[]>;
  /**
   * Up to `limit` deliveries that are stored as failed or held, in the order of their creation, ties by id,
   * after the place given.
   */
  listUndelivered(
    webhookId: string,
    range: DeliveryRange,
    after: ReplayPlace | null,
    limit: number,
  ): Promise<ReplayItem[]>;
  /** Counts the pending deliveries of the replay that are due at `now`, up to `limit`. */
  countReplayed(replayId: string, now: Date, limit: number): Promise<ReplayBacklog>;
}

/** Write operations on replays. */
export interface ReplayWrites {
  /** Stores a replay. A webhook has at most one that is running; a second one is an error. */
  insertReplay(replay: Replay): Promise<void>;
  /**
   * Stores status, progress and end of a replay. Returns false, without a change, when it is no longer
   * running.
   */
  updateReplay(replay: Replay): Promise<boolean>;
  /** Deletes up to `limit` replays that ended before `before`; returns their number. */
  deleteReplays(before: Date, limit: number): Promise<number>;
}
