import type { JobWrites, NewJob } from '../jobs/storage.ts';
import type { MemorySession } from '../storage/memory.ts';
import { byCreation } from '../storage/memory-rows.ts';
import type { EventRecord } from './events.ts';
import { outboxJobOf } from './outbox.ts';
import type { EventReads, EventWrites, Outbox } from './storage.ts';

/** Events in memory. */
export function createMemoryEvents(session: MemorySession): EventReads & EventWrites {
  const events = () => session.table<EventRecord>('events');
  const stored = (table: 'jobs' | 'failed_jobs') =>
    session.table<Pick<NewJob, 'payload'>>(table).filter(() => true);
  return {
    async findEvent(id) {
      return events().get(id) ?? null;
    },
    async deleteEvents(before, limit) {
      const jobs = [...stored('jobs'), ...stored('failed_jobs')];
      const needed = new Set(jobs.map(({ payload }) => payload.eventId));
      const old = events()
        .filter(({ id, createdAt }) => createdAt < before && !needed.has(id))
        .sort(byCreation)
        .slice(0, limit);
      for (const { id } of old) deleteWithDependents(session, id);
      return old.length;
    },
  };
}

/** The outbox in memory. */
export function createMemoryOutbox(
  session: MemorySession,
  { enqueueJobs }: Pick<JobWrites, 'enqueueJobs'>,
): Outbox {
  return {
    async append(event) {
      session.table<EventRecord>('events').put(event.id, event);
      await enqueueJobs([outboxJobOf(event)]);
    },
  };
}

/** Deletes an event and the rows of any package that refer to it. */
function deleteWithDependents(session: MemorySession, eventId: string): void {
  for (const name of session.tableNames()) {
    const rows = session.table<{ eventId?: string }>(name);
    rows.deleteWhere((row, key) => key === eventId || row.eventId === eventId);
  }
}
