import type { PipelineRuntime, StageBudget, TurnState } from './checkpoint.ts';
import { createCheckpoint, spentMs, startBudget } from './checkpoint.ts';
import type { ResolvedStageConfig } from './config.ts';
import { ScanCanceledError, StageTimeoutError } from './errors.ts';
import { runFieldsApart } from './fields-apart.ts';
import type { FindingList } from './finding-list.ts';
import type { KeptFields } from './kept-fields.ts';
import type { ScanMaterial } from './scan-material.ts';
import { forgetScannedTexts } from './scan-memory.ts';
import type {
  PreparedField,
  ScanSignal,
  Stage,
  StageContext,
  StageFinding,
  StageStatus,
} from './types.ts';

/** How one stage ended: its status, its own time, and its score as far as it came. */
export interface StageOutcome {
  readonly status: StageStatus;
  readonly durationMs: number;
  readonly score: number | null;
  /** Present where the status is `failed`. */
  readonly error?: string;
}

/** A stage with its configuration. */
export interface ConfiguredStage {
  readonly stage: Stage;
  readonly config: ResolvedStageConfig;
  /** Whether the stage is one of this package as it is, and so loads in a bounded time. */
  readonly isBuiltIn: boolean;
  /** Called with what the stage throws, but for the errors of time-outs and cancellations. */
  readonly onError: (error: unknown) => void;
}

/** What a stage gets to see, and where its findings go. */
export interface StageWork {
  readonly fields: readonly PreparedField[];
  readonly list: FindingList;
  readonly turn: TurnState;
  readonly signal: ScanSignal | undefined;
  readonly material: ScanMaterial | undefined;
  /** What scans before this one found in single texts. */
  readonly kept: KeptFields | undefined;
}

/** Stages whose code and weights are loaded. */
const loaded = new WeakSet<Stage>();

/**
 * Runs one stage, see {@link runLoaded}. Its first run loads code, weights and indexes, for which other scans
 * wait as well: that is not the time of this text. A stage of one's own loads within its budget.
 */
export function runStage(
  configured: ConfiguredStage,
  work: StageWork,
  runtime: PipelineRuntime,
): StageOutcome | Promise<StageOutcome> {
  const { stage, isBuiltIn } = configured;
  const run = () => runLoaded(configured, work, runtime);
  if (!isBuiltIn || loaded.has(stage)) return run();
  return load(stage).then(() => {
    work.turn.lastTurn = runtime.now();
    return run();
  });
}

/** What cannot be loaded fails again, with the same error, when the stage runs. */
async function load(stage: Stage): Promise<void> {
  try {
    await stage.load?.();
    loaded.add(stage);
  } catch {}
}

/**
 * Runs one stage within its time budget and never throws: what the stage throws becomes its status.
 * A stage that waits for something is given up when its time is over; one that ends later than its
 * budget allows counts as a timeout, too. What it reported until then stays. Synchronous where the
 * stage is.
 */
function runLoaded(
  { stage, config, onError }: ConfiguredStage,
  work: StageWork,
  runtime: PipelineRuntime,
): StageOutcome | Promise<StageOutcome> {
  const budget = startBudget(stage.name, config.timeoutMs, runtime.now(), work.signal);
  const abort = createLazyAbort();
  const tally: ScoreTally = { score: null, covered: true };
  const end = (status: StageStatus): StageOutcome => {
    const durationMs = spentMs(budget, runtime.now());
    budget.ended = status;
    if (status === 'ok' && durationMs <= config.timeoutMs) {
      return { status: tally.covered ? 'ok' : 'not_covered', durationMs, score: tally.score };
    }
    // A score of 0 would say that there is nothing; as far as the stage came, there was nothing yet.
    return {
      status: status === 'ok' ? 'timeout' : status,
      durationMs,
      score: tally.score || null,
    };
  };
  const fail = (error: unknown): StageOutcome => {
    abort.abort(error);
    const status = statusOf(error, work.signal);
    if (status !== 'failed') return end(status);
    onError(error);
    return { ...end(status), error: messageOf(error) };
  };
  try {
    const context = new RunningStage(work, budget, tally, runtime, abort);
    const running =
      work.kept !== undefined && stage.readsFieldsApart
        ? runFieldsApart(stage, config.definition, context, work.kept)
        : stage.run(context);
    if (running === undefined) return end('ok');
    return withinBudget(running, budget, runtime).then(() => end('ok'), fail);
  } catch (error) {
    return fail(error);
  }
}

