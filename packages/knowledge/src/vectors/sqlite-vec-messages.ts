import type { VectorChanges, VectorFilter, VectorMatch } from './types.ts';

/** What the thread of a vector file is started with. */
export interface VectorThreadSetUp {
  /** Path of the extension, without the suffix of the system or with it. */
  readonly extension: string;
  readonly file: string;
}

/** A call of the store; each member is the list of its arguments. */
export interface VectorCalls {
  position: [collection: string];
  apply: [collection: string, changes: VectorChanges];
  search: [collection: string, vector: Float32Array, count: number, filter?: VectorFilter];
  collections: [];
  drop: [collection: string];
  close: [];
}

/** The results of the calls. */
export interface VectorResults {
  position: number;
  apply: boolean;
  search: VectorMatch[];
  collections: string[];
  drop: null;
  close: null;
}

/** A call as it is sent to the thread. */
export interface VectorRequest<Name extends keyof VectorCalls = keyof VectorCalls> {
  readonly key: number;
  readonly name: Name;
  readonly args: VectorCalls[Name];
}

/** The answer of the thread. */
export type VectorAnswer =
  | { readonly key: number; readonly result: VectorResults[keyof VectorResults] }
  | { readonly key: number; readonly error: unknown };
