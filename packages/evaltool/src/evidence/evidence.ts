import { isUnknownType } from '../assertions/types.ts';
import { sizeOf } from '../reading/counts.ts';
import type { Evaluation, EvaluationEvidence, EvaluationResult } from '../types.ts';
import { toFailure } from './failures.ts';
import { FailureKeys, runOf } from './keys.ts';
import { byProvider } from './providers.ts';
import { toSummary } from './summaries.ts';

/** For whom, and with what, records are made. */
export interface EvidenceOptions {
  readonly organizationId: string;
  /** Whether redacted reasons are part of the records; default true. */
  readonly storeGradingReason?: boolean;
}

/** Assertion types beyond this number have one warning together. */
const MAX_TYPE_WARNINGS = 20;

/**
 * The records that an evaluation becomes: one for each provider and label, and one for each failing result. The
 * same evaluation gives the same keys, whatever the form of its file. A part of a split evaluation becomes either; its
 * results are counted, and warned about, with the summary.
 */
export function evidenceOf(
  evaluation: Evaluation,
  { organizationId, storeGradingReason = true }: EvidenceOptions,
): EvaluationEvidence {
  const { results, part } = evaluation;
  const hasSummary = part !== 'failures';
  const keys = new FailureKeys(organizationId, runOf(evaluation));
  return {
    summaries: byProvider(hasSummary ? results : []).map((group) =>
      toSummary(evaluation, organizationId, group),
    ),
    failures: results
      .filter(({ success }) => !success && part !== 'summary')
      .map((result) => toFailure(evaluation, result, { keys, storeGradingReason })),
    warnings: [...evaluation.warnings, ...typeWarnings(hasSummary ? results : [])],
    totalResultsProcessed: hasSummary ? sizeOf(results) : 0,
  };
}

function typeWarnings(results: readonly EvaluationResult[]): string[] {
  const counts = new Map<string, number>();
  for (const { assertions, count } of results) {
    for (const type of new Set(assertions.map((assertion) => assertion.type))) {
      if (isUnknownType(type)) counts.set(type, (counts.get(type) ?? 0) + count);
    }
  }
  const types = [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
  const warnings = types.slice(0, MAX_TYPE_WARNINGS).map(([type, count]) => {
    const where = count === 1 ? '1 result' : `${count} results`;
    return `Unknown assertion type ${type} was skipped for obligation mapping (${where}).`;
  });
  const more = types.length - warnings.length;
  if (more > 0)
    warnings.push(`${more} more unknown assertion types were skipped for obligation mapping.`);
  return warnings;
}
