import type { Severity } from '@probity/core';
import type { StageName, ViolationCode } from '@probity/pipeline';
import type { AlertType } from './types.ts';

/** Severities of a stage's findings: by type, and the default for other types. */
interface StageSeverities {
  readonly alertType: AlertType;
  readonly byType: Readonly<Record<string, Severity>>;
  readonly otherwise: Severity;
}

/**
 * The one table of severities. Personal data is graded by what its disclosure makes possible
 * (identity theft or a payment: critical; an account or a document: high; a contact: medium to low),
 * injection by whether it reaches a system beyond the model.
 */
export const STAGE_SEVERITIES: Readonly<Record<StageName, StageSeverities>> = {
  pii_scanner: {
    alertType: 'pii',
    byType: {
      ssn: 'critical',
      credit_card: 'critical',
      bank_account: 'high',
      passport: 'high',
      phone_number: 'medium',
      email: 'low',
      ip_address: 'low',
    },
    otherwise: 'medium',
  },
  injection_scanner: {
    alertType: 'injection',
    byType: {
      prompt_injection: 'high',
      sql_injection: 'high',
      command_injection: 'critical',
      xpath_injection: 'high',
    },
    otherwise: 'high',
  },
  hallucination_detector: { alertType: 'hallucination', byType: {}, otherwise: 'medium' },
  toxicity_scanner: { alertType: 'toxicity', byType: {}, otherwise: 'medium' },
  truth_scan: { alertType: 'policy', byType: {}, otherwise: 'medium' },
  contamination_check: { alertType: 'policy', byType: {}, otherwise: 'medium' },
  output_truth_scanner: { alertType: 'policy', byType: {}, otherwise: 'medium' },
  secrets_scanner: {
    alertType: 'policy',
    byType: { private_key: 'critical', connection_string: 'critical' },
    otherwise: 'high',
  },
  terms_scanner: { alertType: 'policy', byType: {}, otherwise: 'medium' },
};

/** Alert types of violations without a finding: a score alone, or a stage that failed closed. */
export const VIOLATION_ALERT_TYPES: Readonly<Record<ViolationCode, AlertType>> = {
  INJECTION_ATTEMPT_DETECTED: 'injection',
  PII_DETECTED: 'pii',
  POLICY_BLOCKED: 'policy',
};

/** The label of each alert type in messages. */
export const ALERT_LABELS: Readonly<Record<AlertType, string>> = {
  pii: 'Personal data',
  hallucination: 'Possible hallucination',
  injection: 'Injection attempt',
  toxicity: 'Toxic content',
  policy: 'Policy violation',
};
