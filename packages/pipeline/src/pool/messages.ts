import type { PipelineConfig } from '../config.ts';
import type { ScanInput, ScanResult, StageReport } from '../types.ts';

/** What a thread makes its pipeline of. */
export interface PoolSource {
  readonly config?: PipelineConfig | undefined;
  /** URL of a module whose export `pipeline` is taken. */
  readonly module?: string | undefined;
}

/**
 * What a thread is sent: a scan, the end of one whose result is no longer needed, or the question whether its
 * event loop turns.
 */
export type PoolRequest =
  | { readonly key: number; readonly input: ScanInput }
  | { readonly key: number; readonly cancel: true }
  | { readonly isAlive: true };

/** What a thread answers. */
export type PoolAnswer =
  | { readonly isAlive: true }
  | { readonly key: number; readonly result: ScanResult }
  | { readonly key: number; readonly canceled: readonly StageReport[] }
  | { readonly key: number; readonly error: unknown };
