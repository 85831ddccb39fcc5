import type { Violation } from './policy.ts';
import type { StageReport, StageStatus } from './types.ts';

/** Whether a stage came to its end. */
export function isFinished(status: StageStatus): boolean {
  return status === 'ok' || status === 'not_covered';
}

/** The reports of the stages that did not come to their end. */
export function unfinishedStages(stages: readonly StageReport[]): readonly StageReport[] {
  return stages.filter(({ status }) => !isFinished(status));
}

/**
 * Why a text is blocked, or which stage did not finish and why: `injection_scanner did not finish:
 * timeout`; null where neither is the case.
 */
export function reasonFor(
  violation: Violation | null,
  failedStages: readonly StageReport[],
): string | null {
  if (violation !== null) return violation.reason;
  if (failedStages.length === 0) return null;
  return failedStages
    .map(({ stage, status, error }) => `${stage} did not finish: ${error ?? status}`)
    .join('; ');
}
