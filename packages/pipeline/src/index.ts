export type {
  Classifier,
  Classifiers,
  ClassScore,
  Embedder,
  Judge,
  JudgeQuestion,
  JudgeVerdict,
  Judgment,
  StageDependencies,
} from './backends/types.ts';
export type { PipelineRuntime } from './checkpoint.ts';
export type {
  PipelineConfig,
  StageConfig,
  StageSettings,
  StageValue,
  TypeSwitches,
} from './config.ts';
export type { ContaminationType } from './contamination/contamination-stage.ts';
export {
  type DefinedStage,
  defineStage,
  type OwnFinding,
  type OwnStage,
  type OwnStageContext,
} from './define-stage.ts';
export { didYouMean } from './did-you-mean.ts';
export {
  BlockedError,
  PipelineConfigError,
  RedactionError,
  ScanCanceledError,
  ScanPoolError,
  StageTimeoutError,
  StreamTooLongError,
} from './errors.ts';
export { EXPLANATIONS, violationInWords } from './explanations.ts';
export { forEachBlock, type VisitBlock } from './for-each-block.ts';
export {
  type CheckOptions,
  createGuard,
  type Guard,
  type GuardInput,
  type GuardOptions,
  type GuardResult,
} from './guard.ts';
export type { GuardedExchange, GuardSession, StoringGuard } from './guard-session.ts';
export type { HallucinationType } from './hallucination/error-type.ts';
export type { InjectionType } from './injection/injection-types.ts';
export { keepScannedFields, type ScannedFields } from './kept-fields.ts';
export type {
  MessageFinding,
  MessagePlace,
  MessagesInput,
  MessagesResult,
  SkippedPart,
} from './messages/check-messages.ts';
export {
  NATIONAL_ID_TYPES,
  NATIONAL_RISK,
  type NationalIdType,
} from './pii/national/national-types.ts';
export { MODEL_PII_TYPES, type ModelPiiType, type PiiType } from './pii/pii-types.ts';
export {
  createPipeline,
  defaultStages,
  type Pipeline,
  type PipelineDependencies,
  type ScanOptions,
} from './pipeline.ts';
export { builtInPolicyRules, evaluatePolicies, type PolicyDecision } from './policy.ts';
export { type PolicyCheckOptions, parsePolicies } from './policy-check.ts';
export type {
  DecidedFinding,
  Policy,
  PolicyAction,
  PolicyRule,
  Redaction,
  Violation,
  ViolationCode,
} from './policy-types.ts';
export { createScanPool, type ScanPool, type ScanPoolOptions } from './pool/scan-pool.ts';
export { redactTexts } from './redaction/redact-texts.ts';
export {
  createRedactor,
  type RedactedTexts,
  type RedactionMark,
  type RedactionStyle,
  type Redactor,
  type RedactorOptions,
  type ReversibleRedactor,
  redactInput,
} from './redaction/redactor.ts';
export type { RestoredText, TokenRestorer } from './redaction/token-restorer.ts';
export { createRestorer, restoreTokens } from './redaction/tokens.ts';
export type { StageFactory, StageRegistry } from './registry.ts';
export { combinedPiiRisk, PII_RISK } from './risk.ts';
export type { ProtectedTexts, ScanMaterial } from './scan-material.ts';
export type {
  ClassifierScale,
  CommandLineUse,
  FindingSeverity,
  ScoreKind,
  StageDefinition,
  StageFacts,
  StageRule,
} from './stage-definition.ts';
export type { BuiltInStageName, ClassifiedStage, KnownScore } from './stage-names.ts';
export { BUILT_IN_STAGES, isStageName, STAGE_NAMES } from './stages.ts';
export {
  createGuardTransform,
  type GuardedStream,
  type GuardStreamOptions,
  type GuardStreamResult,
  type GuardTransform,
  guardStream,
} from './stream/guard-stream.ts';
export type { StreamScannerOptions } from './stream/stream-options.ts';
export { createStreamScanner, type StreamScanner } from './stream/stream-scanner.ts';
export type { StreamStep } from './stream/stream-steps.ts';
export type { DecodedText, PreparedText, TextBlock } from './text/prepared-text.ts';
export type { TextView } from './text/text-view.ts';
export {
  TOXICITY_CATEGORIES,
  type ToxicityCategory,
} from './toxicity/category-odds.ts';
export type { TruthType } from './truth/scored-claim.ts';
export type {
  Field,
  Finding,
  FindingGroup,
  PreparedField,
  ScanInput,
  ScanResult,
  ScanSignal,
  Scores,
  Stage,
  StageContext,
  StageFinding,
  StageName,
  StageReport,
  StageStatus,
  TextRange,
} from './types.ts';
