import type { Severity } from '@probity/core';
import type { StageDefinition } from '@probity/pipeline';
import type { Scan, ScanFinding } from '../scans/types.ts';
import type { AlertsOf } from './severities.ts';
import { ALERT_LABELS, alertsBy, VIOLATION_ALERT_TYPES } from './severities.ts';
import type { AlertType } from './types.ts';
import { SEVERITIES } from './types.ts';

/** Type, severity and message of an alert. */
export interface AlertFacts {
  readonly type: AlertType;
  readonly severity: Severity;
  readonly message: string;
}

/**
 * The severity of a finding, by its stage and type alone.
 * @param definitions of the pipeline that has the stage; not needed for stages of `@probity/pipeline`
 */
export function severityOf(
  finding: Pick<ScanFinding, 'stage' | 'type'>,
  definitions: readonly StageDefinition[] = [],
): Severity {
  return severityBy(alertsBy(definitions), finding);
}

function severityBy(alertsOf: AlertsOf, { stage, type }: Pick<ScanFinding, 'stage' | 'type'>) {
  const { byType = {}, otherwise } = alertsOf(stage).severities;
  return (Object.hasOwn(byType, type) ? byType[type] : undefined) ?? otherwise;
}

const RANKS: ReadonlyMap<Severity, number> = new Map(
  SEVERITIES.map((severity, rank) => [severity, rank]),
);

/** Orders findings from the most to the least severe, then by score. */
export function bySeverity(alertsOf: AlertsOf): (left: ScanFinding, right: ScanFinding) => number {
  const rankOf = (finding: ScanFinding) => RANKS.get(severityBy(alertsOf, finding)) ?? 0;
  return (left, right) => rankOf(right) - rankOf(left) || right.score - left.score;
}

/**
 * The alert that a scan raises, or null (contract, section 7). A scan with personal data or a
 * hallucination raises one, with the type and severity of its most severe finding from any stage;
 * a blocked or redacted scan without either raises one for the violation. Findings that a policy allows are
 * ignored.
 * @param definitions of the pipeline's stages; not needed for stages of `@probity/pipeline`
 */
export function alertFactsOf(
  scan: Pick<Scan, 'findings' | 'verdict' | 'violation'>,
  definitions: readonly StageDefinition[] = [],
): AlertFacts | null {
  const findings = scan.findings.filter(({ action }) => action !== 'allow');
  if (findings.length === 0 && !scan.violation) return null;
  const alertsOf = alertsBy(definitions);
  const isBlocked = scan.verdict === 'blocked';
  const isAlwaysAlerted = ({ stage }: ScanFinding) =>
    ALWAYS_ALERTED.includes(alertsOf(stage).alertType);
  if (findings.some(isAlwaysAlerted)) return factsOfFindings(findings, isBlocked, alertsOf);
  const redacted = findings.filter(
    ({ action, field }) => action === 'redact' && field !== 'context',
  );
  if (!scan.violation) return factsOfFindings(redacted, isBlocked, alertsOf);
  const blocking = findings.filter(({ action }) => action === 'block');
  if (blocking.length > 0) return factsOfFindings(blocking, isBlocked, alertsOf);
  const type = VIOLATION_ALERT_TYPES[scan.violation.code];
  return { type, severity: 'high', message: `${ALERT_LABELS[type]}: ${scan.violation.reason}.` };
}

const ALWAYS_ALERTED: readonly AlertType[] = ['pii', 'hallucination'];

function factsOfFindings(
  findings: readonly ScanFinding[],
  isBlocked: boolean,
  alertsOf: AlertsOf,
): AlertFacts | null {
  const inOrder = bySeverity(alertsOf);
  const worst = findings.reduce<ScanFinding | undefined>(
    (held, finding) => (held && inOrder(held, finding) <= 0 ? held : finding),
    undefined,
  );
  if (!worst) return null;
  const { alertType: type } = alertsOf(worst.stage);
  const same = findings.filter(({ stage }) => alertsOf(stage).alertType === type);
  const types = [...new Set(same.map((finding) => finding.type))].join(', ');
  const fields = [...new Set(same.map(({ field }) => field))].join(', ');
  const outcome = isBlocked ? 'the scan was blocked' : 'the scan was flagged';
  const message = `${ALERT_LABELS[type]} (${types}) in ${fields}; ${outcome}.`;
  return { type, severity: severityBy(alertsOf, worst), message };
}
