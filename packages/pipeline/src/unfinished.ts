import type { StageReport, StageStatus } from './types.ts';

/** Whether a stage came to its end. */
export function isFinished(status: StageStatus): boolean {
  return status === 'ok' || status === 'not_covered';
}

/** The reports of the stages that did not come to their end. */
export function unfinishedStages(stages: readonly StageReport[]): readonly StageReport[] {
  return stages.filter(({ status }) => !isFinished(status));
}
