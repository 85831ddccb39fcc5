import type { ModelChoice } from './options.ts';

/** How the vectors of the words become that of the text. */
export type Pooling = 'mean' | 'cls' | 'last_token';

/** Set-up of a thread, by the task of its model. */
export type ThreadSetUp =
  | {
      readonly task: 'classify';
      readonly model: ModelChoice;
      /** The one text that is made of a text and its pair; undefined where the tokenizer joins them. */
      readonly template?: string | undefined;
      /** The labels that a model of tokens or spans looks for; undefined for models of whole texts only. */
      readonly entities?: readonly EntityLabel[] | undefined;
    }
  | { readonly task: 'embed'; readonly model: ModelChoice; readonly pooling: Pooling }
  | {
      readonly task: 'meaning';
      /** In whose `node_modules` the encoder is; undefined for where this package finds it. */
      readonly folder: string | undefined;
      readonly batchSize: number;
    };

/** A label of a model that labels words. */
export interface EntityLabel {
  /** The name in the model, without `B-` and the like; for a model that reads its labels, any words. */
  readonly label: string;
  readonly type: string;
  /** The probability that becomes a score of 0.5. */
  readonly threshold: number;
}

/** A part of a text that a model has labeled. */
export interface LabeledSpan {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** One text to run, or two that are read together. */
export interface ModelInput {
  readonly text: string;
  readonly pair?: string;
}

/** To the thread. `cancel` without effect on what runs already. */
export type ThreadRequest =
  | { readonly kind: 'run'; readonly key: number; readonly inputs: readonly ModelInput[] }
  | { readonly kind: 'cancel'; readonly key: number };

/** What a model gives for a list of texts: a row of numbers each. */
export interface ModelRows {
  /** Names of the classes, one per column; empty for vectors. */
  readonly labels: readonly string[];
  readonly rows: readonly Float32Array[];
  /** The spans in each text, from a model of tokens or spans; `rows` is empty then. */
  readonly spans?: readonly (readonly LabeledSpan[])[] | undefined;
}

/** Why the model could not be had or run. */
type ModelFailure = 'missing' | 'model';

/** From the thread. */
export type ThreadAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly failure: ModelFailure; readonly message: string }
  | { readonly kind: 'done'; readonly key: number; readonly result: ModelRows }
  | { readonly kind: 'failed'; readonly key: number; readonly message: string };
