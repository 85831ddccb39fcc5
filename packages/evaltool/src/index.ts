export type { EvaluationErrorCode } from './errors.ts';
export { EvaluationError } from './errors.ts';
export type { EvidenceOptions } from './evidence/evidence.ts';
export { evidenceOf } from './evidence/evidence.ts';
export type { ReadOptions } from './reading/file-reader.ts';
export type { ImportBody, JsonSource } from './reading/read.ts';
export { readEvaluation, readImportBody } from './reading/read.ts';
export { toUtf8 } from './reading/utf-8.ts';
export type { ReplaceTexts } from './redaction/replace-texts.ts';
export { replaceTexts } from './redaction/replace-texts.ts';
export type { ImportFile } from './sending/import-file.ts';
export { toImportFile } from './sending/import-file.ts';
export { splitByProvider } from './sending/split.ts';
export type {
  Contradiction,
  Evaluation,
  EvaluationAssertion,
  EvaluationEvidence,
  EvaluationPart,
  EvaluationPlugin,
  EvaluationProvider,
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
  TokenUsage,
} from './types.ts';
