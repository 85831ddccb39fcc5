import type { Clock, Storage } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { SpendOptions } from '@probity/core/internal';
import { isUnavailable } from '@probity/core/internal';
import type { UsageReads, UsageWrites } from './storage.ts';
import type { QuotaMonth } from './types.ts';

/**
 * A token-bucket lease: units of a monthly quota that this instance has leased from the database
 * and spends in memory.
 */
export interface QuotaLease {
  readonly owner: QuotaMonth;
  /** Spends leased units synchronously; false when the lease has too few left. */
  trySpendLocal(units: number): boolean;
  /**
   * Spends units, leasing more if needed; false when the month has too few left. With `mayOwe` units count later
   * when the database cannot be written.
   */
  spend(units: number, limit: number, options?: SpendOptions): Promise<boolean>;
  /** Units leased and not spent. */
  unspent(): number;
  /** Whether a call has requested units since the last call of this method. */
  takeTouched(): boolean;
  /** Returns all unspent units and counts owed ones; if that fails, the unspent are lost for the month. */
  giveBack(): Promise<void>;
  /** Whether no units are left or owed and no call waits, so that the lease may be dropped. */
  isIdle(): boolean;
}

const FIRST_SIZE = 8;
const LARGEST_SIZE = 10_000;
/**
 * A lease spent within SHORT_LIFE_MS is too small; one that lasts beyond LONG_LIFE_MS, too large.
 */
const SHORT_LIFE_MS = 1_000;
const LONG_LIFE_MS = 4_000;
/**
 * How long a spent quota is assumed to stay spent, in milliseconds; other instances may return
 * units.
 */
const SPENT_MS = 1_000;
/** How long the database is assumed to stay unwritable after a failure, in milliseconds. */
const UNWRITABLE_MS = 1_000;
const NOT_SPENT = { limit: -1, untilMs: 0 };

/** Creates the lease of an organization's monthly quota; it starts without units. */
export function createQuotaLease(
  storage: Storage<UsageReads, UsageWrites>,
  owner: QuotaMonth,
  clock: Clock,
): QuotaLease {
  let unspent = 0;
  let size = FIRST_SIZE;
  let leasedAtMs = Number.NEGATIVE_INFINITY;
  let spent = NOT_SPENT;
  let leasing: Promise<number> | null = null;
  let waiting = 0;
  let owed = 0;
  let unwritableUntilMs = Number.NEGATIVE_INFINITY;
  let touched = false;

  function trySpendLocal(units: number): boolean {
    touched = true;
    if (unspent < units) return false;
    unspent -= units;
    return true;
  }

  /** The size of the next lease: doubles while leases are spent quickly, then shrinks again. */
  function nextSize(limit: number): number {
    const lifeMs = clock.monotonicMs() - leasedAtMs;
    if (lifeMs < SHORT_LIFE_MS) size *= 2;
    else if (lifeMs > LONG_LIFE_MS) size = Math.max(FIRST_SIZE, Math.floor(size / 2));
    size = Math.min(size, LARGEST_SIZE, Math.max(FIRST_SIZE, Math.floor(limit / 100)));
    return size;
  }

  async function lease(limit: number): Promise<number> {
    const needed = waiting - unspent;
    const units = Math.max(nextSize(limit), needed);
    leasedAtMs = clock.monotonicMs();
    const request = { ...owner, units, needed };
    const granted = await settling(async (tx, settled) => {
      if (settled > 0) await tx.addUnits({ ...owner, units: settled });
      return tx.takeUnits(request, limit);
    });
    unspent += granted;
    if (granted === 0) spent = { limit, untilMs: clock.monotonicMs() + SPENT_MS };
    return granted;
  }

  /** Runs a transaction that counts the units owed, which stay owed if it fails. */
  async function settling<Result>(
    work: (tx: UsageWrites, settled: number) => Promise<Result>,
  ): Promise<Result> {
    const settled = owed;
    owed = 0;
    try {
      return await storage.transaction(OUTSIDE_REQUEST, (tx) => work(tx, settled));
    } catch (error) {
      owed += settled;
      throw error;
    }
  }

  function owe(units: number): true {
    owed += units;
    return true;
  }

  async function giveBack(): Promise<void> {
    const units = unspent;
    if (units === 0 && owed === 0) return;
    // Not kept on failure: the database may have committed the return without confirming it.
    unspent = 0;
    spent = NOT_SPENT;
    await settling(async (tx, settled) => {
      if (settled > 0) await tx.addUnits({ ...owner, units: settled });
      if (units > 0) await tx.giveBackUnits({ ...owner, units });
    });
  }

  async function spend(
    units: number,
    limit: number,
    { mayOwe = false }: SpendOptions = {},
  ): Promise<boolean> {
    if (units > limit) return false;
    waiting += units;
    try {
      while (!trySpendLocal(units)) {
        if (spent.limit === limit && clock.monotonicMs() < spent.untilMs) {
          // Units too few for this call may suffice for a call on another instance.
          if (unspent > 0 && waiting === units) await giveBack();
          return false;
        }
        if (mayOwe && clock.monotonicMs() < unwritableUntilMs) return owe(units);
        // One statement at a time; all waiting calls share the units it leases.
        leasing ??= lease(limit).finally(() => {
          leasing = null;
        });
        try {
          await leasing;
        } catch (error) {
          if (!mayOwe || !isUnavailable(error)) throw error;
          unwritableUntilMs = clock.monotonicMs() + UNWRITABLE_MS;
          return owe(units);
        }
      }
      return true;
    } finally {
      waiting -= units;
    }
  }

  return {
    owner,
    trySpendLocal,
    spend,
    unspent: () => unspent,
    isIdle: () => unspent === 0 && waiting === 0 && owed === 0,
    takeTouched() {
      const wasTouched = touched;
      touched = false;
      return wasTouched;
    },
    giveBack,
  };
}
