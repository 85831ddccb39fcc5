import type { PreparedField, StageContext, StageFinding } from '../types.ts';

/** Receivers of the reports and scores of a stage; the default passes them on. */
export interface Watch {
  /** The fields that the stage is to read. */
  readonly fields?: readonly PreparedField[];
  readonly report?: (finding: StageFinding) => void;
  readonly setScore?: (score: number | null) => void;
}

/** The context of a stage that keeps its findings and its score. */
export class WatchedContext implements StageContext {
  readonly fields: readonly PreparedField[];
  readonly checkpoint: () => Promise<void> | undefined;
  readonly findings: StageFinding[] = [];
  score = 0;
  readonly #context: StageContext;
  readonly #watch: Watch;

  constructor(context: StageContext, watch: Watch = {}) {
    this.fields = watch.fields ?? context.fields;
    this.checkpoint = context.checkpoint;
    this.#context = context;
    this.#watch = watch;
  }

  readonly report = (finding: StageFinding): void => {
    (this.#watch.report ?? this.#context.report)(finding);
    this.findings.push(finding);
  };

  readonly setScore = (score: number | null): void => {
    (this.#watch.setScore ?? this.#context.setScore)(score);
    this.score = score ?? 0;
  };

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get remainingMs(): number {
    return this.#context.remainingMs;
  }
}
