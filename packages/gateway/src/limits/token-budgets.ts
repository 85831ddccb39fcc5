import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Logger, Timer } from '@probity/core';
import { ProbityError } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { WorkerId } from '../cluster/part.ts';
import type { TokenLedger, TokenSettlement } from './token-ledger.ts';

/** What a call may use, and what its key may use a day. */
export interface TokenDemand {
  /** Name of the API key. */
  readonly key: string;
  readonly tokens: number;
  readonly perDay: number;
}

/** A reservation, or why there is none. */
export type TokenDecision =
  | { readonly id: string }
  | {
      readonly id: null;
      /** Tokens of the day that are neither used nor reserved. */
      readonly left: number;
      /** Milliseconds until the call may fit: when calls in progress end, or the next day (UTC) begins. */
      readonly retryAfterMs: number;
      /** Whether only calls in progress stand in its way. */
      readonly isHeld: boolean;
    };

/** The budgets of all serving processes, in the primary. */
export interface TokenBudgets {
  /** @throws ProbityError `unavailable` where the ledger does not answer: nothing is spent that is not counted */
  reserve(demand: TokenDemand, worker: WorkerId): Promise<TokenDecision>;
  /** Replaces a reservation by what was used; tried again until the ledger has taken it. */
  settle(id: string, used: number): void;
  /** What a process that has ended had reserved counts as used. */
  leave(worker: WorkerId): void;
  /** Settles what has not been. Idempotent. */
  close(): Promise<void>;
}

/** Dependencies of budgets. */
export interface TokenBudgetsOptions {
  readonly ledger: TokenLedger;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** When a call that others stand in the way of may be tried again. */
const HELD_MS = 1_000;
const RETRY_MS = 1_000;
/** How long a ledger that does not take them is tried at the end, and how many times. */
const CLOSE_MS = 10_000;
const CLOSE_TRIES = 100;
/** Settlements of one transaction. */
const MOST_SETTLED = 500;

interface Held {
  readonly key: string;
  readonly day: number;
  readonly tokens: number;
  readonly worker: WorkerId;
}

/** Creates the budgets. */
export function createTokenBudgets({ ledger, clock, logger }: TokenBudgetsOptions): TokenBudgets {
  const held = new Map<string, Held>();
  const owed = new Map<string, number>();
  let settling: Promise<void> | null = null;
  let timer: Timer | null = null;
  let batchSize = MOST_SETTLED;
  let keptFrom = 0;
  let hasFailed = false;
  let isUnreadable = false;
  let closing: Promise<void> | null = null;

  /** Settles what is owed when a run begins: what comes meanwhile is left to the next. Ends at a failure. */
  async function settleOwed(): Promise<void> {
    timer?.cancel();
    timer = null;
    for (let left = owed.size; left > 0; ) {
      const batch = firstOf(owed, Math.min(left, batchSize));
      try {
        await ledger.settle(batch);
      } catch (error) {
        batchSize = 1;
        // One of them may be what the ledger does not take: each by itself.
        if (batch.length > 1) continue;
        postpone(batch, error);
        return;
      }
      hasFailed = false;
      batchSize = Math.min(MOST_SETTLED, batchSize * 2);
      left -= batch.length;
      for (const { id } of batch) {
        owed.delete(id);
        held.delete(id);
      }
    }
  }

  /** What the ledger does not take, whatever is wrong with it, must not hold up all others. */
  function postpone(batch: readonly TokenSettlement[], error: unknown): void {
    if (!hasFailed) logger.error('token budgets cannot be settled, and wait', { error });
    hasFailed = true;
    for (const { id, used } of batch) {
      owed.delete(id);
      owed.set(id, used);
    }
    if (closing === null) timer = clock.setTimer(settleSoon, RETRY_MS);
  }

  function settleSoon(): void {
    settling ??= settleOwed().finally(() => {
      settling = null;
      if (owed.size > 0 && timer === null && closing === null) settleSoon();
    });
  }

  /** The day before is kept: calls may have begun on it. */
  async function forgetOld(day: number): Promise<void> {
    if (day <= keptFrom) return;
    keptFrom = day;
    await ledger.forgetBefore(day - 1);
  }

  async function end(): Promise<void> {
    timer?.cancel();
    const untilMs = clock.monotonicMs() + CLOSE_MS;
    for (let tries = CLOSE_TRIES; owed.size > 0 && tries > 0; tries--) {
      settleSoon();
      await settling;
      // A database that hangs takes long for each try.
      if (clock.monotonicMs() >= untilMs) break;
      if (owed.size > 0) await wait(CLOSE_MS / CLOSE_TRIES);
    }
    if (owed.size === 0) return;
    logger.error('calls count with all that was reserved for them', { calls: owed.size });
  }

  return {
    async reserve({ key, tokens, perDay }, worker) {
      const now = clock.now().getTime();
      const day = Math.floor(now / DAY_MS);
      const id = randomUUID();
      try {
        await forgetOld(day);
        const used = await ledger.reserve({ id, key, day, tokens }, perDay);
        isUnreadable = false;
        if (used === null) {
          held.set(id, { key, day, tokens, worker });
          return { id };
        }
        let returning = 0;
        for (const each of held.values()) {
          if (each.key === key && each.day === day) returning += each.tokens;
        }
        const isHeld = used - returning + tokens <= perDay;
        const dayEndsMs = (day + 1) * DAY_MS - now;
        const retryAfterMs = isHeld ? Math.min(HELD_MS, dayEndsMs) : dayEndsMs;
        return { id: null, left: Math.max(0, perDay - used), retryAfterMs, isHeld };
      } catch (cause) {
        // Once, until they can be read again: each refused call would be a line.
        if (!isUnreadable) logger.error('token budgets cannot be read', { error: cause });
        isUnreadable = true;
        const message = 'The database of the token budgets does not answer.';
        throw new ProbityError('unavailable', message, { cause });
      }
    },
    settle(id, used) {
      owed.set(id, used);
      if (timer === null) settleSoon();
    },
    leave(worker) {
      for (const [id, each] of held) if (each.worker === worker && !owed.has(id)) held.delete(id);
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}

function firstOf(owed: ReadonlyMap<string, number>, count: number): TokenSettlement[] {
  const first: TokenSettlement[] = [];
  for (const [id, used] of owed) {
    if (first.length === count) break;
    first.push({ id, used });
  }
  return first;
}
