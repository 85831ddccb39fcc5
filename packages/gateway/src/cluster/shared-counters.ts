import type { Clock } from '@probity/core';
import { LRUCache } from 'lru-cache';
import type { Primary, PrimaryPart } from './part.ts';

/** A limit on a sliding window. */
interface SharedWindow {
  /** What is counted, such as `model:openai/gpt-4o`. */
  readonly key: string;
  /** The most that is taken within any `windowMs`. */
  readonly limit: number;
  readonly windowMs: number;
  /** How much is taken; default 1. */
  readonly amount?: number | undefined;
}

/** What became of an attempt to take from a window. */
interface SharedTake {
  readonly allowed: boolean;
  /** What is left after it. */
  readonly remaining: number;
  /** Milliseconds until the amount may be taken; 0 where it was. */
  readonly retryAfterMs: number;
}

/** Counters that are exact over all serving processes, and are kept in memory. */
export interface SharedCounters {
  /** Takes from a window, or takes nothing where it would exceed the limit. */
  take(window: SharedWindow): Promise<SharedTake>;
}

const PART = 'counters';
/** Windows that are kept; those used least recently begin anew. */
const MAX_KEYS = 100_000;

/** What is taken within one of them is kept as one. */
const SLOTS = 1_000;

interface Taken {
  /** The end of its slot, so that no window ever holds more than the limit. */
  readonly atMs: number;
  amount: number;
}

/** The part of the primary that counts. */
export function createCountersPart(clock: Clock): PrimaryPart {
  const windows = new LRUCache<string, Taken[]>({ max: MAX_KEYS });
  return {
    name: PART,
    answer(request): SharedTake {
      const { key, limit, windowMs, amount = 1 } = request as SharedWindow;
      const nowMs = clock.monotonicMs();
      const kept = (windows.get(key) ?? []).filter(({ atMs }) => atMs > nowMs - windowMs);
      const used = kept.reduce((sum, taken) => sum + taken.amount, 0);
      const allowed = used + amount <= limit;
      if (allowed) add(kept, { atMs: slotEnd(nowMs, windowMs / SLOTS), amount });
      windows.set(key, kept);
      if (allowed) return { allowed, remaining: limit - used - amount, retryAfterMs: 0 };
      const freeAtMs = whenFree(kept, used + amount - limit) + windowMs;
      const retryAfterMs = Math.max(1, freeAtMs - nowMs);
      return { allowed, remaining: Math.max(0, limit - used), retryAfterMs };
    },
  };
}

function slotEnd(nowMs: number, slotMs: number): number {
  return Math.ceil(nowMs / slotMs) * slotMs;
}

function add(kept: Taken[], taken: Taken): void {
  const last = kept.at(-1);
  if (last?.atMs === taken.atMs) last.amount += taken.amount;
  else kept.push(taken);
}

/** When the first takes that amount to `excess` were made; the last one's time where all are less. */
function whenFree(taken: readonly Taken[], excess: number): number {
  let freed = 0;
  for (const { atMs, amount } of taken) {
    freed += amount;
    if (freed >= excess) return atMs;
  }
  return taken.at(-1)?.atMs ?? 0;
}

/** The counters, as a serving process uses them: one question to the primary for each take. */
export function createSharedCounters(primary: Primary): SharedCounters {
  return { take: (window) => primary.call<SharedTake>(PART, window) };
}
