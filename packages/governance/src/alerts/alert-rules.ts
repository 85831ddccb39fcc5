import type { Severity } from '@probity/core';
import type { Scan, ScanFinding } from '../scans/types.ts';
import { ALERT_LABELS, STAGE_SEVERITIES, VIOLATION_ALERT_TYPES } from './severities.ts';
import type { AlertType } from './types.ts';
import { SEVERITIES } from './types.ts';

/** Type, severity and message of an alert. */
export interface AlertFacts {
  readonly type: AlertType;
  readonly severity: Severity;
  readonly message: string;
}

/** The severity of a finding, by its stage and type alone. */
export function severityOf({ stage, type }: Pick<ScanFinding, 'stage' | 'type'>): Severity {
  const { byType, otherwise } = STAGE_SEVERITIES[stage];
  return (Object.hasOwn(byType, type) ? byType[type] : undefined) ?? otherwise;
}

const RANKS: ReadonlyMap<Severity, number> = new Map(
  SEVERITIES.map((severity, rank) => [severity, rank]),
);

/** Orders findings from the most to the least severe, then by score. */
export function bySeverity(left: ScanFinding, right: ScanFinding): number {
  return rankOf(right) - rankOf(left) || right.score - left.score;
}

/**
 * The alert that a scan raises, or null (contract, section 7). A scan with personal data or a
 * hallucination raises one, with the type and severity of its most severe finding from any stage;
 * a blocked scan without either raises one for the violation. Findings that a policy allows are
 * ignored.
 */
export function alertFactsOf(
  scan: Pick<Scan, 'findings' | 'verdict' | 'violation'>,
): AlertFacts | null {
  const findings = scan.findings.filter(({ action }) => action !== 'allow');
  const isBlocked = scan.verdict === 'blocked';
  if (findings.some(isAlwaysAlerted)) return factsOfFindings(findings, isBlocked);
  if (!scan.violation) return null;
  const blocking = findings.filter(({ action }) => action === 'block');
  if (blocking.length > 0) return factsOfFindings(blocking, isBlocked);
  const type = VIOLATION_ALERT_TYPES[scan.violation.code];
  return { type, severity: 'high', message: `${ALERT_LABELS[type]}: ${scan.violation.reason}.` };
}

function isAlwaysAlerted({ stage }: ScanFinding): boolean {
  return stage === 'pii_scanner' || stage === 'hallucination_detector';
}

function factsOfFindings(findings: readonly ScanFinding[], isBlocked: boolean): AlertFacts | null {
  const worst = findings.reduce<ScanFinding | undefined>(
    (held, finding) => (held && bySeverity(held, finding) <= 0 ? held : finding),
    undefined,
  );
  if (!worst) return null;
  const type = alertTypeOf(worst);
  const same = findings.filter((finding) => alertTypeOf(finding) === type);
  const types = [...new Set(same.map((finding) => finding.type))].join(', ');
  const fields = [...new Set(same.map(({ field }) => field))].join(', ');
  const outcome = isBlocked ? 'the scan was blocked' : 'the scan was flagged';
  const message = `${ALERT_LABELS[type]} (${types}) in ${fields}; ${outcome}.`;
  return { type, severity: severityOf(worst), message };
}

function alertTypeOf({ stage }: ScanFinding): AlertType {
  return STAGE_SEVERITIES[stage].alertType;
}

function rankOf(finding: ScanFinding): number {
  return RANKS.get(severityOf(finding)) ?? 0;
}
