import type { StageName } from './types.ts';

/** Every stage name that the specification knows, in the order of a default pipeline. */
export const STAGE_NAMES: readonly StageName[] = [
  'truth_scan',
  'pii_scanner',
  'injection_scanner',
  'toxicity_scanner',
  'contamination_check',
  'hallucination_detector',
  'output_truth_scanner',
];

/** Whether `value` is one of the specification's stage names. */
export function isStageName(value: unknown): value is StageName {
  return STAGE_NAMES.some((name) => name === value);
}
