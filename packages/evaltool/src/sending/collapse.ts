import { isSecurityType, isUnknownType } from '../assertions/types.ts';
import { failedTypes } from '../evidence/findings.ts';
import { sizeOf } from '../reading/counts.ts';
import { SCORE_NAMES } from '../reading/file-shape.ts';
import type { EvaluationResult } from '../types.ts';

/** Sums of the same assertion types are kept apart up to this number of results. */
const MAX_BY_TYPES = 400;

/**
 * The results of a provider with sums of those that passed, which have no record each: failures stay as they are. The
 * summary of both is the same, up to the rounding of mean scores.
 */
export function collapsePasses(results: readonly EvaluationResult[]): EvaluationResult[] {
  const passes = results.filter(({ success }) => success);
  return [...results.filter(({ success }) => !success), ...collapseAll(passes)];
}

/**
 * Sums of results, at most 400. Their summary is the same, up to the rounding of mean scores. Unknown assertion types,
 * of which a summary only warns, are left out where too many combinations of them would remain.
 */
export function collapseAll(results: readonly EvaluationResult[]): EvaluationResult[] {
  const reduced = results.map(withSummaryTypes);
  const sums = sumsOfGroups(reduced);
  if (sums.length <= MAX_BY_TYPES) return sums;
  return sumsOfGroups(
    reduced.map((result) => ({
      ...result,
      assertions: result.assertions.filter(({ type }) => isSecurityType(type)),
    })),
  );
}

/** A result with the assertions that its summary depends on: a failed attack, and unknown types for their warning. */
function withSummaryTypes(result: EvaluationResult): EvaluationResult {
  const { success, error, graderError } = result;
  const unknown = [...new Set(result.assertions.map(({ type }) => type))].filter(isUnknownType);
  const attack =
    success || error || graderError ? undefined : failedTypes(result).find(isSecurityType);
  return {
    ...result,
    assertions: [
      ...(attack === undefined ? [] : [{ type: attack, passed: false }]),
      ...unknown.map((type) => ({ type, passed: null })),
    ],
  };
}

function sumsOfGroups(results: readonly EvaluationResult[]): EvaluationResult[] {
  const groups = new Map<string, EvaluationResult[]>();
  for (const result of results) {
    const { success, contradiction, error, graderError, assertions } = result;
    const names = SCORE_NAMES.filter((name) => result.namedScores[name] !== undefined);
    const types = [...new Set(assertions.map(({ type }) => type))].sort();
    const attacks = types.some(isSecurityType);
    const kinds = [success, contradiction, error !== null, graderError, attacks];
    const key = JSON.stringify([kinds, names, types.filter((type) => !isSecurityType(type))]);
    const group = groups.get(key);
    if (group) group.push(result);
    else groups.set(key, [result]);
  }
  return [...groups.values()].flatMap(sumsOf);
}

/** Few results with the sums, means and bounds of many. */
function sumsOf(results: readonly EvaluationResult[]): EvaluationResult[] {
  const bounds = new Set<EvaluationResult>();
  for (const name of SCORE_NAMES) {
    const scored = results
      .filter(({ namedScores }) => namedScores[name] !== undefined)
      .sort((left, right) => (left.namedScores[name] ?? 0) - (right.namedScores[name] ?? 0));
    for (const bound of [scored[0], scored.at(-1)]) if (bound) bounds.add(bound);
  }
  const rest = results.filter((each) => !bounds.has(each));
  const [first] = rest;
  if (!first) return [...bounds];
  const count = sizeOf(rest);
  const meanOf = (name: (typeof SCORE_NAMES)[number]) => {
    const values = rest.map((each) => each.namedScores[name] ?? 0);
    const total = values.reduce((sum, value, at) => sum + value * (rest[at]?.count ?? 1), 0);
    // Rounding must not make a mean that is beyond all values.
    return Math.min(Math.max(total / count, Math.min(...values)), Math.max(...values));
  };
  const tokens = rest.flatMap(({ totalTokens }) => totalTokens ?? []);
  const sum: EvaluationResult = {
    ...first,
    count,
    score: null,
    namedScores: Object.fromEntries(
      SCORE_NAMES.filter((name) => first.namedScores[name] !== undefined).map((name) => [
        name,
        meanOf(name),
      ]),
    ),
    promptLabel: null,
    totalTokens: tokens.length === 0 ? null : tokens.reduce((total, each) => total + each, 0),
    latencyMs: null,
  };
  return [...bounds, sum];
}
