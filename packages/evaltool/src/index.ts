export type { EvaluationErrorCode } from './errors.ts';
export { EvaluationError } from './errors.ts';
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
