import {
  createCheckpoint,
  type PipelineRuntime,
  type StageBudget,
  type TurnState,
} from './checkpoint.ts';
import type { ResolvedStageConfig } from './config.ts';
import { ScanCancelledError, StageTimeoutError } from './errors.ts';
import type { Stage, StageContext, StageResult, StageStatus } from './types.ts';

/** How one stage ended: its status, how long it took, and its result where it finished in time. */
export interface StageOutcome {
  readonly status: StageStatus;
  readonly durationMs: number;
  readonly result?: StageResult;
}

/** A stage with its configuration. */
export interface ConfiguredStage {
  readonly stage: Stage;
  readonly config: ResolvedStageConfig;
}

/** What a stage gets to do. */
export type StageWork = Pick<StageContext, 'fields' | 'maxFindings'>;

/**
 * Runs one stage within its time budget and never throws: what the stage throws becomes its status.
 * A stage that waits for something is given up when its time is over; a result that comes later
 * than the budget allows counts as a timeout, too. Synchronous where the stage is.
 */
export function runStage(
  { stage, config }: ConfiguredStage,
  work: StageWork,
  turn: TurnState,
  signal: AbortSignal | undefined,
  runtime: PipelineRuntime,
): StageOutcome | Promise<StageOutcome> {
  const startedAt = runtime.now();
  const { timeoutMs } = config;
  const budget = { stage: stage.name, timeoutMs, startedAt, callerSignal: signal, ended: false };
  const abort = createLazyAbort();
  const end = (status: StageStatus, result?: StageResult): StageOutcome => {
    budget.ended = true;
    const durationMs = runtime.now() - startedAt;
    const late = status === 'ok' && durationMs > timeoutMs;
    if (late || result === undefined) return { status: late ? 'timeout' : status, durationMs };
    return { status, durationMs, result };
  };
  const fail = (error: unknown): StageOutcome => {
    abort.abort(error);
    return end(statusOf(error, signal));
  };
  try {
    const running = stage.run(createContext(work, budget, turn, runtime, abort));
    if (!isPromise(running)) return end('ok', running);
    return withinBudget(running, budget, runtime).then((result) => end('ok', result), fail);
  } catch (error) {
    return fail(error);
  }
}

function createContext(
  work: StageWork,
  budget: StageBudget,
  turn: TurnState,
  runtime: PipelineRuntime,
  abort: LazyAbort,
): StageContext {
  return {
    ...work,
    checkpoint: createCheckpoint(budget, turn, runtime),
    get signal() {
      return abort.signal();
    },
  };
}

/** The stage's promise, or a rejection when its time is over or the caller cancels. */
function withinBudget(
  running: Promise<StageResult>,
  budget: StageBudget,
  runtime: PipelineRuntime,
): Promise<StageResult> {
  return new Promise((resolve, reject) => {
    const { callerSignal, stage, timeoutMs } = budget;
    const remaining = Math.max(0, timeoutMs - (runtime.now() - budget.startedAt));
    const stopTimer = runtime.startTimer(
      () => reject(new StageTimeoutError(stage, timeoutMs)),
      remaining,
    );
    const cancel = () => reject(new ScanCancelledError([], callerSignal?.reason));
    callerSignal?.addEventListener('abort', cancel, { once: true });
    if (callerSignal?.aborted) cancel();
    const settled = () => {
      stopTimer();
      callerSignal?.removeEventListener('abort', cancel);
    };
    running.then(resolve, reject).finally(settled);
  });
}

function statusOf(error: unknown, signal: AbortSignal | undefined): StageStatus {
  if (signal?.aborted) return 'cancelled';
  return error instanceof StageTimeoutError ? 'timeout' : 'failed';
}

interface LazyAbort {
  signal(): AbortSignal;
  abort(reason: unknown): void;
}

// Most stages never look at the signal, and an AbortController costs more than a short scan's stage.
function createLazyAbort(): LazyAbort {
  let controller: AbortController | undefined;
  let aborted: { reason: unknown } | undefined;
  return {
    signal() {
      controller ??= new AbortController();
      if (aborted !== undefined) controller.abort(aborted.reason);
      return controller.signal;
    },
    abort(reason) {
      aborted = { reason };
      controller?.abort(reason);
    },
  };
}

function isPromise(value: StageResult | Promise<StageResult>): value is Promise<StageResult> {
  return 'then' in value;
}
