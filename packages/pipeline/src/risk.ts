import { NATIONAL_RISK } from './pii/national/national-types.ts';
import type { PiiType } from './pii/pii-types.ts';
import { MODEL_RISK, PII_TYPES } from './pii/pii-types.ts';
import { severityOf } from './stage-definition.ts';

/** How much harm a disclosed value of a type does, 0 to 1. */
export const PII_RISK: Readonly<Record<PiiType, number>> = Object.freeze(
  Object.fromEntries(PII_TYPES.map(({ type, risk }) => [type, risk])) as Record<PiiType, number>,
);

/** The risks of every type of `pii_scanner`, the optional ones included. */
export const ALL_PII_RISKS: Readonly<Record<string, number>> = Object.freeze({
  ...PII_RISK,
  ...NATIONAL_RISK,
  ...MODEL_RISK,
});

const FURTHER_TYPE = 0.05;

/** The combined risk of what was added so far. */
export interface RiskTally {
  add(finding: { readonly type: string; readonly score: number }): void;
  /** 0 to 1; 0 without findings. */
  risk(): number;
}

/**
 * Adds up the combined risk of a text: the largest of type risk times confidence, plus 0.05 for each
 * further distinct type.
 *
 * @param risks by type; default those of personal data. A type that is not in it has the highest.
 */
export function createRiskTally(
  risks: Readonly<Record<string, number>> = ALL_PII_RISKS,
): RiskTally {
  const types = new Set<string>();
  let largest = 0;
  return {
    add(finding) {
      types.add(finding.type);
      largest = Math.max(largest, severityOf({ risks }, finding));
    },
    risk: () => (types.size === 0 ? 0 : Math.min(1, largest + FURTHER_TYPE * (types.size - 1))),
  };
}

/** The combined risk of a text with these findings of personal data, 0 to 1 (see {@link createRiskTally}). */
export function combinedPiiRisk(
  findings: Iterable<{ readonly type: string; readonly score: number }>,
): number {
  return combinedRisk(findings);
}

/** The combined risk of a text with these findings, 0 to 1; `risks` as for {@link createRiskTally}. */
export function combinedRisk(
  findings: Iterable<{ readonly type: string; readonly score: number }>,
  risks?: Readonly<Record<string, number>>,
): number {
  const tally = createRiskTally(risks);
  for (const finding of findings) tally.add(finding);
  return tally.risk();
}
