import type { Page, PageOf } from '../paging.ts';
import type { EventRecord } from './events.ts';

/**
 * Appends events to the outbox: an event exists if and only if the change that caused it commits.
 */
export interface Outbox {
  /** Stores the event and the job that will hand it to the subscribers. */
  append(event: EventRecord): Promise<void>;
  /**
   * Like `append`, unless an event with this id is stored, of any organization.
   * @returns the stored event: `event`, or the one that has the id
   */
  appendOnce(event: EventRecord): Promise<EventRecord>;
}

/** The place of an event in the order of creation; of one moment, events are ordered by id. */
export interface EventPlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** An event that retention may remove. */
export interface OldEvent extends EventPlace {
  /** Whether a job, failed or not, names it as `eventId`. */
  readonly isNeeded: boolean;
}

/** The events of an organization that were created from `since` on and before `until`. */
export interface EventRange {
  readonly organizationId: string;
  readonly since: Date;
  readonly until: Date;
}

/** A filter of an organization's events; all given conditions must hold. */
export interface EventFilter {
  /** Earliest time of creation, inclusive. */
  readonly since?: Date | undefined;
  /** Latest time of creation, exclusive. */
  readonly until?: Date | undefined;
}

/** An event without its data. */
export interface ListedEvent extends EventPlace {
  readonly type: string;
  readonly isTest: boolean;
}

/** Reads of stored events. */
export interface EventReads {
  /** The event, or null when it does not exist (any more), or its tenant was removed. */
  findEvent(id: string): Promise<EventRecord | null>;
  /** Those of the events that exist and whose tenant was not removed, in any order. */
  findEvents(ids: readonly string[]): Promise<EventRecord[]>;
  /** Up to `limit` events created before `before`, oldest first, after the place given. */
  listOldEvents(before: Date, after: EventPlace | null, limit: number): Promise<OldEvent[]>;
  /** Up to `limit` events of the range, tests included, oldest first, after the place given. */
  listEventsOf(range: EventRange, after: EventPlace | null, limit: number): Promise<ListedEvent[]>;
  /** The organization's events that match, tests included, newest first, ties by descending id. */
  listEvents(organizationId: string, filter: EventFilter, page: Page): Promise<PageOf<ListedEvent>>;
  /** The names of the registered subscribers, in alphabetical order. */
  listSubscribers(): Promise<string[]>;
}

/** Writes of stored events; {@link Outbox} creates them. */
export interface EventWrites {
  /** Stores an event that is handed to no subscriber, such as a test. */
  insertEvent(event: EventRecord): Promise<void>;
  /**
   * Deletes these events with all rows that refer to them, such as deliveries, and returns the number
   * of events. An event is kept while a job names it as `eventId`.
   */
  deleteEvents(ids: readonly string[]): Promise<number>;
  /** Stores that the subscribers exist at this time. */
  registerSubscribers(names: readonly string[], at: Date): Promise<void>;
  /** Removes subscribers last registered before `before`; returns their number. */
  deleteSubscribers(before: Date): Promise<number>;
  /**
   * Deletes up to `limit` jobs, failed or not, that leave an event to a subscriber which is not
   * registered; returns their number.
   */
  deleteUnclaimedJobs(limit: number): Promise<number>;
}
