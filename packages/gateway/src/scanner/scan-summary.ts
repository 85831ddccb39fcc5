import type { DecidedScan, ScanStage } from '@probity/governance';
import type {
  DecidedFinding,
  PolicyDecision,
  RedactedTexts,
  ScanResult,
  Violation,
} from '@probity/pipeline';
import type { Bypass } from '../snapshot/allowlists.ts';

/** How a scan ended, as log records name it. */
export type ScanOutcomeName = 'allowed' | 'flagged' | 'redacted' | 'blocked' | 'bypassed';

/** What every entrance, the log and the metrics show of a scan. */
export interface ScanSummary {
  readonly outcome: ScanOutcomeName;
  /** Why the text was not scanned; null where it was. */
  readonly bypass: Bypass | null;
  /** Whether a stage did not come to its end, and the scan went on without it. */
  readonly isDegraded: boolean;
  readonly findings: readonly DecidedFinding[];
  /** Findings that are not listed. */
  readonly omitted: readonly {
    readonly stage: string;
    readonly type: string;
    readonly count: number;
  }[];
  /** The stages that ran, in order; none of a stream that was blocked before its end. */
  readonly stages: readonly ScanStage[];
  readonly scores: Readonly<Record<string, number | null>>;
  readonly violation: Violation | null;
  readonly redacted: RedactedTexts | null;
  readonly scannedAt: Date;
}

/** The summary of a scan of whole texts. */
export function summaryOf(decided: DecidedScan, bypass: Bypass | null): ScanSummary {
  const { scan, stages, judgment, redacted } = decided;
  const { decision } = judgment;
  return {
    outcome: outcomeOf(decision, bypass),
    bypass,
    isDegraded: stages.some(isUnfinished),
    findings: decision.findings,
    omitted: (scan.facts?.omitted ?? []).map(([stage, type, , count]) => ({ stage, type, count })),
    stages,
    scores: scan.scores,
    violation: decision.violation ?? null,
    // gRPC takes no conversations, and the answer of HTTP has them from the decision itself.
    redacted: redacted && 'response' in redacted ? redacted : null,
    scannedAt: scan.createdAt,
  };
}

/** The summary of a text that came in parts. */
export function streamSummaryOf(
  decision: PolicyDecision,
  result: ScanResult | undefined,
  bypass: Bypass | null,
  scannedAt: Date,
): ScanSummary {
  const stages = (result?.stages ?? []).map(({ stage, status, durationMs }) => ({
    name: stage,
    status,
    durationMs,
  }));
  return {
    outcome: outcomeOf(decision, bypass),
    bypass,
    isDegraded: stages.some(isUnfinished),
    findings: decision.findings,
    omitted: result?.omitted ?? [],
    stages,
    scores: result?.scores ?? {},
    violation: decision.violation ?? null,
    redacted: decision.redacted ?? null,
    scannedAt,
  };
}

function outcomeOf(
  { verdict, redacted }: Pick<PolicyDecision, 'verdict' | 'redacted'>,
  bypass: Bypass | null,
): ScanOutcomeName {
  if (bypass !== null) return 'bypassed';
  return redacted === undefined ? verdict : 'redacted';
}

function isUnfinished({ status }: ScanStage): boolean {
  return status === 'failed' || status === 'timeout';
}
