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
  const events = () => session.table<EventRecord>('events');
  async function append(event: EventRecord): Promise<void> {
    if (events().get(event.id)) throw new Error(`The event ${event.id} is stored already.`);
    events().put(event.id, event);
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

/** Deletes an event and the rows of any package that refer to it. */
function deleteWithDependents(session: MemorySession, eventId: string): void {
  session.table('events').delete(eventId);
  for (const name of session.tableNames()) {
    const rows = session.table<{ eventId?: string }>(name);
    rows.deleteWhere((row) => row.eventId === eventId);
  }
}
