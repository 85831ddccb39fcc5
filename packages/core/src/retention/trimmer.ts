import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RetentionRule } from './retention.ts';

/** What each organization has for a rule to delete. */
export interface TrimmerParts<Owner extends { readonly organizationId: string }> {
  /** Organizations behind the id, in the order of their ids. */
  list(after: string, limit: number): Promise<readonly Owner[]>;
  /** Deletes up to `limit` of one organization's old rows; returns their number. */
  trim(owner: Owner, before: Date, limit: number): Promise<number>;
}

/** Organizations of one look. */
const OWNERS_PER_LOOK = 100;

/** A run of retention: it looks at each organization once. */
interface Run {
  readonly beforeMs: number;
  /** The last organization that has nothing old left. */
  after: string;
}

/**
 * Deletes by organization. A batch continues after the last organization that the one before has finished, so that a
 * run looks at each once, and the event loop turns after each.
 */
export function createTrimmer<Owner extends { readonly organizationId: string }>({
  list,
  trim,
}: TrimmerParts<Owner>): RetentionRule['deleteBatch'] {
  let latest: Run = { beforeMs: Number.NaN, after: '' };
  return async (before, limit) => {
    if (latest.beforeMs !== before.getTime()) latest = { beforeMs: before.getTime(), after: '' };
    const run = latest;
    let removed = 0;
    for (;;) {
      const owners = await list(run.after, OWNERS_PER_LOOK);
      if (owners.length === 0) return removed;
      for (const owner of owners) {
        removed += await trim(owner, before, limit - removed);
        // There may be more of this organization.
        if (removed >= limit) return removed;
        run.after = owner.organizationId;
        await nextTurn();
      }
    }
  };
}
