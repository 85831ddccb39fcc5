/** The names of this package's stages. */
export type BuiltInStageName = ClassifiedStage | UnclassifiedStage;

/** The stages of this package that a classifier can help. */
export type ClassifiedStage = 'pii_scanner' | 'injection_scanner' | 'toxicity_scanner';

type UnclassifiedStage =
  | 'truth_scan'
  | 'contamination_check'
  | 'hallucination_detector'
  | 'output_truth_scanner'
  | 'secrets_scanner'
  | 'terms_scanner';

/** The scores that each scan has, null where their stage is off. */
export type KnownScore =
  | 'truth'
  | 'pii'
  | 'injection'
  | 'toxicity'
  | 'contamination'
  | 'hallucination';
