import type { SecretType } from './secret-row.ts';

/** A secret in a text; offsets are those of the view that was searched. */
export interface FoundSecret {
  readonly type: SecretType;
  readonly start: number;
  readonly end: number;
  /** Confidence, 0 to 1. */
  readonly score: number;
  /** Names the vendor or the form, never the value. */
  readonly reason: string;
}
