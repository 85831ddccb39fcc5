export type { AiSystemOptions, AiSystems } from './ai-systems/ai-systems.ts';
export { createAiSystems } from './ai-systems/ai-systems.ts';
export type { AiSystemReads, AiSystemWrites } from './ai-systems/storage.ts';
export type { AiSystem, AiSystemChanges, NewAiSystem, RiskClass } from './ai-systems/types.ts';
export { RISK_CLASSES } from './ai-systems/types.ts';
export type { ChainReads, ChainWrites, EvidenceExtent, StoredNode } from './chain/storage.ts';
export type { EvidenceHead, EvidenceNode } from './chain/types.ts';
export type { EvidenceFault, EvidenceVerification, VerifyEvidence } from './chain/verify.ts';
export { verifyEvidenceChain } from './chain/verify.ts';
export type { Applicability } from './coverage/applicability.ts';
export type {
  Coverage,
  CoverageFilter,
  CoverageOptions,
  CoveredObligation,
  SupportedObligation,
  SystemCoverage,
} from './coverage/coverage.ts';
export { createCoverage } from './coverage/coverage.ts';
export type { EvidenceSettings } from './definition.ts';
export { evidence } from './definition.ts';
export type { EvidenceExportOptions } from './exports/exports.ts';
export { createEvidenceExports } from './exports/exports.ts';
export type { EvidenceExports, ExportedNode } from './exports/types.ts';
export type { EvidenceImportOptions, EvidenceImports } from './imports/imports.ts';
export { createEvidenceImports } from './imports/imports.ts';
export type { EvaluationImport, ImportResult, RedactTexts } from './imports/types.ts';
export { createMemoryEvidenceStorage } from './memory.ts';
export { CATALOGUE_VERSION, findObligation, OBLIGATIONS } from './obligations/catalogue.ts';
export { matchObligations } from './obligations/match.ts';
export type {
  DraftStatus,
  Framework,
  Obligation,
  ObligationRole,
  Signal,
  Transition,
} from './obligations/types.ts';
export { FRAMEWORKS, SIGNALS } from './obligations/types.ts';
export type { EvidenceAppender } from './records/append.ts';
export { createEvidenceAppender } from './records/append.ts';
export type { EvidenceRecordOptions, EvidenceRecords } from './records/records.ts';
export { createEvidenceRecords } from './records/records.ts';
export type { EvidenceReads, EvidenceWrites } from './records/storage.ts';
export type {
  Evidence,
  EvidenceChanges,
  EvidenceFilter,
  EvidenceGroup,
  EvidenceMetadata,
  NewEvidence,
} from './records/types.ts';
export type { EvidenceServices } from './services.ts';
export type { EvidenceStorage, EvidenceTransaction } from './storage.ts';
export type { RunReads } from './trend/storage.ts';
export type { EvidenceTrend } from './trend/trend.ts';
export { createEvidenceTrend } from './trend/trend.ts';
export type { EvaluationRun, ProviderTrend, RecordedRun, RunFilter } from './trend/types.ts';
