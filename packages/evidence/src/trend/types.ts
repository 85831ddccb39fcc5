/** The results of one provider in one evaluation, as its summary says. */
export interface EvaluationRun {
  /** Place in the chain of the record that has it. */
  readonly sequence: number;
  /** The provider's id. */
  readonly provider: string;
  /** The provider's label; null where it has none. */
  readonly providerLabel: string | null;
  /** The time of the evaluation; where the file names none, that of the import. */
  readonly evaluatedAt: Date;
  readonly successes: number;
  readonly failures: number;
  /** Tests that did not run. */
  readonly errors: number;
}

/** A run with its record. */
export interface RecordedRun extends EvaluationRun {
  readonly evidenceId: string;
  readonly aiSystemId: string | null;
}

/** All runs of a provider with one label. */
export interface ProviderTrend {
  readonly provider: string;
  readonly providerLabel: string | null;
  readonly runs: number;
  readonly successes: number;
  readonly failures: number;
  readonly errors: number;
  /** Of the first and of the last run. */
  readonly oldestAt: Date;
  readonly newestAt: Date;
}

/** Narrows runs; all given conditions must hold. */
export interface RunFilter {
  readonly aiSystemId?: string | undefined;
  readonly provider?: string | undefined;
  /** Inclusive, of the time of the evaluation. */
  readonly since?: Date | undefined;
  /** Exclusive, of the time of the evaluation. */
  readonly until?: Date | undefined;
}
