import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RetentionRule } from '../retention/retention.ts';
import type { Database } from '../storage/database.ts';
import type { EventPlace, OldEvent } from './storage.ts';

/** Records of a package that refer to events and are removed before them, such as deliveries. */
export interface EventDependents {
  /**
   * Deletes up to `limit` of the records that refer to one of the events, in a transaction of its
   * own; returns their number, 0 when none is left.
   */
  deleteOfEvents(eventIds: readonly string[], limit: number): Promise<number>;
}

type EventRetention = Required<Pick<RetentionRule, 'deleteDependents' | 'deleteBatch'>>;

/**
 * Removes old events, except those that a job needs. A run continues after the last event that it
 * has seen, so its cost depends neither on the events that are kept nor on the number of jobs. An
 * event that is no longer needed is removed by the next run.
 */
export function createEventRetention(
  database: Database,
  dependents: readonly EventDependents[],
): EventRetention {
  const reads = database.kernel(database.reader);
  let run = Number.NaN;
  let after: EventPlace | null = null;

  /** The next events that no job needs; none when all were seen. */
  async function findUnneeded(before: Date, limit: number): Promise<readonly OldEvent[]> {
    if (before.getTime() !== run) after = null;
    run = before.getTime();
    for (;;) {
      const page: readonly OldEvent[] = await reads.listOldEvents(before, after, limit);
      const unneeded = page.filter(({ isNeeded }) => !isNeeded);
      if (unneeded.length > 0 || page.length === 0) return unneeded;
      after = page.at(-1) ?? null;
      await nextTurn();
    }
  }

  return {
    async deleteDependents(before, limit) {
      const ids = (await findUnneeded(before, limit)).map(({ id }) => id);
      if (ids.length === 0) return 0;
      for (const { deleteOfEvents } of dependents) {
        const deleted = await deleteOfEvents(ids, limit);
        if (deleted > 0) return deleted;
      }
      return 0;
    },
    async deleteBatch(before, limit) {
      for (;;) {
        const unneeded = await findUnneeded(before, limit);
        if (unneeded.length === 0) return 0;
        const ids = unneeded.map(({ id }) => id);
        const deleted = await database.transaction((session) =>
          database.kernel(session).deleteEvents(ids),
        );
        after = unneeded.at(-1) ?? after;
        if (deleted > 0) return deleted;
      }
    },
  };
}