interface ScoreTally {
  score: number | null;
  covered: boolean;
}

// A class: an accessor in an object literal costs every scan a hidden class of its own.
class RunningStage implements StageContext {
  readonly fields: readonly PreparedField[];
  readonly material: ScanMaterial | undefined;
  readonly checkpoint: () => Promise<void> | undefined;
  readonly #list: FindingList;
  readonly #budget: StageBudget;
  readonly #tally: ScoreTally;
  readonly #abort: LazyAbort;
  readonly #runtime: PipelineRuntime;

  constructor(
    { fields, list, turn, material }: StageWork,
    budget: StageBudget,
    tally: ScoreTally,
    runtime: PipelineRuntime,
    abort: LazyAbort,
  ) {
    this.fields = fields;
    this.material = material;
    this.checkpoint = createCheckpoint(budget, turn, runtime);
    this.#list = list;
    this.#budget = budget;
    this.#tally = tally;
    this.#abort = abort;
    this.#runtime = runtime;
  }

  // Stages may take these apart from their object.
  readonly report = (finding: StageFinding): void => {
    this.#refuseWhenEnded();
    this.#list.add(this.#budget.stage, finding);
  };

  readonly setScore = (score: number | null): void => {
    this.#refuseWhenEnded();
    this.#tally.score = score;
    this.#tally.covered = score !== null;
  };

  get signal(): AbortSignal {
    return this.#abort.signal();
  }

  get remainingMs(): number {
    return this.#budget.timeoutMs - spentMs(this.#budget, this.#runtime.now());
  }

  #refuseWhenEnded(): void {
    const { ended, stage, timeoutMs } = this.#budget;
    if (ended === undefined) return;
    if (ended !== 'ok') throw new StageTimeoutError(stage, timeoutMs);
    throw new Error(`stage ${stage} reports after its end: run must return a promise of its work`);
  }
}

/** The stage's promise, or a rejection when its time is over or the caller cancels. */
function withinBudget(
  running: Promise<void>,
  budget: StageBudget,
  runtime: PipelineRuntime,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { callerSignal, stage, timeoutMs } = budget;
    let stopTimer = () => {};
    let isGivenUp = false;
    const giveUp = (error: Error) => {
      isGivenUp = true;
      reject(error);
    };
    // Time that went by while the stage waited for its turn is added to the timer.
    const watch = () => {
      const remainingMs = Math.ceil(timeoutMs - spentMs(budget, runtime.now()));
      if (remainingMs <= 0) giveUp(new StageTimeoutError(stage, timeoutMs));
      else stopTimer = runtime.startTimer(watch, remainingMs);
    };
    watch();
    const cancel = () => giveUp(new ScanCanceledError([], callerSignal?.reason));
    callerSignal?.addEventListener('abort', cancel, { once: true });
    if (callerSignal?.aborted) cancel();
    const settled = () => {
      stopTimer();
      callerSignal?.removeEventListener('abort', cancel);
      // It went on to its next checkpoint, perhaps after the scan had ended.
      if (isGivenUp) forgetScannedTexts();
    };
    running.then(resolve, reject).finally(settled);
  });
}

function statusOf(error: unknown, signal: ScanSignal | undefined): StageStatus {
  if (signal?.aborted) return 'cancelled';
  return error instanceof StageTimeoutError ? 'timeout' : 'failed';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
