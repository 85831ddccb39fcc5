import type { Clock } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { UsageStorage } from './storage.ts';
import type { QuotaUnits } from './types.ts';

/** The units of one quota's month that one instance holds. */
export interface QuotaBlock {
  readonly owner: Omit<QuotaUnits, 'units'>;
  /** Spends from what is held, at no cost; false when that is not enough. */
  spendHeld(units: number): boolean;
  /** Spends units, taking more from the database where needed; false when too few are left. */
  spend(units: number, limit: number): Promise<boolean>;
  /** Units held and not spent. */
  held(): number;
  /** Whether anything was asked for since the last call of this. */
  wasTouched(): boolean;
  /** Gives all units held back; they are lost to the month when that fails. */
  giveBack(): Promise<void>;
  /** Whether nothing is held and nobody waits, so that it may be forgotten. */
  isIdle(): boolean;
}

const FIRST_SIZE = 8;
const LARGEST_SIZE = 10_000;
/** A block that lasts for less was too small, one that lasts for longer than the second too large. */
const SHORT_LIFE_MS = 1_000;
const LONG_LIFE_MS = 4_000;
/** How long a quota that was found spent is taken to be so: others may give units back. */
const SPENT_MS = 1_000;
const NOT_SPENT = { limit: -1, untilMs: 0 };

/** Creates the block of an organization's quota in a month; it holds nothing yet. */
export function createQuotaBlock(
  storage: UsageStorage,
  owner: Omit<QuotaUnits, 'units'>,
  clock: Clock,
): QuotaBlock {
  let held = 0;
  let size = FIRST_SIZE;
  let takenAtMs = Number.NEGATIVE_INFINITY;
  let spent = NOT_SPENT;
  let taking: Promise<number> | null = null;
  let waiting = 0;
  let touched = false;

  function spendHeld(units: number): boolean {
    touched = true;
    if (held < units) return false;
    held -= units;
    return true;
  }

  /** The next block's size: it doubles while blocks are used up quickly, and shrinks again. */
  function nextSize(limit: number): number {
    const lifeMs = clock.monotonicMs() - takenAtMs;
    if (lifeMs < SHORT_LIFE_MS) size *= 2;
    else if (lifeMs > LONG_LIFE_MS) size = Math.max(FIRST_SIZE, Math.floor(size / 2));
    size = Math.min(size, LARGEST_SIZE, Math.max(FIRST_SIZE, Math.floor(limit / 100)));
    return size;
  }

  async function take(limit: number): Promise<number> {
    const needed = waiting - held;
    const units = Math.max(nextSize(limit), needed);
    takenAtMs = clock.monotonicMs();
    const wish = { ...owner, units, needed };
    const taken = await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.takeUnits(wish, limit));
    held += taken;
    if (taken === 0) spent = { limit, untilMs: clock.monotonicMs() + SPENT_MS };
    return taken;
  }

  async function giveBack(): Promise<void> {
    const units = held;
    if (units === 0) return;
    // Not held again where this fails: the database may have them back although it did not say so.
    held = 0;
    spent = NOT_SPENT;
    await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.giveBackUnits({ ...owner, units }));
  }

  async function spend(units: number, limit: number): Promise<boolean> {
    if (units > limit) return false;
    waiting += units;
    try {
      while (!spendHeld(units)) {
        if (spent.limit === limit && clock.monotonicMs() < spent.untilMs) {
          // What is too little for this call may be enough for one of another instance.
          if (held > 0 && waiting === units) await giveBack();
          return false;
        }
        // One statement at a time: everybody who waits shares what it brings.
        taking ??= take(limit).finally(() => {
          taking = null;
        });
        await taking;
      }
      return true;
    } finally {
      waiting -= units;
    }
  }

  return {
    owner,
    spendHeld,
    spend,
    held: () => held,
    isIdle: () => held === 0 && waiting === 0,
    wasTouched() {
      const was = touched;
      touched = false;
      return was;
    },
    giveBack,
  };
}
