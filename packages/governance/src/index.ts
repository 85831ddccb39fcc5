export type { AlertActions } from './alerts/actions.ts';
export type { AlertFacts } from './alerts/alert-rules.ts';
export { alertFactsOf, severityOf } from './alerts/alert-rules.ts';
export type { Alerts } from './alerts/alerts.ts';
export type { AlertMembers } from './alerts/members.ts';
export type {
  AlertChange,
  AlertPart,
  AlertReads,
  AlertWrites,
  OpenAlerts,
  TimedAlert,
} from './alerts/storage.ts';
export type {
  Alert,
  AlertAction,
  AlertActionKind,
  AlertChanges,
  AlertCount,
  AlertFilter,
  AlertStatus,
  AlertType,
} from './alerts/types.ts';
export { ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from './alerts/types.ts';
export type { Batches, ScannedItem } from './batches/batches.ts';
export { MAX_RUNNING_BATCHES } from './batches/batches.ts';
export { createMemoryBatchStorage } from './batches/memory.ts';
export type {
  AddedCounts,
  BatchReads,
  BatchStorage,
  BatchWrites,
  NewBatchItem,
} from './batches/storage.ts';
export type {
  BatchCounts,
  BatchFilter,
  BatchItem,
  BatchItemError,
  BatchItemFilter,
  BatchItemRequest,
  BatchItemResult,
  BatchItemStatus,
  BatchRequest,
  BatchStatus,
  ScanBatch,
  WaitingItem,
} from './batches/types.ts';
export { BATCH_ITEM_STATUSES, BATCH_STATUSES, MAX_BATCH_ITEMS } from './batches/types.ts';
export type {
  CertificateDetail,
  Certificates,
  NewCertificate,
  SupportState,
} from './certificates/certificates.ts';
export { CERTIFICATE_TYPE } from './certificates/jws.ts';
export { createMemoryCertificateStorage } from './certificates/memory.ts';
export type {
  CertificateReads,
  CertificateStorage,
  CertificateWrites,
} from './certificates/storage.ts';
export type {
  Certificate,
  CertificateFilter,
  CertificateState,
  NuggetVersion,
  Revocation,
} from './certificates/types.ts';
export type { GovernanceSettings, HostKnowledge } from './definition.ts';
export { governance } from './definition.ts';
export type { Doors } from './doors/doors.ts';
export type { DoorOutcome, DoorProtocol, DoorScan } from './doors/types.ts';
export type { Governance, GovernanceOptions } from './governance.ts';
export { createGovernance } from './governance.ts';
export { createMemoryGovernanceStorage, createMemoryGovernanceStorages } from './memory.ts';
export { BUILT_IN_POLICY, BUILT_IN_POLICY_ID } from './policies/built-in.ts';
export type { DryRun, DryRunRequest, DryRuns } from './policies/dry-run.ts';
export type { Applicable, Judgment, MonitoredDecision } from './policies/judge.ts';
export { createMemoryPolicyStorage } from './policies/memory.ts';
export type { Policies } from './policies/policies.ts';
export type { PolicyReads, PolicyStorage, PolicyWrites } from './policies/storage.ts';
export type {
  AppliedPolicy,
  NewPolicy,
  OrganizationPolicy,
  PolicyChanges,
  PolicyContent,
  PolicyMode,
  PolicyVersion,
  StoredPolicy,
} from './policies/types.ts';
export { createMemoryProtectedTextStorage } from './protected-texts/memory.ts';
export type { ProtectedTextService } from './protected-texts/protected-texts.ts';
export type {
  ProtectedExtent,
  ProtectedTextReads,
  ProtectedTextStorage,
  ProtectedTextWrites,
} from './protected-texts/storage.ts';
export type {
  NewProtectedText,
  ProtectedText,
  ProtectedTextChanges,
  ProtectedTextKind,
  ReadProtectedText,
  StoredProtectedText,
} from './protected-texts/types.ts';
export type { ScanFacts } from './scans/facts.ts';
export type { GuardRequest } from './scans/guard.ts';
export type { KnowledgeSource, KnowledgeStatement } from './scans/material.ts';
export { SCAN_STAGES } from './scans/metrics.ts';
export type { Restorations, RestoreMessagesRequest, RestoreRequest } from './scans/restoration.ts';
export type { DecidedScan, ScanDecision } from './scans/scan.ts';
export { decideScan } from './scans/scan.ts';
export type { Scans } from './scans/scans.ts';
export type {
  JudgedScanPart,
  ScanReads,
  ScanWrites,
  StoredJudgedScan,
  TimedScan,
  TimedScanPart,
} from './scans/storage.ts';
export type { ScanStreamEvent, StreamedScanRequest, StreamFinding } from './scans/stream/types.ts';
export type {
  Metadata,
  RedactedContent,
  Scan,
  ScanFilter,
  ScanFinding,
  ScanOutcome,
  ScanRequest,
  ScanScores,
  ScanStage,
  ScanViolation,
  SkippedPart,
  Verdict,
} from './scans/types.ts';
export { MAX_FINDINGS } from './scans/types.ts';
export { createMemoryUpkeepStorage } from './settings/memory.ts';
export type { GovernanceRetentionOptions } from './settings/retention.ts';
export { governanceRetentionRules } from './settings/retention.ts';
export type { Settings } from './settings/settings.ts';
export type { UpkeepReads, UpkeepStorage, UpkeepWrites } from './settings/storage.ts';
export type {
  OrganizationSettings,
  RetentionSettings,
  SettingsChanges,
  StoredSettings,
} from './settings/types.ts';
export type { Shield, ShieldOptions } from './shield.ts';
export type {
  JsonWebKeySet,
  SigningKeyRotation,
  SigningKeys,
} from './signing-keys/signing-keys.ts';
export { createSigningKeys } from './signing-keys/signing-keys.ts';
export type { SigningKeyReads, SigningKeyWrites } from './signing-keys/storage.ts';
export type { SigningKey } from './signing-keys/types.ts';
export type { GovernanceStorage, GovernanceStorages } from './storage.ts';
export type { CertificationRefusal } from './verification/certifiable.ts';
export type {
  KnowledgeBase,
  SupportingNugget,
  Verification,
  VerifiedClaim,
} from './verification/types.ts';
export type {
  VerificationOutcome,
  VerificationRequest,
  Verifications,
} from './verification/verifications.ts';
