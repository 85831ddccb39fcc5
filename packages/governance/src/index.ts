export type { AlertFacts } from './alert-rules.ts';
export { alertFactsOf, severityOf } from './alert-rules.ts';
export type { AlertDependencies, Alerts } from './alerts.ts';
export { createAlerts } from './alerts.ts';
export type { Governance, GovernanceDependencies } from './governance.ts';
export { createGovernance } from './governance.ts';
export { createMemoryGovernanceStorage } from './memory.ts';
export { BUILT_IN_POLICY, BUILT_IN_POLICY_ID } from './policies.ts';
export { governanceRetentionRules } from './retention.ts';
export type { GovernanceReads, GovernanceStorage, GovernanceWrites } from './storage.ts';
export type {
  Alert,
  AlertFilter,
  AlertStatus,
  AlertType,
  Metadata,
  Scan,
  ScanFinding,
  ScanOutcome,
  ScanRequest,
  ScanScores,
  ScanStage,
  ScanViolation,
  Verdict,
} from './types.ts';
export { ALERT_STATUSES, ALERT_TYPES, MAX_FINDINGS, SEVERITIES } from './types.ts';
