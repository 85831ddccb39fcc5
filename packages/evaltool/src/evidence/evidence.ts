import { isUnknownType } from '../assertions/types.ts';
import type { Evaluation, EvaluationEvidence, EvaluationResult } from '../types.ts';
import { toFailure } from './failures.ts';
import { FailureKeys, runOf } from './keys.ts';
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
 * The records that an evaluation becomes: one for each provider, and one for each failing result. The
 * same evaluation gives the same keys, whatever the form of its file.
 */
export function evidenceOf(
  evaluation: Evaluation,
  { organizationId, storeGradingReason = true }: EvidenceOptions,
): EvaluationEvidence {
  const { results } = evaluation;
  const keys = new FailureKeys(organizationId, runOf(evaluation));
  return {
    summaries: [...byProvider(results)].map((entry) =>
      toSummary(evaluation, organizationId, entry),
    ),
    failures: results
      .filter(({ success }) => !success)
      .map((result) => toFailure(evaluation, result, { keys, storeGradingReason })),
    warnings: [...evaluation.warnings, ...typeWarnings(results)],
    totalResultsProcessed: results.length,
  };
}

/** Results by provider id, in the order of the ids. */
export function byProvider(
  results: readonly EvaluationResult[],
): ReadonlyMap<string, readonly EvaluationResult[]> {
  const groups = new Map<string, EvaluationResult[]>();
  for (const result of results) {
    const group = groups.get(result.provider.id);
    if (group) group.push(result);
    else groups.set(result.provider.id, [result]);
  }
  return new Map([...groups].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function typeWarnings(results: readonly EvaluationResult[]): string[] {
  const counts = new Map<string, number>();
  for (const { assertions } of results) {
    for (const type of new Set(assertions.map((assertion) => assertion.type))) {
      if (isUnknownType(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
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
