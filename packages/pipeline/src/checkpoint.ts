import { ScanCancelledError, StageTimeoutError } from './errors.ts';
import type { StageName } from './types.ts';

/** What a scan needs from its surroundings; all have defaults and all can be replaced in tests. */
export interface PipelineRuntime {
  /** Monotonic clock in milliseconds. Default `performance.now`. */
  readonly now: () => number;
  /** Lets the event loop turn once. Default a promise over `setImmediate`. */
  readonly yieldToLoop: () => Promise<void>;
  /** Calls `run` after `delayMs`; returns what cancels it. Default an unreferenced `setTimeout`. */
  readonly startTimer: (run: () => void, delayMs: number) => () => void;
}

/** The runtime of a production process. */
export const DEFAULT_RUNTIME: PipelineRuntime = Object.freeze({
  now: () => performance.now(),
  yieldToLoop: () => new Promise<void>((resolve) => setImmediate(resolve)),
  startTimer: (run: () => void, delayMs: number) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
});

/** How long a scan computes before it lets the event loop turn, in milliseconds. */
const TURN_MS = 6;

/** When the event loop last had its turn in this scan; shared by its stages. */
export interface TurnState {
  lastTurn: number;
}

/** The time budget of one stage in one scan. */
export interface StageBudget {
  readonly stage: StageName;
  readonly timeoutMs: number;
  readonly startedAt: number;
  readonly callerSignal: AbortSignal | undefined;
  /** Set when the stage has been given up, so that work left behind stops at its next checkpoint. */
  ended: boolean;
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
    if (budget.callerSignal?.aborted) throw new ScanCancelledError([], budget.callerSignal.reason);
    if (budget.ended || now - budget.startedAt > budget.timeoutMs) {
      throw new StageTimeoutError(budget.stage, budget.timeoutMs);
    }
  }
  async function takeTurn(): Promise<void> {
    await runtime.yieldToLoop();
    turn.lastTurn = runtime.now();
    check(turn.lastTurn);
  }
  return () => {
    const now = runtime.now();
    check(now);
    if (now - turn.lastTurn <= TURN_MS) return undefined;
    const pending = takeTurn();
    // A stage that does not await it must not bring the process down; the next checkpoint throws.
    pending.catch(() => {});
    return pending;
  };
}
