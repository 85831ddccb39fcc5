import { FAILED_JOBS, JOBS } from '../jobs/memory.ts';
import type { JobWrites } from '../jobs/storage.ts';
import type { MemorySession } from '../storage/memory.ts';
import { byCreation, newestFirst, pageOf } from '../storage/memory-rows.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import { isPresent } from '../tenants/memory.ts';
import type { EventRecord } from './events.ts';
import { outboxJobOf, subscriberOfQueue } from './outbox.ts';
import type { EventReads, EventWrites, ListedEvent, Outbox } from './storage.ts';

const EVENTS = defineMemoryTable<EventRecord>('events', 'organizationId');

interface SubscriberRow {
  readonly name: string;
  readonly seenAt: Date;
}

const SUBSCRIBERS = defineMemoryTable<SubscriberRow>('event_subscribers', null);

/** Events in memory. */
export function createMemoryEvents(session: MemorySession): EventReads & EventWrites {
  const events = () => session.table(EVENTS);
  const subscribers = () => session.table(SUBSCRIBERS);
  const find = (id: string) => {
    const event = events().get(id);
    return event && isPresent(session, event.organizationId) ? event : null;
  };
  return {
    findEvent: async (id) => find(id),
    findEvents: async (ids) => ids.map(find).filter((event) => event !== null),
    async insertEvent(event) {
      insertEvent(session, event);
    },
    async listSubscribers() {
      const rows = subscribers().filter(() => true);
      return rows.map(({ name }) => name).sort();
    },
    async registerSubscribers(names, seenAt) {
      for (const name of names) subscribers().put(name, { name, seenAt });
    },
    async deleteSubscribers(before) {
      const old = subscribers().filter(({ seenAt }) => seenAt < before);
      for (const { name } of old) subscribers().delete(name);
      return old.length;
    },
    async deleteUnclaimedJobs(limit) {
      const isUnclaimed = ({ queue }: { readonly queue: string }) => {
        const name = subscriberOfQueue(queue);
        return name !== null && !subscribers().get(name);
      };
      let deleted = 0;
      for (const table of [session.table(JOBS), session.table(FAILED_JOBS)]) {
        const unclaimed = table.filter(isUnclaimed).slice(0, limit - deleted);
        for (const { id } of unclaimed) table.delete(id);
        deleted += unclaimed.length;
      }
      return deleted;
    },
    async listOldEvents(before, after, limit) {
      const needed = neededEvents(session);
      const old = events().filter(
        (event) => event.createdAt < before && (!after || byCreation(event, after) > 0),
      );
      const first = old.sort(byCreation).slice(0, limit);
      return first.map(({ id, createdAt }) => ({ id, createdAt, isNeeded: needed.has(id) }));
    },
    async listEventsOf({ organizationId, since, until }, after, limit) {
      const found = events().filter(
        (event) =>
          event.organizationId === organizationId &&
          event.createdAt >= since &&
          event.createdAt < until &&
          (!after || byCreation(event, after) > 0),
      );
      return found.sort(byCreation).slice(0, limit).map(toListed);
    },
    async listEvents(organizationId, { since, until }, page) {
      const matching = events().filter(
        (event) =>
          event.organizationId === organizationId &&
          (since === undefined || event.createdAt >= since) &&
          (until === undefined || event.createdAt < until),
      );
      const { items, total } = pageOf(matching, page, newestFirst);
      return { items: items.map(toListed), total };
    },
    async deleteEvents(ids) {
      const needed = neededEvents(session);
      const deleted = ids.filter((id) => events().get(id) && !needed.has(id));
      for (const id of deleted) deleteWithDependents(session, id);
      return deleted.length;
    },
  };
}

function toListed({ id, type, createdAt, isTest }: EventRecord): ListedEvent {
  return { id, type, createdAt, isTest: isTest ?? false };
}

/** The outbox in memory. */
export function createMemoryOutbox(
  session: MemorySession,
  { enqueueJobs }: Pick<JobWrites, 'enqueueJobs'>,
): Outbox {
  const events = () => session.table(EVENTS);
  async function append(event: EventRecord): Promise<void> {
    insertEvent(session, event);
    await enqueueJobs([outboxJobOf(event)]);
  }
  return {
    async append(event) {
      await append(event);
    },
    async appendOnce(event) {
      const stored = events().get(event.id);
      if (!stored) await append(event);
      return stored ?? event;
    },
  };
}

function insertEvent(session: MemorySession, event: EventRecord): void {
  const events = session.table(EVENTS);
  if (events.get(event.id)) throw new Error(`The event ${event.id} is stored already.`);
  events.put(event.id, event);
}

/** The events that jobs name. */
function neededEvents(session: MemorySession): ReadonlySet<string | undefined> {
  const jobs = session.table(JOBS).filter(() => true);
  const failed = session.table(FAILED_JOBS).filter(() => true);
  return new Set([...jobs, ...failed].map(({ payload }) => payload.eventId));
}

/** Deletes an event and the rows of any package that refer to it. */
function deleteWithDependents(session: MemorySession, eventId: string): void {
  session.table(EVENTS).delete(eventId);
  for (const definition of session.tables()) {
    const rows = session.table<{ eventId?: string }>(definition);
    rows.deleteWhere((row) => row.eventId === eventId);
  }
}
