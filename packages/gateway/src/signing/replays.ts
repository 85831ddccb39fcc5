import type { Clock } from '@probity/core';
import { LRUCache } from 'lru-cache';
import type { Primary, PrimaryPart } from '../cluster/part.ts';

/** How far the timestamp of a signature may be from now, in seconds, in both directions. */
export const SIGNATURE_WINDOW_SECONDS = 300;

/** Remembers the signatures that were taken. */
export interface Replays {
  /** Whether the mark of a signature is taken for the first time. */
  takeOnce(mark: string): Promise<boolean>;
}

const PART = 'replays';
const MAX_REMEMBERED = 1_000_000;

/** The part of the primary that remembers, so that a signature is used once whichever process it comes to. */
export function createReplaysPart(clock: Clock): PrimaryPart {
  const seen = new LRUCache<string, true>({
    // By size: `max` would allocate the room for all at once.
    maxSize: MAX_REMEMBERED,
    sizeCalculation: () => 1,
    ttl: 2 * SIGNATURE_WINDOW_SECONDS * 1_000,
    perf: { now: () => clock.monotonicMs() },
  });
  return {
    name: PART,
    answer(request) {
      const mark = request as string;
      if (seen.has(mark)) return false;
      seen.set(mark, true);
      return true;
    },
  };
}

/** The memory, as a serving process uses it. */
export function createReplays(primary: Primary): Replays {
  return { takeOnce: (mark) => primary.call<boolean>(PART, mark) };
}
