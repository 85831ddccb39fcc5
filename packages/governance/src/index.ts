export type { AlertFacts } from './alerts/alert-rules.ts';
export { alertFactsOf, severityOf } from './alerts/alert-rules.ts';
export type { AlertOptions, Alerts } from './alerts/alerts.ts';
export { createAlerts } from './alerts/alerts.ts';
export type { AlertReads, AlertWrites } from './alerts/storage.ts';
export type { Alert, AlertFilter, AlertStatus, AlertType } from './alerts/types.ts';
export { ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from './alerts/types.ts';
export type { GovernanceSettings } from './definition.ts';
export { governance } from './definition.ts';
export type { Governance, GovernanceOptions } from './governance.ts';
export { createGovernance } from './governance.ts';
export { createMemoryGovernanceStorage } from './memory.ts';
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
export type { DecidedScan, ScanDecision } from './scans/decide-scan.ts';
export { decideScan } from './scans/decide-scan.ts';
export type { ScanFacts } from './scans/facts.ts';
export { SCAN_STAGES } from './scans/metrics.ts';
export type { Restorations, RestoreRequest } from './scans/restoration.ts';
export { governanceRetentionRules } from './scans/retention.ts';
export type { Scans } from './scans/scans.ts';
export type { JudgedScanPart, ScanReads, ScanWrites, StoredJudgedScan } from './scans/storage.ts';
export type {
  Metadata,
  Scan,
  ScanFilter,
  ScanFinding,
  ScanOutcome,
  ScanRequest,
  ScanScores,
  ScanStage,
  ScanViolation,
  Verdict,
} from './scans/types.ts';
export { MAX_FINDINGS } from './scans/types.ts';
export type { GovernanceStorage } from './storage.ts';
