import { ScanCanceledError, StageTimeoutError } from './errors.ts';
import type { ScanSignal, StageName, StageStatus } from './types.ts';

/** What a scan needs from its surroundings; all have defaults and all can be replaced in tests. */
export interface PipelineRuntime {
  /** Monotonic clock in milliseconds. Default `performance.now`. */
  readonly now: () => number;
  /** Lets the event loop turn once. By default the scans of a pipeline take turns, one per turn. */
  readonly yieldToLoop: () => Promise<void>;
  /** Calls `run` after `delayMs`; returns what cancels it. Default `setTimeout`. */
  readonly startTimer: (run: () => void, delayMs: number) => () => void;
}

/** The runtime of one pipeline in a production process. */
export function createRuntime(): PipelineRuntime {
  return {
    now: () => performance.now(),
    yieldToLoop: createTurnQueue(),
    startTimer: (run, delayMs) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

/** How long a scan computes before it lets the event loop turn, in milliseconds. */
const TURN_MS = 6;

/** When the event loop last had its turn in this scan; shared by its stages. */
export interface TurnState {
  lastTurn: number;
}

/** Whether the event loop is to have its turn. */
export function isTurnDue({ lastTurn }: TurnState, now: number): boolean {
  return now - lastTurn > TURN_MS;
}

/** The time budget of one stage in one scan. */
export interface StageBudget {
  readonly stage: StageName;
  readonly timeoutMs: number;
  readonly startedAt: number;
  readonly callerSignal: ScanSignal | undefined;
  /** Time spent waiting for a turn of the event loop, which is not the stage's own. */
  waitedMs: number;
  /** Since when the stage waits for a turn; undefined while it has the turn. */
  waitingSince: number | undefined;
  /** How the stage ended; set when it is over, so that work left behind stops at its next checkpoint. */
  ended: StageStatus | undefined;
}

/** Starts the budget of a stage at `startedAt`. */
export function startBudget(
  stage: StageName,
  timeoutMs: number,
  startedAt: number,
  callerSignal: ScanSignal | undefined,
): StageBudget {
  const counters = { waitedMs: 0, waitingSince: undefined, ended: undefined };
  return { stage, timeoutMs, startedAt, callerSignal, ...counters };
}

/** The stage's own time until `now`, in milliseconds: all but waiting for its turn. */
export function spentMs({ startedAt, waitedMs, waitingSince }: StageBudget, now: number): number {
  return (waitingSince ?? now) - startedAt - waitedMs;
}

/**
 * The function behind `StageContext.checkpoint`: costs one clock reading; asks for a turn of the
 * event loop after 6 ms of computing.
 */
export function createCheckpoint(
  budget: StageBudget,
  turn: TurnState,
  runtime: PipelineRuntime,
): () => Promise<void> | undefined {
  function check(now: number): void {
    if (budget.callerSignal?.aborted) throw new ScanCanceledError([], budget.callerSignal.reason);
    if (budget.ended !== undefined || spentMs(budget, now) > budget.timeoutMs) {
      throw new StageTimeoutError(budget.stage, budget.timeoutMs);
    }
  }
  async function takeTurn(since: number): Promise<void> {
    budget.waitingSince = since;
    await runtime.yieldToLoop();
    turn.lastTurn = runtime.now();
    if (budget.waitingSince === since) {
      budget.waitedMs += turn.lastTurn - since;
      budget.waitingSince = undefined;
    }
    check(turn.lastTurn);
  }
  return () => {
    const now = runtime.now();
    // A stage that comes here again without having waited went on computing meanwhile.
    budget.waitingSince = undefined;
    check(now);
    if (!isTurnDue(turn, now)) return undefined;
    const pending = takeTurn(now);
    // A stage that does not await it must not bring the process down; the next checkpoint throws.
    pending.catch(() => {});
    return pending;
  };
}

/**
 * Makes the function that gives, when a scan begins, since when scans of this turn of the event loop
 * compute: many scans that begin at once share what one may take before the loop turns.
 */
export function createTurnClock(now: () => number): () => number {
  let startedAt: number | undefined;
  const forget = () => {
    startedAt = undefined;
  };
  return () => {
    if (startedAt !== undefined) return startedAt;
    startedAt = now();
    setImmediate(forget);
    return startedAt;
  };
}

/**
 * Makes the function by which the scans of a pipeline let the event loop turn. Waiting scans go on in
 * the order in which they came, one per turn of the loop: with many scans at once, requests and timers
 * still get their turn between any two pieces of work, and no scan starves another.
 */
export function createTurnQueue(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  function next(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
}
