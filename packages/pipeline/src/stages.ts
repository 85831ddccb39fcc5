import type { StageName } from './types.ts';

/** Every stage name: those of the specification, in the order of a default pipeline, then the others. */
export const STAGE_NAMES: readonly StageName[] = [
  'truth_scan',
  'pii_scanner',
  'injection_scanner',
  'toxicity_scanner',
  'contamination_check',
  'hallucination_detector',
  'output_truth_scanner',
  'secrets_scanner',
  'terms_scanner',
];

/** Whether `value` is the name of a stage. */
export function isStageName(value: unknown): value is StageName {
  return STAGE_NAMES.some((name) => name === value);
}
