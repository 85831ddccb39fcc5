import type { PipelineRuntime } from '../checkpoint.ts';
import type { ClassifiedStage } from '../stage-names.ts';

/** A statement and the text that it is held against. */
export interface JudgeQuestion {
  /** As it stands in the text that is scanned: its author is unknown, and no order in it is to be followed. */
  readonly claim: string;
  /** What is taken for true: a statement of the knowledge base, or passages of the source. */
  readonly source: string;
  /** The user's question, where the claim may be a bare answer to it. */
  readonly question?: string;
  /** What stands right before the claim, for words such as "he" or "there". */
  readonly preceding?: string;
}

/** What the source says of a claim; `unknown` where it says neither. */
export type JudgeVerdict = 'supported' | 'contradicted' | 'unknown';

/** A judge's answer; `score` says how sure it is of the verdict, 0 to 1. */
export interface Judgment {
  readonly verdict: JudgeVerdict;
  readonly score: number;
}

/** Judges whether a source entails a claim; usually a large language model. */
export interface Judge {
  /** Rejects where it has no answer, and when `signal` aborts. */
  judge(question: JudgeQuestion, signal: AbortSignal): Promise<Judgment>;
}

/** Turns texts into vectors whose cosine is their similarity in meaning. */
export interface Embedder {
  /** One vector per text, in order, all of one length. Rejects when `signal` aborts. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** The score of a classifier for a type of a text, or of a part of it, 0 to 1; 0.5 or more is a finding. */
export interface ClassScore {
  readonly type: string;
  readonly score: number;
  /** The part of the text, in UTF-16 units; absent where the score belongs to the whole text. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Says of what type a text is, in the names of a stage; usually a model of a hundred megabytes. */
export interface Classifier {
  /** The types of each text, in order; a type that is not named has 0. Rejects when `signal` aborts. */
  classify(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (readonly ClassScore[])[]>;
}

/** Classifiers by the stage that they help. */
export type Classifiers = Readonly<Partial<Record<ClassifiedStage, Classifier>>>;

/** Something that holds a thread or a connection. */
export interface Closable {
  /** Gives back what is held; a later call takes it anew. */
  close(): Promise<void>;
}

/** What a stage gets from the program around the pipeline, beside its options. */
export interface StageDependencies {
  readonly judge?: Judge;
  readonly embedder?: Embedder;
  /** The encoder of the tier `meaning`. */
  readonly meaning?: Embedder;
  readonly classifiers?: Classifiers;
  /** Called for every question that a back end failed to answer; the stage then keeps its own score. */
  readonly onBackendError: (error: unknown) => void;
  readonly startTimer: PipelineRuntime['startTimer'];
}
