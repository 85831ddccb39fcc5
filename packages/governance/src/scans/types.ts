import type {
  DecidedFinding,
  Field,
  PolicyDecision,
  RedactedTexts,
  Scores,
  StageName,
  StageStatus,
  ViolationCode,
} from '@probity/pipeline';
import type { Alert } from '../alerts/types.ts';

/** What a scan decided: whether the content may go on. */
export type Verdict = PolicyDecision['verdict'];

/**
 * The scores that are answered and stored. The last two belong to stages that need something to compare
 * with, and are there where the pipeline has these stages.
 */
export type ScanScores = Pick<Scores, 'pii' | 'injection' | 'toxicity' | 'hallucination'> &
  Partial<Pick<Scores, 'truth' | 'contamination'>>;

/** A finding as it is answered and stored: where and what, never the matched text. */
export type ScanFinding = Omit<DecidedFinding, 'reason' | 'field'> & {
  readonly field: Exclude<Field, 'system'>;
};

/** A customer's own tags of a scan. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** The policy that blocked a scan. */
export interface ScanViolation {
  readonly policyId: string;
  readonly code: ViolationCode;
  /** Stage and types, never the matched text. */
  readonly reason: string;
}

/** How one stage of a scan ended. */
export interface ScanStage {
  readonly name: StageName;
  readonly status: StageStatus;
  /** The stage's own time in milliseconds. */
  readonly durationMs: number;
}

/** What is kept of a scan. The texts themselves are not. */
export interface Scan {
  /** `scn_…` */
  readonly id: string;
  readonly organizationId: string;
  /** The member whose key asked. */
  readonly memberId: string;
  readonly keyId: string;
  readonly verdict: Verdict;
  readonly scores: ScanScores;
  /** At most {@link MAX_FINDINGS}; where there were more, the most severe ones, these first. */
  readonly findings: readonly ScanFinding[];
  /** How many findings there were, listed or not. */
  readonly findingCount: number;
  /** The policies that decided. */
  readonly policyIds: readonly string[];
  /** Present exactly when the verdict is `blocked`. */
  readonly violation: ScanViolation | null;
  readonly metadata: Metadata;
  /** SHA-256 of the prompt's UTF-8 in lower-case hex; null where there was none. */
  readonly promptHash: string | null;
  readonly responseHash: string;
  /** Over the JSON array of the passages; null where there were none. */
  readonly contextHash: string | null;
  /** Milliseconds in the pipeline, to the microsecond. */
  readonly durationMs: number;
  readonly createdAt: Date;
}

/** Whether a scan found personal data; where findings are left out, it may have. */
export function hasPersonalData({ findings, findingCount }: Scan): boolean {
  return findingCount > findings.length || findings.some(({ stage }) => stage === 'pii_scanner');
}

/** The largest number of findings answered and stored with a scan. */
export const MAX_FINDINGS = 1_000;

/** What is to be scanned. */
export interface ScanRequest {
  readonly prompt?: string | null | undefined;
  readonly response: string;
  /** Retrieved passages, in the order in which the model saw them. */
  readonly context?: string | readonly string[] | null | undefined;
  /** The policies that decide; absent means all of the organization's. */
  readonly policyIds?: readonly string[] | null | undefined;
  readonly metadata?: Metadata | null | undefined;
}

/** The answer to a scan. */
export interface ScanOutcome {
  /** As it is stored. */
  readonly scan: Scan;
  /** How each stage ended, in running order; what is not `ok` has not looked at everything. */
  readonly stages: readonly ScanStage[];
  /** The texts with placeholders; null where no policy redacts anything. */
  readonly redacted: RedactedTexts | null;
  /** The alert that the scan made, if any. */
  readonly alert: Alert | null;
}
