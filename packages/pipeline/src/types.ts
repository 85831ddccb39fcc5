import type { ScanMaterial } from './scan-material.ts';
import type { StageFacts } from './stage-definition.ts';
import type { BuiltInStageName, KnownScore } from './stage-names.ts';
import type { TextBlock } from './text/prepared-text.ts';

/**
 * The name of a stage: one of this package, as the specification's key `scanning.stages[].name` lists
 * them, or one made by `defineStage`.
 */
export type StageName = BuiltInStageName | (string & Record<never, never>);

/** The part of the input that a text belongs to. */
export type Field = 'prompt' | 'response' | 'context' | 'system';

/** What is scanned: a model's answer, and optionally what led to it. */
export interface ScanInput {
  /** Messages of the role `system` or `developer`: the instructions of its operator. */
  readonly system?: string | undefined;
  readonly prompt?: string | undefined;
  readonly response: string;
  /** Retrieved passages, in the order in which the model saw them. */
  readonly context?: readonly string[] | undefined;
}

/** A half-open range of UTF-16 code units in the original text of a field. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What a stage reports about one place. `score` is the confidence, 0 to 1, that it is what `type` says. */
export interface StageFinding extends TextRange {
  readonly type: string;
  readonly score: number;
  readonly field: Field;
  /** Index into `ScanInput.context`; present only where `field` is `context`. */
  readonly contextIndex?: number;
  /** Short, in plain words, never repeating the matched text. */
  readonly reason: string;
  /** Number of the statement in the knowledge base; present only on findings of the truth stages. */
  readonly nugget?: number;
  /** What the caller calls that statement, where it was given with an id. */
  readonly nuggetId?: string;
}

/** A finding as the pipeline returns it: it names its stage. */
export interface Finding extends StageFinding {
  readonly stage: StageName;
}

/** Findings that were made and not listed: how many of a stage have this type and score. */
export interface FindingGroup {
  readonly stage: StageName;
  readonly type: string;
  readonly score: number;
  readonly count: number;
}

/** One text of the input, cut into prepared blocks that all stages share. */
export interface PreparedField {
  readonly field: Field;
  readonly contextIndex?: number;
  readonly text: string;
  readonly blocks: readonly TextBlock[];
}

/** What a stage sees while it runs. */
export interface StageContext {
  /** The fields that the stage reads and that are there, in order: prompt, response, context, system. */
  readonly fields: readonly PreparedField[];
  /** What this scan compares with beside the stage's options. */
  readonly material?: ScanMaterial | undefined;
  /**
   * Reports a finding as soon as it is made: what was reported counts, whether or not the stage gets
   * to its end.
   *
   * @throws StageTimeoutError when the stage has been given up
   */
  report(finding: StageFinding): void;
  /**
   * Sets the stage's score for the whole input, 0 to 1, as far as it has come; the last one set
   * counts. Without a call there is none. Null says that the texts are of a kind that the stage does not
   * cover, such as another language: its status is `not_covered` then, where it ends without a failure.
   *
   * @throws StageTimeoutError when the stage has been given up
   */
  setScore(score: number | null): void;
  /** Aborts when the scan is canceled or this stage's time is up; for work that waits. */
  readonly signal: AbortSignal;
  /** What is left of the stage's own time, in milliseconds; for work that waits. */
  readonly remainingMs: number;
  /**
   * To be called between units of work of a few milliseconds at most. Returns a promise to await
   * when the event loop is due for a turn, else undefined. The time until the turn comes does not
   * count against the stage's budget.
   *
   * @throws StageTimeoutError when the time budget is spent
   * @throws ScanCanceledError when the caller's signal aborted
   */
  checkpoint(): Promise<void> | undefined;
}

/**
 * One detector. Order, enabling, failure mode and time budget are configuration and never known to
 * the stage; what it may read is `targets`, and system text as `StageConfig.system` says.
 */
export interface Stage {
  readonly name: StageName;
  readonly targets: readonly Field[];
  run(context: StageContext): void | Promise<void>;
  /** Loads what is otherwise loaded at the first text: code, weights. Called by `Pipeline.preload`. */
  load?(): void | Promise<void>;
  /**
   * Whether what it reports of a text depends on the field and the text alone, not on the texts beside it nor on
   * material. It covers every text; its score is the largest over the fields, or where `scoring` is `risk` the combined
   * risk of its findings. Default false.
   */
  readonly readsFieldsApart?: boolean | undefined;
}

/**
 * How a stage ended. `not_covered`: to its end, but the texts are of a kind of which it can say nothing, such as
 * a language that it does not know; policies take it for `ok`. All others have not looked at
 * everything; `not_reached` follows a cancellation in an earlier stage.
 */
export type StageStatus = 'ok' | 'not_covered' | 'timeout' | 'failed' | 'cancelled' | 'not_reached';

/** One line per enabled stage, in configured order. */
export interface StageReport {
  readonly stage: StageName;
  readonly status: StageStatus;
  /** The stage's own time, without waiting for its turn beside other work. */
  readonly durationMs: number;
  /** The message of what the stage threw; present where the status is `failed`. */
  readonly error?: string;
  /** What policies go by; present where the stage is not as this package defines it. */
  readonly facts?: StageFacts;
}

/**
 * The scores of a scan, 0 to 1, by the member that the definitions of the stages name: `pii`,
 * `injection`, `toxicity`, `hallucination`, `truth` (likelihood that a claim of prompt or response
 * contradicts the knowledge base) and `contamination` always, null where the stage is off or
 * does not cover the texts; those of other stages where they are on. Of a stage that did not finish, the score of what it found, or null
 * where it found nothing.
 */
export type Scores = Readonly<Record<KnownScore, number | null>> &
  Readonly<Record<string, number | null>>;

/**
 * What cancels a scan: an AbortSignal, or an object with these members of one. A short scan reads `aborted` alone, between its
 * stages and at checkpoints, and listens only while a stage waits; so timers and controllers can be made at the first listener.
 */
export interface ScanSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(
    type: 'abort',
    listener: () => void,
    options?: { readonly once?: boolean },
  ): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The outcome of one scan, before any policy. */
export interface ScanResult {
  readonly stages: readonly StageReport[];
  /** At most `PipelineConfig.maxFindings`: the most severe ones, in the order found. */
  readonly findings: readonly Finding[];
  /** Whether there were more findings than are listed. */
  readonly findingsTruncated: boolean;
  /** The findings that are not listed, by stage, type and score; policies decide on them as well. */
  readonly omitted: readonly FindingGroup[];
  /** Over all findings, listed or not. */
  readonly scores: Scores;
  /** Stages that failed or ran out of time although configured with `failOpen: false`. */
  readonly failedClosed: readonly StageName[];
  readonly durationMs: number;
}
