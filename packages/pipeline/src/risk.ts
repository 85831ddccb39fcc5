import { NATIONAL_RISK } from './pii/national/national-types.ts';
import type { StageName } from './types.ts';

/** The personal-data types of the specification's key `stage_config.pii_scanner.patterns`. */
export type PiiType =
  | 'ssn'
  | 'credit_card'
  | 'phone_number'
  | 'email'
  | 'passport'
  | 'ip_address'
  | 'bank_account';

/** How much harm a disclosed value of a type does, 0 to 1. */
export const PII_RISK: Readonly<Record<PiiType, number>> = Object.freeze({
  ssn: 0.95,
  credit_card: 0.95,
  bank_account: 0.9,
  passport: 0.85,
  phone_number: 0.5,
  email: 0.5,
  ip_address: 0.3,
});

/** How severe a finding is, 0 to 1: type risk times confidence for personal data, else the confidence. */
export function severityOf(
  stage: StageName,
  finding: { readonly type: string; readonly score: number },
): number {
  return stage === 'pii_scanner' ? piiRiskOf(finding.type) * finding.score : finding.score;
}

const FURTHER_TYPE = 0.05;

/** Risk of a type: its own, or the highest there is for a type that this build does not know. */
function piiRiskOf(type: string): number {
  const risks: Readonly<Record<string, number>> = PII_RISK;
  return risks[type] ?? (NATIONAL_RISK as Readonly<Record<string, number>>)[type] ?? 1;
}

/** The combined risk of what was added so far. */
export interface RiskTally {
  add(finding: { readonly type: string; readonly score: number }): void;
  /** 0 to 1; 0 without findings. */
  risk(): number;
}

/**
 * Adds up the combined risk of a text: the largest of type risk times confidence, plus 0.05 for each
 * further distinct type.
 */
export function createRiskTally(): RiskTally {
  const types = new Set<string>();
  let largest = 0;
  return {
    add({ type, score }) {
      types.add(type);
      largest = Math.max(largest, piiRiskOf(type) * score);
    },
    risk: () => (types.size === 0 ? 0 : Math.min(1, largest + FURTHER_TYPE * (types.size - 1))),
  };
}

/** The combined risk of a text with these findings, 0 to 1 (see {@link createRiskTally}). */
export function combinedPiiRisk(
  findings: Iterable<{ readonly type: string; readonly score: number }>,
): number {
  const tally = createRiskTally();
  for (const finding of findings) tally.add(finding);
  return tally.risk();
}
