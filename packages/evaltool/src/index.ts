export type { EvaluationErrorCode } from './errors.ts';
export { EvaluationError } from './errors.ts';
export type { EvidenceOptions } from './evidence/evidence.ts';
export { evidenceOf } from './evidence/evidence.ts';
export type { ReadOptions } from './reading/file-reader.ts';
export type { ImportBody, JsonSource } from './reading/read.ts';
export { readEvaluation, readImportBody } from './reading/read.ts';
export type { ImportFile } from './sending/import-file.ts';
export { toImportFile } from './sending/import-file.ts';
export { splitByProvider } from './sending/split.ts';
export type {
  Evaluation,
  EvaluationAssertion,
  EvaluationEvidence,
  EvaluationPlugin,
  EvaluationResult,
  EvaluationStats,
  EvaluationVersion,
  EvidenceDraft,
  FailureMetadata,
  FindingCategory,
  FindingType,
  NamedScores,
  ScoreSummary,
  SummaryMetadata,
} from './types.ts';
