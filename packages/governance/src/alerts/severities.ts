import type { StageDefinition, ViolationCode } from '@probity/pipeline';
import { BUILT_IN_STAGES } from '@probity/pipeline';
import type { AlertType } from './types.ts';
import { ALERT_TYPES } from './types.ts';

/** What alerts need to know of a stage. */
interface StageAlerts {
  readonly alertType: AlertType;
  /** Severities of findings: by type, and for other types. */
  readonly severities: StageDefinition['severities'];
}

/** Finds what alerts need to know of a stage, by its name. */
export type AlertsOf = (stage: string) => StageAlerts;

/**
 * Alerts by the definitions of the stages: personal data is graded by what its disclosure makes
 * possible (identity theft or a payment: critical; an account or a document: high; a contact: medium
 * to low), injection by whether it reaches a system beyond the model. Stages whose score is no type of
 * alert raise alerts of the type `policy`.
 */
export function alertsBy(definitions: readonly StageDefinition[]): AlertsOf {
  const byName = new Map(definitions.map((definition) => [definition.name, toAlerts(definition)]));
  return (stage) => byName.get(stage) ?? BUILT_IN.get(stage) ?? UNKNOWN;
}

function toAlerts({ score, severities }: StageDefinition): StageAlerts {
  return { alertType: ALERT_TYPES.find((type) => type === score) ?? 'policy', severities };
}

const BUILT_IN: ReadonlyMap<string, StageAlerts> = new Map(
  BUILT_IN_STAGES.map((definition) => [definition.name, toAlerts(definition)]),
);
const UNKNOWN: StageAlerts = { alertType: 'policy', severities: { otherwise: 'medium' } };

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
