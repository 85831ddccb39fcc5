import type { ProbityApi, StoredEvent } from '@probity/client';

/** How far behind the newest event the list is read again: for transactions that end late. */
const OVERLAP_MS = 60_000;
const PAGE_SIZE = 200;

/** Reads the events of an organization that are new since the last read. */
export interface EventFeed {
  /** Oldest first. */
  next(signal: AbortSignal): Promise<StoredEvent[]>;
}

/**
 * Creates a feed that begins at a time. Events are told apart by their ids, so that one that appears
 * behind newer ones is returned too, and none twice.
 */
export function createEventFeed(client: ProbityApi, since: Date): EventFeed {
  const seen = new Map<string, number>();
  let newest = since.getTime();
  return {
    async next(signal) {
      const from = new Date(Math.max(since.getTime(), newest - OVERLAP_MS)).toISOString();
      const query = { since: from, limit: PAGE_SIZE };
      const found: StoredEvent[] = [];
      for await (const event of client.events.list(query, { signal })) {
        if (!seen.has(event.id)) found.push(event);
        seen.set(event.id, Date.parse(event.timestamp));
      }
      newest = Math.max(newest, ...found.map(({ timestamp }) => Date.parse(timestamp)));
      for (const [id, time] of seen) if (time < newest - 2 * OVERLAP_MS) seen.delete(id);
      return found.sort(byTime);
    },
  };
}

function byTime(left: StoredEvent, right: StoredEvent): number {
  return compare(left.timestamp, right.timestamp) || compare(left.id, right.id);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
