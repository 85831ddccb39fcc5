import type { EventRecord } from './events.ts';

/** Appends events to the outbox: they exist exactly if the change that caused them does. */
export interface Outbox {
  /** Stores the event and the job that will hand it to the subscribers. */
  append(event: EventRecord): Promise<void>;
}

/** Reads of stored events. */
export interface EventReads {
  /** The event, or null when there is none (any more). */
  findEvent(id: string): Promise<EventRecord | null>;
}

/** Changes of stored events; they come to be by the {@link Outbox}. */
export interface EventWrites {
  /**
   * Deletes up to `limit` events made before `before`, oldest first, with all rows that refer to
   * them, such as deliveries; answers how many. An event stays while a job names it as `eventId`.
   */
  deleteEvents(before: Date, limit: number): Promise<number>;
}
