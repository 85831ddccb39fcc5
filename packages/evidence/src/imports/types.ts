import type { Evaluation } from '@probity/evaltool';

/** An evaluation to be imported, and what its records are to be linked to. */
export interface EvaluationImport {
  readonly evaluation: Evaluation;
  /** The AI system that the records are about; default none. */
  readonly aiSystemId?: string | null | undefined;
  /** Labels of the records; default none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Whether the redacted reasons of failures are stored; default true. */
  readonly storeGradingReason?: boolean | undefined;
}

/**
 * Replaces personal data and secrets in texts; resolves to as many texts, in the same order. The same value under the
 * same key must have the same replacement, and another value another: provider labels identify systems.
 * `redactTexts` of @probity/pipeline has this form. A rejection fails the import, which then stores nothing.
 */
export type RedactTexts = (
  texts: readonly string[],
  options: {
    /** 32 bytes, of one organization. */
    readonly key: Uint8Array;
  },
) => Promise<readonly string[]>;

/** What an import did. */
export interface ImportResult {
  readonly totalResultsProcessed: number;
  /** New records: of providers, and of failing results. */
  readonly evidenceCreated: number;
  /** Records that an earlier import had created. */
  readonly evidenceSkipped: number;
  /** Links of the new records. */
  readonly obligationLinksCreated: number;
  /** Ids of the new records, in the order of the chain. */
  readonly evidenceIds: readonly string[];
  /** One sentence each. */
  readonly warnings: readonly string[];
}
