import type { RiskClass } from '../ai-systems/types.ts';
import type { Obligation } from '../obligations/types.ts';

/**
 * Whether an obligation is about an AI system: `applies`, `applies_later` before its date, `unclassified` where that
 * depends on a class that the organization has not given.
 */
export const APPLICABILITIES = ['applies', 'applies_later', 'unclassified'] as const;
/** One of {@link APPLICABILITIES}. */
export type Applicability = (typeof APPLICABILITIES)[number];

/** Returns null for an obligation that is not about systems of the class. */
export function applicabilityOf(
  { riskClasses, appliesFrom }: Obligation,
  riskClass: RiskClass | null,
  now: Date,
): Applicability | null {
  if (riskClasses && riskClass && !riskClasses.includes(riskClass)) return null;
  if (riskClasses && !riskClass) return 'unclassified';
  const isLater = appliesFrom !== null && appliesFrom > now.toISOString().slice(0, 10);
  return isLater ? 'applies_later' : 'applies';
}
